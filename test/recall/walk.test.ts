import { expect, test } from "vitest";
import { wholeLooks } from "../../src/platform/folder-looks.js";
import { systemClock } from "../../src/platform/clock.js";
import { memoryFolders, placeOf } from "../../src/recall/walk.js";
import { diskInMemory } from "../support/supervisor-in-memory.js";

const FILES = [
  "memory.md",
  "memory/2026-02-19-tea.md",
  "memory/archive/2026-01/2026-01-05-tea.md",
  "memory/summary/2026-01.md",
  "memory/records/2026-01.jsonl",
  "memory/records/users/lin.jsonl",
  "memory/documents/notes%2Fferry.md",
  "memory/profiles/users/lin.md",
  "memory/profiles/groups/harbor.md",
  "memory/scopes/group%3Aharbor/2026-02-19-tea.md",
  "memory/scopes/shop/archive/2026-01/2026-01-05-tea.md",
  "memory/scopes/shop/records/2026-01.jsonl",
];

test("a file is taken by its name for what the walk takes it for", async () => {
  const disk = await diskInMemory(systemClock());
  for (const file of FILES) {
    await disk.makeDir(`/w/${file}`.slice(0, file.lastIndexOf("/") + 3) || "/w");
    disk.writeInPlace(`/w/${file}`, "x");
  }
  const { folders } = await memoryFolders({ disk, looks: wholeLooks(disk) }, { root: "/w" });
  const files = folders.flatMap((folder) => folder.files);
  expect(files.map(({ path }) => path).sort()).toEqual([...FILES].sort());
  for (const { stat: _stat, ...place } of files) expect(placeOf(place.path)).toEqual(place);
});

test.each(["journal/2026-01-01.jsonl", "memory/memos.json", "memory/window/main.md", "notes/ferry.md", ""])(
  "%j is passed over",
  (path) => expect(placeOf(path)).toBeUndefined(),
);
