import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { fileLocks, type Locks } from "../../src/platform/lock.js";
import { tempDir } from "../support/temp-dir.js";
import { otherProcess } from "./other-process.js";
import { memoryLocks } from "../support/memory-locks.js";

test.each<[string, () => Locks]>([
  ["of files", () => fileLocks],
  ["in memory", memoryLocks],
])("locks %s let one at a time through, and give back what the work gave", async (_name, start) => {
  const locks = start();
  const file = `${tempDir()}/history.json`;
  let inside = 0;
  let most = 0;
  const work = async (n: number): Promise<number> =>
    locks.withLock(file, async (lock) => {
      most = Math.max(most, ++inside);
      await new Promise((done) => setTimeout(done, 2));
      lock.assertHeld();
      inside--;
      return n;
    });
  expect(await Promise.all([1, 2, 3, 4, 5].map(work))).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(1);
  await expect(locks.withLock(file, () => Promise.reject(new Error("the work's own")))).rejects.toThrow(
    "the work's own",
  );
  expect(await work(6)).toBe(6);
});

test("locks of two files have nothing to do with each other", async () => {
  const dir = tempDir();
  const both = fileLocks.withLock(`${dir}/a`, () => fileLocks.withLock(`${dir}/b`, async () => "both"));
  expect(await both).toBe("both");
  expect(fs.readdirSync(dir)).toEqual([]);
});

test("two processes keep one another out", async () => {
  const file = `${tempDir()}/history.json`;
  const other = await otherProcess();
  expect(await other.ask(`lock ${file}`)).toBe("locked");
  let mine = false;
  const work = fileLocks.withLock(file, async () => {
    mine = true;
  });
  await new Promise((done) => setTimeout(done, 100));
  expect(mine).toBe(false);
  other.tell("unlock");
  await work;
  expect(await other.next()).toBe("unlocked");
  expect(mine).toBe(true);
});

test("the lock of a killed process is broken once it has not shown itself for a while", async () => {
  const file = `${tempDir()}/history.json`;
  const other = await otherProcess();
  expect(await other.ask(`lock ${file}`)).toBe("locked");
  await other.kill();
  expect(fs.existsSync(`${file}.lock`)).toBe(true);
  const longAgo = new Date(Date.now() - 60_000);
  fs.utimesSync(`${file}.lock`, longAgo, longAgo);
  expect(await fileLocks.withLock(file, async () => "mine now")).toBe("mine now");
});

test("a holder whose lock was broken is told, and does not take it from the next one", async () => {
  const file = `${tempDir()}/history.json`;
  let told: unknown;
  await fileLocks.withLock(file, async (lock) => {
    fs.rmdirSync(`${file}.lock`);
    fs.mkdirSync(`${file}.lock`);
    // Made in the same millisecond it could not be told from ours.
    const theirs = new Date(Date.now() - 1500);
    fs.utimesSync(`${file}.lock`, theirs, theirs);
    for (let tries = 0; tries < 100 && told === undefined; tries++) {
      await new Promise((done) => setTimeout(done, 50));
      try {
        lock.assertHeld();
      } catch (error) {
        told = error;
      }
    }
  });
  expect(told).toMatchObject({ code: "lock_lost" });
  expect(fs.existsSync(`${file}.lock`)).toBe(true);
});

test("a folder that is not there is a fault of the disk, not another program's lock", async () => {
  await expect(fileLocks.withLock(`${tempDir()}/none/file`, async () => 1)).rejects.toMatchObject({
    code: "disk_fault",
  });
});

test("a holder that stood still while others broke its lock and took it is told at once", async () => {
  const file = `${tempDir()}/history.json`;
  let told: unknown;
  await fileLocks.withLock(file, async (lock) => {
    fs.rmdirSync(`${file}.lock`);
    fs.mkdirSync(`${file}.lock`);
    const theirs = new Date(Date.now() - 1500);
    fs.utimesSync(`${file}.lock`, theirs, theirs);
    try {
      lock.assertHeld();
    } catch (error) {
      told = error;
    }
  });
  expect(told).toMatchObject({ code: "lock_lost" });
  expect(fs.existsSync(`${file}.lock`)).toBe(true);
});

