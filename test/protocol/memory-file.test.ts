import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { epochMs, parseInstant } from "../../src/model/time.js";
import { systemClock } from "../../src/platform/clock.js";
import { fileLocks, type Locks } from "../../src/platform/lock.js";
import { nodeDisk } from "../../src/platform/node-disk.js";
import { rewriteMemory } from "../../src/protocol/memory-file.js";
import type { FileWriter } from "../../src/protocol/publish.js";
import { pressOn, WORKSPACE } from "../support/writer.js";
import { tempDir } from "../support/temp-dir.js";
import { handClock, type HandClock } from "../support/hand-clock.js";
import { memoryLocks } from "../support/memory-locks.js";
import { memoryDisk, type MemoryDisk } from "../support/memory-disk.js";

const FILE = "/w/memory.md";

interface Place {
  disk: MemoryDisk;
  clock: HandClock;
  writer: FileWriter & { locks: Locks };
}

/** A workspace whose memory.md was written `restedMs` ago. */
async function memory(text: string | undefined, restedMs: number): Promise<Place> {
  const clock = handClock(parseInstant("2026-02-20T12:00:00Z") ?? epochMs(0));
  const disk = memoryDisk(() => clock.now());
  await disk.makeDir("/w");
  if (text !== undefined) disk.writeInPlace(FILE, text);
  await clock.advance(restedMs);
  return { disk, clock, writer: pressOn(disk) };
}

const append =
  (line: string) =>
  (text: string): string =>
    `${text}${line}\n`;

/** Runs `work` while time goes on. */
async function whileTimePasses<T>(clock: HandClock, ms: number, work: Promise<T>): Promise<T> {
  // It is awaited below: until then a failure of it is nobody's.
  work.catch(() => undefined);
  for (let passed = 0; passed < ms; passed += 50) await clock.advance(50);
  return work;
}

