/** Thread of the watchdog: waits for beats, and says once when they stay away. */
import fs from "node:fs";
import { workerData } from "node:worker_threads";
import { openPlain } from "./files.js";
import { BEAT_MS, Shared, type Watched } from "./watchdog.js";

/** As the log numbers it. */
const WARN = 40;

/** A look that takes longer was none: all of the process was stopped, or the machine asleep. */
const LONGEST_LOOK_MS = 3 * BEAT_MS;

const { shared, heldMs, file, offsetMs } = workerData as Watched;
const { beats, begun, held } = new Shared(shared);

// Ended from outside, as everything is in a thread.
for (let seen = -1, waitedMs = 0; ;) {
  const fromMs = performance.now();
  Atomics.wait(beats, 0, seen, BEAT_MS);
  const tookMs = performance.now() - fromMs;
  const now = Atomics.load(beats, 0);
  waitedMs = now !== seen || tookMs > LONGEST_LOOK_MS ? 0 : waitedMs + tookMs;
  seen = now;
  if (waitedMs < heldMs) continue;
  const doing = begun.get() || "nothing yet";
  held.set(doing);
  write({ event: "loop_held", ms: Math.round(waitedMs), doing });
  Atomics.wait(beats, 0, seen);
}

/** The log is the loop's, which stands still: a whole line at its end disturbs nothing. */
function write(event: object): void {
  try {
    const time = new Date(Date.now() + offsetMs).toISOString();
    const fd = openPlain(file, fs.constants.O_WRONLY | fs.constants.O_APPEND | fs.constants.O_CREAT);
    fs.writeSync(fd, `${JSON.stringify({ level: WARN, time, ...event })}\n`);
    fs.closeSync(fd);
  } catch {
    // A full disk, or no folder any more: a log that cannot be written never stops the work.
  }
}
