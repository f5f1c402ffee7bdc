/**
 * A process that counts up in a file, under its lock, as often as it is let: one
 * line of what it wrote into the ledger for each, before it lets the lock go.
 */
import fs from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { isMemdError } from "../../../src/model/errors.js";
import { fileLocks, type HeldLock } from "../../../src/platform/lock.js";
import type { BeforeCall } from "./slow-calls.js";

const [file = "", ledger = "", slow = ""] = process.argv.slice(2);
const ledgerFile = fs.openSync(ledger, "a");
const hooks = (globalThis as { memdSlowCalls?: { before: BeforeCall } }).memdSlowCalls!;
/** A gap between looking at a lock and breaking it, and how often. */
const SLOW_MS = 6;
const SLOW_SHARE = 0.5;
const LONGEST_WORK_MS = 3;

// The calls that take, look at and break a lock, and none of this file's own.
hooks.before = (name, target) => {
  if (slow === "slow" && target.includes(".lock") && !name.startsWith("utimes") && Math.random() < SLOW_SHARE)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * SLOW_MS);
};

/** Stands while this process holds the lock and has yet to look whether it still does. */
const mark = `${file}.holds.${process.pid}`;
process.stdin.on("end", () => process.exit(0)).resume();

for (;;) {
  try {
    await fileLocks.withLock(file, count);
  } catch (error) {
    // Others were luckier for ten seconds on end: it says so and may try again.
    if (!isMemdError(error, "file_contended")) throw error;
  }
  await pause(Math.random() * LONGEST_WORK_MS);
}

async function count(lock: HeldLock): Promise<void> {
  fs.writeFileSync(mark, "");
  const before = Number(fs.readFileSync(file, "utf8"));
  await pause(Math.random() * LONGEST_WORK_MS);
  fs.rmSync(mark, { force: true });
  try {
    lock.assertHeld();
  } catch {
    // Broken while this process stood still: another one counts, this one writes nothing.
    return;
  }
  fs.writeFileSync(`${file}.${process.pid}`, String(before + 1));
  fs.renameSync(`${file}.${process.pid}`, file);
  fs.writeSync(ledgerFile, `${before + 1}\n`);
}
