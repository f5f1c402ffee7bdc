/** `memd topics` with the real binary, a running memd and none, and the library. */
import { expect, test } from "vitest";
import { openWorkspace } from "../../src/library/memory.js";
import { cliPlace } from "../support/cli.js";
import { talkOf } from "../support/topic-talk.js";

const SETTINGS = "[topics]\nenabled = true\nwindow_tokens = 2000\n";
const TALK = [
  ...talkOf("ferry", 30, "2026-02-25T10:00:00Z"),
  ...talkOf("tea", 30, "2026-02-27T10:00:00Z"),
  ...talkOf("python", 30, "2026-03-01T10:00:00Z"),
];

interface Listed {
  id: string;
  name: string;
  state: string;
}

test("what the conversation is about is listed, shown, put away and woken; what is wrong is said", async () => {
  const place = cliPlace({ files: { "memd.toml": SETTINGS, "history.json": JSON.stringify(TALK) } });
  expect((await place.memd(["start", "--until-idle"])).code).toBe(0);
  const list = async (): Promise<Listed[]> =>
    (JSON.parse((await place.memd(["topics", "list", "--all", "--json"])).stdout) as { topics: Listed[] })
      .topics;
  const [first] = (await list()).filter(({ state }) => state === "active");
  const shown = await place.memd(["topics", "show", first?.id ?? ""]);
  expect(shown.stdout).toContain(first?.name);
  expect(shown.stdout).toMatch(/\[(?:ferry|tea|python)-\d+\] 2026-0\d-\d\d/);
  expect((await place.memd(["topics"])).stdout).toContain(first?.id);
  expect((await place.memd(["topics", "rename", first?.id ?? "", "A", "name"])).stdout).toContain("A name");
  expect((await place.memd(["topics", "archive", "A name"])).stdout).toContain("archived/");
  expect((await list()).find(({ id }) => id === first?.id)).toMatchObject({
    name: "A name",
    state: "archived",
  });
  const woken = await place.memd([
    "topics",
    "activate",
    "cabin",
    "captain",
    "oolong",
    "kettle",
    "pytest",
    "fixture",
  ]);
  expect(woken.stdout).toContain("know of it");
  expect((await place.memd(["topics", "--stats"])).stdout).toMatch(/unsplit +\d+ messages/);
  expect((await place.memd(["topics", "review"])).stdout).toContain("Merged 0");
  const wrong = await place.memd(["topics", "show", "../../x"]);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain("memd topics list --all");

  const memory = await openWorkspace(place.root);
  const { found } = await memory.activateTopics({ query: "the ferry with a cabin to Naxos" });
  expect(found[0]).toMatchObject({ state: "active", dates: expect.stringContaining("2026-02-25") as string });
  await expect(memory.activateTopics({ query: "x", as: "" })).rejects.toMatchObject({
    code: "value_invalid",
  });
}, 90_000);

test("where topics are off every command says how to turn them on", async () => {
  const place = cliPlace();
  const listed = await place.memd(["topics", "list"]);
  expect(listed.code).toBe(3);
  expect(listed.stderr).toContain("enabled = true");
  expect((await place.memd(["topics", "activate", "ferry"])).code).toBe(3);
});
