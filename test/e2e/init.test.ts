/** `memd init` where something stands already: it says what, and touches none of it. */
import fs from "node:fs";
import path from "node:path";
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
  "beside another program's memory it makes nothing; a folder of its own searches that memory",
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
    const refused = await place.memd(["init"]);
    expect(refused).toMatchObject({
      code: 3,
      stderr: /memory\/2026-03-01\.md.*another program[^]*memd init memd/,
    });
    expect(place.snapshot()).toEqual(before);
    expect((await place.memd(["init", "--dry-run"])).stdout).toMatch(/OpenClaw[^]*cannot become/);

    expect((await place.memd(["init", "memd"])).code).toBe(0);
    fs.symlinkSync("../memory", path.join(place.root, "memd", "theirs"));
    place.write("memd/memd.toml", 'documents = ["theirs/**/*.md"]\n\n[files]\nlinked = ["theirs"]\n');
    await place.memd(["start", "--until-idle", "-w", "memd"]);
    const { stdout } = await place.memd(["search", "ferry Porto", "-w", "memd"]);
    expect(stdout).toContain("We took the ferry to Porto.");
    expect(place.snapshot("memory")).toEqual({ "memory/2026-03-01.md": before["memory/2026-03-01.md"] });
  },
);

test("a file is no folder, and a transcript is told with how it comes in", SLOW, async () => {
  const talk = { type: "user", sessionId: "s", uuid: "u", message: { role: "user", content: "hi" } };
  const place = cliPlace({ workspace: false, files: { "old talk.jsonl": `${JSON.stringify(talk)}\n` } });
  const { stdout } = await place.memd(["init", "--dry-run"]);
  expect(stdout).toContain("taken in by `memd import 'old talk.jsonl'`");
  expect((await place.memd(["init", "old talk.jsonl", "--dry-run"])).code).toBe(2);
});