describe("memory.md", () => {
  test("is rewritten at once when it has stood for a second; the rest of it byte for byte", async () => {
    const before = "\ufeff# Über\r\n\r\n- tab\there  \n\tno line break at the end \u{1f33f}\u00a0";
    const { disk, clock, writer } = await memory(before, 1000);
    expect(await rewriteMemory(writer, WORKSPACE, clock, append("- fact"))).toBe(true);
    expect(await disk.read(FILE)).toEqual(new TextEncoder().encode(`${before}- fact\n`));
  });

  test("is waited for while somebody writes it, and what they wrote meanwhile is what is changed", async () => {
    const { disk, clock, writer } = await memory("half", 300);
    const work = rewriteMemory(writer, WORKSPACE, clock, append("- fact"));
    await clock.advance(500);
    expect(disk.files()[FILE]).toBe("half");
    disk.writeInPlace(FILE, "half and whole\n");
    await clock.advance(950);
    expect(disk.files()[FILE]).toBe("half and whole\n");
    expect(await whileTimePasses(clock, 200, work)).toBe(true);
    expect(disk.files()[FILE]).toBe("half and whole\n- fact\n");
  });

  test("of a save that comes while it is rewritten, the rest is waited for", async () => {
    const { disk, clock, writer } = await memory("base\n", 5000);
    let saved = false;
    disk.before((operation, path) => {
      if (saved || operation !== "sync" || !path.startsWith("/w/.memory.md")) return;
      saved = true;
      disk.writeInPlace(FILE, "ba");
    });
    const work = rewriteMemory(writer, WORKSPACE, clock, append("- fact"));
    await clock.advance(100);
    expect(disk.files()[FILE]).toBe("ba");
    disk.writeInPlace(FILE, "base, edited\n");
    expect(await whileTimePasses(clock, 1200, work)).toBe(true);
    expect(disk.files()[FILE]).toBe("base, edited\n- fact\n");
  });

  test("takes change after change without a wait when nobody else wrote it", async () => {
    const { disk, clock, writer } = await memory("", 1000);
    for (const line of ["a", "b", "c"]) await rewriteMemory(writer, WORKSPACE, clock, append(line));
    expect(disk.files()[FILE]).toBe("a\nb\nc\n");
  });

  test("is made when it is not there, and has not been for a second", async () => {
    const { disk, clock, writer } = await memory(undefined, 0);
    const work = rewriteMemory(writer, WORKSPACE, clock, append("- fact"));
    await clock.advance(500);
    expect(Object.keys(disk.files())).toEqual([]);
    expect(await whileTimePasses(clock, 600, work)).toBe(true);
    expect(disk.files()[FILE]).toBe("- fact\n");
  });

  test("an editor that deletes it and makes it again is not met half way", async () => {
    const { disk, clock, writer } = await memory("base\n", 5000);
    await disk.unlink(FILE);
    const work = rewriteMemory(writer, WORKSPACE, clock, append("- fact"));
    await clock.advance(300);
    disk.writeInPlace(FILE, "base, edited\n");
    expect(await whileTimePasses(clock, 1200, work)).toBe(true);
    expect(disk.files()[FILE]).toBe("base, edited\n- fact\n");
  });

  test.each([undefined, "base\n"])("is left alone when the change is %o", async (next) => {
    const { disk, clock, writer } = await memory("base\n", 1000);
    const ino = (await disk.stat(FILE))?.ino;
    expect(await rewriteMemory(writer, WORKSPACE, clock, () => next)).toBe(false);
    expect((await disk.stat(FILE))?.ino).toBe(ino);
  });

  test("that never rests is left to who writes it", async () => {
    const { disk, clock, writer } = await memory("0\n", 0);
    const work = rewriteMemory(writer, WORKSPACE, clock, append("- fact"));
    work.catch(() => undefined);
    for (let n = 1; n <= 40; n++) {
      disk.writeInPlace(FILE, `${n}\n`);
      await clock.advance(500);
    }
    await expect(work).rejects.toMatchObject({ code: "file_contended" });
    expect(disk.files()[FILE]).toBe("40\n");
  });

  test("with a time far ahead, or from a disk with another clock, is no longer waited for than any other", async () => {
    const { disk, clock, writer } = await memory("base\n", 0);
    clock.set(epochMs(Date.parse("2020-01-01T00:00:00Z")));
    expect(await rewriteMemory(writer, WORKSPACE, clock, append("- fact"))).toBe(true);
    expect(disk.files()[FILE]).toBe("base\n- fact\n");
  });

  test.each([
    ["other bytes", Buffer.from([0x66, 0xff, 0xfe, 0x0a])],
    ["UTF-16", Buffer.from("fact\n", "utf16le")],
  ])("that is no text, but %s, is left as it is, with a copy for a person", async (_what, bytes) => {
    const root = tempDir();
    fs.writeFileSync(`${root}/memory.md`, bytes);
    fs.utimesSync(`${root}/memory.md`, 1, 1);
    const writer = { ...pressOn(nodeDisk), locks: fileLocks };
    const work = rewriteMemory(writer, { root }, systemClock(), append("- fact"));
    await expect(work).rejects.toMatchObject({ code: "file_unreadable" });
    expect(fs.readFileSync(`${root}/memory.md`)).toEqual(bytes);
    const [copy = ""] = fs.readdirSync(`${root}/conflicts`);
    expect(fs.readFileSync(`${root}/conflicts/${copy}`)).toEqual(bytes);
  });

  test("two changes at once both count", async () => {
    const { disk, clock, writer } = await memory("", 1000);
    const shared = { ...writer, locks: memoryLocks() };
    await Promise.all(["a", "b", "c"].map((line) => rewriteMemory(shared, WORKSPACE, clock, append(line))));
    expect((disk.files()[FILE] ?? "").split("\n").sort()).toEqual(["", "a", "b", "c"]);
  });
});
