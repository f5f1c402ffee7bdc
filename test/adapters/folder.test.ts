import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { heldIn, takenIn } from "../../src/adapters/folder.js";
import type { Disk } from "../../src/platform/disk.js";
import { nodeDisk } from "../../src/platform/node-disk.js";
import { newPreamble, printVerbatim } from "../../src/protocol/verbatim.js";
import type { Day } from "../../src/model/time.js";
import { MAIN_SCOPE } from "../../src/model/address.js";
import { tempDir } from "../support/temp-dir.js";

function folderWith(files: Record<string, string>): string {
  const dir = tempDir();
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    fs.writeFileSync(path.join(dir, name), text);
  }
  return dir;
}

describe("what a folder holds", () => {
  const line = { type: "user", sessionId: "s", uuid: "u", message: { role: "user", content: "hi" } };

  test.each([
    ["nothing", {}, []],
    [
      "an OpenClaw workspace",
      { "MEMORY.md": "# M", "SOUL.md": "# S", "memory/2026-03-01.md": "- went out" },
      [{ is: "openclaw", files: ["MEMORY.md", "SOUL.md", "memory/2026-03-01.md"], count: 3 }],
    ],
    [
      "a vault",
      { ".obsidian/app.json": "{}", "a.md": "a", "in/b.md": "b", ".trash/c.md": "c" },
      [
        { is: "obsidian", files: [".obsidian/"], count: 1 },
        { is: "notes", files: ["a.md", "in/b.md"], count: 2 },
      ],
    ],
    [
      "a code repository",
      { ".git/HEAD": "ref: refs/heads/main\n", "package.json": "{}", "node_modules/x/README.md": "x" },
      [{ is: "code", files: [".git", "package.json"], count: 2 }],
    ],
    [
      "transcripts",
      { "old/a.jsonl": `${JSON.stringify(line)}\n`, "numbers.json": "[1, 2]", "history.json": "[]" },
      [{ is: "transcripts", files: ["old/a.jsonl"], count: 1, kinds: ["claude-code"] }],
    ],
    [
      "what memd itself keeps, and a soul alone",
      { "memory.md": "# Memory", "SOUL.md": "# S", "memory/summary/2026-03.md": "s", "logs/x.md": "l" },
      [],
    ],
  ])("%s", async (_says, files, held) => {
    const found = await heldIn(nodeDisk, folderWith(files));
    expect(found).toMatchObject(held);
    expect(found).toHaveLength(held.length);
  });

  test("of many, the first are named and all are counted", async () => {
    const notes = Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`${n}.md`, "x"]));
    expect(await heldIn(nodeDisk, folderWith(notes))).toMatchObject([{ count: 7, files: { length: 5 } }]);
  });
});

describe("a folder is taken", () => {
  test("by another program's days in memory/", async () => {
    const other = folderWith({ "memory/2026-03-01-trip.md": "---\ntitle: trip\n---\n- went out" });
    expect(await takenIn(nodeDisk, other)).toBe("memory/2026-03-01-trip.md");
  });

  test("not by memd's own, whole or broken, nor by other notes there", async () => {
    const date = "2026-03-01" as Day;
    const own = printVerbatim({ day: date, scope: MAIN_SCOPE, preamble: newPreamble(date), blocks: [] });
    const broken = `${own.slice(0, own.indexOf("kind: verbatim"))}kind: verbatim\n  : [`;
    const files = {
      "memory/2026-03-01-a.md": own,
      "memory/2026-03-02-b.md": broken,
      "memory/ideas.md": "an idea",
    };
    expect(await takenIn(nodeDisk, folderWith(files))).toBeUndefined();
  });

  test("by a name that the disk takes for one of memd's", async () => {
    const dir = folderWith({ "MEMORY.md": "theirs" });
    expect(await takenIn(nodeDisk, dir)).toBeUndefined();
    const sameCase: Disk = {
      ...nodeDisk,
      stat: (file) => nodeDisk.stat(file.replace(/memory\.md$/, "MEMORY.md")),
    };
    expect(await takenIn(sameCase, dir)).toBe("MEMORY.md");
  });
});