test("a lock that another one made in the same millisecond is not taken for one's own", async () => {
  const file = `${tempDir()}/history.json`;
  for (const lockBefore of [false, true]) {
    // The first lock of a process shows another time than those after it.
    if (lockBefore) await fileLocks.withLock(file, async () => undefined);
    let told: unknown;
    await fileLocks.withLock(file, async (lock) => {
      lock.assertHeld();
      const { mtime } = fs.statSync(`${file}.lock`);
      fs.rmdirSync(`${file}.lock`);
      fs.mkdirSync(`${file}.lock`);
      fs.utimesSync(`${file}.lock`, mtime, mtime);
      try {
        lock.assertHeld();
      } catch (error) {
        told = error;
      }
    });
    expect(told).toMatchObject({ code: "lock_lost" });
    fs.rmdirSync(`${file}.lock`);
  }
});

test("of two that find a lock old, the slower one leaves the new lock of the quicker one alone", async () => {
  const file = `${tempDir()}/history.json`;
  fs.mkdirSync(`${file}.lock`);
  const longAgo = new Date(Date.now() - 60_000);
  fs.utimesSync(`${file}.lock`, longAgo, longAgo);
  const mkdir = fs.mkdirSync;
  onTestFinished(() => void (fs.mkdirSync = mkdir));
  const order: string[] = [];
  // The quicker one comes right after the slower one's look.
  fs.mkdirSync = ((dir: string) => {
    fs.mkdirSync = mkdir;
    fs.rmdirSync(`${file}.lock`);
    mkdir(`${file}.lock`);
    setTimeout(() => {
      order.push("quicker one lets go");
      fs.rmdirSync(`${file}.lock`);
    }, 300);
    return mkdir(dir);
  }) as typeof fs.mkdirSync;
  await fileLocks.withLock(file, async () => void order.push("slower one has it"));
  expect(order).toEqual(["quicker one lets go", "slower one has it"]);
  expect(fs.readdirSync(path.dirname(file))).toEqual([]);
});

test("old locks are broken by one at a time, and one that died breaking does not stop the others", async () => {
  const file = `${tempDir()}/history.json`;
  const longAgo = new Date(Date.now() - 60_000);
  for (const left of [`${file}.lock`, `${file}.lock.break`]) fs.mkdirSync(left);
  fs.utimesSync(`${file}.lock`, longAgo, longAgo);
  let mine = false;
  const work = fileLocks.withLock(file, async () => void (mine = true));
  await new Promise((done) => setTimeout(done, 200));
  expect(mine).toBe(false);
  fs.utimesSync(`${file}.lock.break`, longAgo, longAgo);
  await work;
  expect(mine).toBe(true);
  expect(fs.readdirSync(path.dirname(file))).toEqual([]);
});

test("on a file system that keeps whole seconds a lock is its holder's all the same", async () => {
  const file = `${tempDir()}/history.json`;
  const { utimes } = fs;
  const floored = vi.spyOn(fs, "utimes").mockImplementation((lock, _atime, mtime, done) => {
    const whole = Math.floor(Number(mtime));
    utimes(lock, whole, whole, done);
  });
  onTestFinished(() => floored.mockRestore());
  for (let time = 1; time <= 2; time++)
    await fileLocks.withLock(file, async (lock) => {
      expect(Number.isInteger(fs.statSync(`${file}.lock`).mtimeMs)).toBe(true);
      lock.assertHeld();
      // Long enough for the lock to be shown anew.
      await new Promise((later) => setTimeout(later, 1300));
      lock.assertHeld();
    });
  expect(fs.existsSync(`${file}.lock`)).toBe(false);
});
