/** Folders that are believed to stand as they stood, held against looking at everything each time. */
import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type EpochMs, HOUR_MS, later, MINUTE_MS } from "../../src/model/time.js";
import { type Clock, systemClock } from "../../src/platform/clock.js";
import { type FolderLook, StillFolders, wholeLooks } from "../../src/platform/folder-looks.js";
import { nodeDisk } from "../../src/platform/node-disk.js";
import { watchFolders } from "../../src/platform/watch.js";
import { randomOf } from "../faults/random.js";
import { eventually, pause } from "../support/cli.js";
import { tempDir } from "../support/temp-dir.js";

/** A file system may give two changes the same time where they are closer than this. */
const TICK_MS = 15;

let dir: string;
let movedMs: number;
let told: (() => void)[];

beforeEach(() => {
  dir = tempDir();
  // Long after whatever is written: nothing is left out for having changed just now.
  movedMs = MINUTE_MS;
  told = [];
});

function clock(): Clock {
  const system = systemClock();
  return {
    ...system,
    now: (): EpochMs => later(system.now(), movedMs),
    monotonicMs: () => system.monotonicMs() + movedMs,
  };
}

const byHand = (): StillFolders =>
  new StillFolders(
    nodeDisk,
    clock(),
    () => true,
    (_dir, changed) => {
      told.push(changed);
      return () => void told.splice(told.indexOf(changed), 1);
    },
  );

const write = (name: string, text: string): void => fs.writeFileSync(path.join(dir, name), text);
const replace = (name: string, text: string): void => {
  write(".new", text);
  fs.renameSync(path.join(dir, ".new"), path.join(dir, name));
};
const plain = ({ entries, stats }: FolderLook): unknown => [
  entries.map(({ name, kind }) => [name, kind]),
  [...stats].map(([name, { size, mtimeMs, ino }]) => [name, size, mtimeMs, ino]),
];

test("while nothing changes the same look is given, and no file is asked for", async () => {
  write("a.md", "one");
  const looks = byHand();
  const first = await looks.look(dir);
  expect([...first.stats.keys()]).toEqual(["a.md"]);
  // In place, and told by nobody: that is seen within the hour.
  write("a.md", "two words");
  expect(await looks.look(dir)).toBe(first);
  movedMs += HOUR_MS;
  expect((await looks.look(dir)).stats.get("a.md")?.size).toBe(9);
});

test("what a watch tells is looked at", async () => {
  write("a.md", "one");
  const looks = new StillFolders(
    nodeDisk,
    clock(),
    () => true,
    (at, changed) => watchFolders([at], changed).close,
  );
  const first = await looks.look(dir);
  expect(await looks.look(dir)).toBe(first);
  write("a.md", "two words");
  await eventually("the write is seen", async () => (await looks.look(dir)).stats.get("a.md")?.size === 9);
  looks.close();
});

test("one that changed just now is not believed, since it may change again within the same time", async () => {
  movedMs = 0;
  write("a.md", "one");
  const looks = byHand();
  await looks.look(dir);
  write("a.md", "two words");
  expect((await looks.look(dir)).stats.get("a.md")?.size).toBe(9);
  expect(told).toEqual([]);
});

test("a folder that is not there is empty, one that comes is seen, and what is alike is the same look", async () => {
  const looks = byHand();
  const month = path.join(dir, "2026-01");
  expect((await looks.look(month)).entries).toEqual([]);
  fs.mkdirSync(month);
  fs.writeFileSync(path.join(month, "a.md"), "one");
  const found = await looks.look(month);
  expect([...found.stats.keys()]).toEqual(["a.md"]);
  movedMs += HOUR_MS;
  expect(await looks.look(month)).toBe(found);
});

describe("whatever is done to it, it shows what stands there", () => {
  test.each([1, 2, 3, 4, 5, 6])("seed %i", async (seed) => {
    const chance = randomOf(seed);
    const looks = byHand();
    const names = ["a.md", "b.md", "c.md", "d.md"];
    for (let step = 0; step < 60; step++) {
      const name = names[Math.floor(chance() * names.length)] ?? "";
      const file = path.join(dir, name);
      const text = "x".repeat(1 + Math.floor(chance() * 90));
      const what = Math.floor(chance() * 5);
      if (what === 0) replace(name, text);
      else if (what === 1) fs.rmSync(file, { force: true });
      else if (what === 2 && fs.existsSync(file)) {
        write(name, text);
        for (const tell of [...told]) tell();
      } else if (what === 3 && fs.existsSync(file)) {
        write(name, text);
        movedMs += HOUR_MS;
      } else if (what === 4 && fs.existsSync(file)) fs.renameSync(file, path.join(dir, "e.md"));
      expect(plain(await looks.look(dir)), `step ${step}`).toEqual(
        plain(await wholeLooks(nodeDisk).look(dir)),
      );
      await pause(TICK_MS);
    }
  });
});
