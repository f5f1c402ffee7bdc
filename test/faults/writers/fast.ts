/**
 * A world in which everything takes a twentieth of the time: memd's clock and
 * the times of the files on its disk both run that much faster, so that a second
 * of rest is fifty milliseconds and a minute three seconds.
 */
import { epochMs, type EpochMs } from "../../../src/model/time.js";
import type { Clock } from "../../../src/platform/clock.js";
import type { Disk, FileStat, OpenFile } from "../../../src/platform/disk.js";

const SPEED = 20;

export function fastClock(start: EpochMs): Clock {
  const startedMs = Date.now();
  const after = (ms: number, run: () => void): { cancel: () => void } => {
    const handle = setTimeout(run, Math.min(ms / SPEED, 2 ** 31 - 1));
    return { cancel: () => clearTimeout(handle) };
  };
  return {
    now: () => epochMs(start + (Date.now() - startedMs) * SPEED),
    monotonicMs: () => performance.now() * SPEED,
    after,
    sleep: (ms) => new Promise((done) => void after(ms, done)),
    breathe: () => new Promise((done) => setImmediate(done)),
  };
}

/** The same files with times that fit that clock. */
export function fastDisk(disk: Disk): Disk {
  const startedMs = Date.now();
  const fast = (ms: number): number => startedMs + (ms - startedMs) * SPEED;
  const timed = <T extends FileStat | undefined>(stat: T): T =>
    stat === undefined ? stat : { ...stat, mtimeMs: fast(stat.mtimeMs), ctimeMs: fast(stat.ctimeMs) };
  return {
    ...disk,
    stat: async (path) => timed(await disk.stat(path)),
    create: async (path) => {
      const out = await disk.create(path);
      return out === undefined ? undefined : opened(out, timed);
    },
  };
}

function opened(out: OpenFile, timed: (stat: FileStat) => FileStat): OpenFile {
  return {
    write: (bytes) => out.write(bytes),
    sync: () => out.sync(),
    datasync: () => out.datasync(),
    truncate: (size) => out.truncate(size),
    stat: async () => timed(await out.stat()),
    close: () => out.close(),
  };
}
