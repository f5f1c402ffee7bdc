/** How often a tick looks at what prompts are made of: each file once, however many prompts it writes. */
import { expect, test } from "vitest";
import { openStage } from "../support/stage.js";

const AT = "2026-02-20T11:00:00Z";

test("each source of a prompt is looked at once for a change", async () => {
  const said = (id: string, session: string, text: string): object => ({
    id,
    role: "user",
    text,
    session,
    createdAt: AT,
  });
  const stage = await openStage(
    {
      "history.json": [said("a", "main", "I live in Oslo."), said("b", "other", "I have a dog.")],
      "SOUL.md": "You are kind.",
      "memory.md": "- likes tea",
    },
    { settings: { historian: { extract: false } } },
  );
  const { supervisor, disk } = stage;
  await supervisor.start({ watch: false, work: true });
  await supervisor.idle();
  const looks = new Map<string, number>();
  disk.before((operation, path) => {
    if (operation === "stat") looks.set(path, (looks.get(path) ?? 0) + 1);
  });
  stage.write("inbox.json", [said("c", "main", "Where do I live?")]);
  await supervisor.settled();
  const sources = ["SOUL.md", "queue/cursors.json", "memory/memos.json", "memory/profiles/users/local.md"];
  expect(sources.map((file) => looks.get(`/w/${file}`))).toEqual([1, 1, 1, 1]);
});
