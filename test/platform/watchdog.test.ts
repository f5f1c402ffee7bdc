import fs from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/platform/clock.js";
import type { LogEvent } from "../../src/platform/log.js";
import { Watchdog } from "../../src/platform/watchdog.js";
import { eventually, pause } from "../support/cli.js";
import { instant } from "../support/archive-desk.js";
import { tempDir } from "../support/temp-dir.js";

function watched(): { file: string; events: LogEvent[]; watchdog: Watchdog } {
  const file = `${tempDir()}/memd.jsonl`;
  const events: LogEvent[] = [];
  const watchdog = new Watchdog();
  watchdog.watch(file, systemClock(instant("2026-02-20T12:00:00Z")), {
    write: (event) => events.push(event),
  });
  onTestFinished(() => watchdog.stop());
  return { file, events, watchdog };
}

/** Nothing of this process goes on but the thread. */
function holdUp(isOver: () => boolean, atMostMs: number): void {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  for (let waitedMs = 0; !isOver() && waitedMs < atMostMs; waitedMs += 50) Atomics.wait(cell, 0, 0, 50);
}

function linesOf(file: string): unknown[] {
  const text = fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim() : "";
  return text.split("\n").map((line) => JSON.parse(line) as unknown);
}

test("what holds the loop up is told while it does, by what was begun last, and once it is over", async () => {
  const { file, events, watchdog } = watched();
  watchdog.doing("intake");
  await pause(1500);
  watchdog.doing("历史 of everything, at such a length that it is cut somewhere in the middle of it");
  watchdog.doing("index and prompts");
  holdUp(() => fs.existsSync(file) && fs.statSync(file).size > 0, 30_000);
  // Not a turn of the loop has passed.
  expect(events).toEqual([]);
  expect(linesOf(file)).toEqual([
    {
      level: 40,
      time: expect.stringMatching(/^2026-02-20T12:00:\d\d\.\d{3}Z$/),
      event: "loop_held",
      ms: 2500,
      doing: "index and prompts",
    },
  ]);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  watchdog.doing("something else");
  await eventually("it is told to be over", () => events.length > 0);
  expect(events).toMatchObject([{ event: "loop_free", doing: "index and prompts" }]);
  expect(events[0]?.["ms"]).toBeGreaterThan(2500);
});

test("a log through a link is not written", async () => {
  const { file, events } = watched();
  const outside = `${tempDir()}/outside`;
  fs.writeFileSync(outside, "");
  fs.symlinkSync(outside, file);
  await pause(1000);
  let heldUntil = 0;
  holdUp(() => ++heldUntil > 100, 30_000);
  await eventually("it is told to be over", () => events.length > 0);
  expect(fs.readFileSync(outside, "utf8")).toBe("");
});
