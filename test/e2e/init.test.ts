/** `memd init` where something stands already: it says what, and touches none of it. */
import { expect, test } from "vitest";
import { cliPlace } from "../support/cli.js";

const SLOW = { timeout: 240_000 };

test(
  "in a vault: what was found is told, and stays as it is; what is not for a repository is named",
  SLOW,
  async () => {
    const place = cliPlace({
      workspace: false,
      files: {
        ".obsidian/app.json": "{}",
        "a.md": "the ferry",
        ".gitignore": "/private/\n",
        "memory.md": "mine",
      },
    });
    const before = place.snapshot();
    const dry = JSON.parse((await place.memd(["init", "--dry-run", "--json"])).stdout) as unknown;
    expect(dry).toMatchObject({ files: [], found: [{ is: "obsidian" }, { is: "notes", count: 1 }] });
    expect(place.snapshot()).toEqual(before);
    const { stdout } = await place.memd(["init"]);
    expect(stdout).toMatch(/^Found an Obsidian vault\n {2}\S/m);
    expect(stdout).toMatch(/^Found 1 note: a\.md$/m);
    const after = place.snapshot();
    expect(after).toMatchObject({
      ...before,
      ".gitignore": expect.stringMatching(/^\/private\/\n/) as string,
    });
    const ignored = (after[".gitignore"] ?? "").split("\n");
    expect(ignored).toEqual(expect.arrayContaining(["/.memd/", "/logs/", "/journal/", "/history.json"]));
    expect(Object.keys(after).filter((file) => !(file in before))).toEqual([
      "history.json",
      "inbox.json",
      "memd.toml",
      "workspace.json",
    ]);
    const again = await place.memd(["init", "--json"]);
    expect(again.code).toBe(3);
    expect(place.snapshot()).toEqual(after);
  },
);

test(
  "beside another program's memory it stands apart, searches that memory, and is found from the folder around it",
  SLOW,
  async () => {
    const place = cliPlace({
      workspace: false,
      files: {
        "MEMORY.md": "theirs",
        "SOUL.md": "# Mo",
        "memory/2026-03-01.md": "# Trip\n\nWe took the ferry to Porto.",
      },
    });
    const before = place.snapshot();
    const dry = await place.memd(["init", "--dry-run"]);
    expect(dry.stdout).toMatch(/OpenClaw[^]*memory\/2026-03-01\.md is another program's[^]*memd can become/);
    expect(place.snapshot()).toEqual(before);

    expect((await place.memd(["init"])).stdout).toMatch(/memd is a memd workspace now\.[^]*`memd start`/);
    expect((await place.memd(["init"])).code).toBe(3);
    const said = { id: "m-1", role: "user", text: "Mo met us in Braga.", createdAt: "2026-03-02T10:00:00Z" };
    place.write("memd/history.json", JSON.stringify([said]));
    await place.memd(["start", "--until-idle"]);
    await place.memd(["archive", "--now"]);
    expect((await place.memd(["search", "ferry Porto"])).stdout).toContain("We took the ferry to Porto.");
    expect((await place.memd(["search", "met in Braga"])).stdout).toMatch(
      /memory\/archive\/2026-03\/2026-03-02/,
    );
    const after = place.snapshot();
    const own = Object.keys(after).filter((file) => file.startsWith("memd/"));
    expect(Object.keys(after).filter((file) => !(file in before))).toEqual(own);
    expect(after).toMatchObject(before);
  },
);

test("a file is no folder, and a transcript is told with how it comes in", SLOW, async () => {
  const talk = { type: "user", sessionId: "s", uuid: "u", message: { role: "user", content: "hi" } };
  const place = cliPlace({ workspace: false, files: { "old talk.jsonl": `${JSON.stringify(talk)}\n` } });
  const { stdout } = await place.memd(["init", "--dry-run"]);
  expect(stdout).toContain("taken in by `memd import 'old talk.jsonl'`");
  expect((await place.memd(["init", "old talk.jsonl", "--dry-run"])).code).toBe(2);
});
