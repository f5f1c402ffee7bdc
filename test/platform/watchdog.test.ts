import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/platform/clock.js";
import type { LogEvent } from "../../src/platform/log.js";
import { packageRoot } from "../../src/platform/package-root.js";
import { Watchdog } from "../../src/platform/watchdog.js";
import { childThatWaits } from "../support/child-that-waits.js";
import { eventually, pause } from "../support/cli.js";
import { instant } from "../support/archive-desk.js";
import { tempDir } from "../support/temp-dir.js";

const BUILT = pathToFileURL(path.join(packageRoot(), "dist/platform/watchdog.js")).href;

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
      ms: expect.any(Number) as number,
      doing: "index and prompts",
    },
  ]);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  watchdog.doing("something else");
  await eventually("it is told to be over", () => events.length > 0);
  expect(events).toMatchObject([{ event: "loop_free", doing: "index and prompts" }]);
  expect(events[0]?.["ms"]).toBeGreaterThan(2000);
});

test("at rest nothing is told, and again from the moment that somebody asks", async () => {
  const { file, events, watchdog } = watched();
  watchdog.rest(true);
  await pause(200);
  holdUp(() => fs.existsSync(file), 4000);
  await pause(1000);
  expect([fs.existsSync(file), events]).toEqual([false, []]);
  watchdog.rest(false);
  watchdog.rest(false);
  watchdog.doing("a question");
  await pause(1500);
  holdUp(() => fs.existsSync(file) && fs.statSync(file).size > 0, 30_000);
  await eventually("it is told to be over", () => events.length > 0);
  expect(linesOf(file)).toMatchObject([{ event: "loop_held", doing: "a question" }]);
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

test("a process that was stopped as a whole, or a machine that slept, was held up by nothing", async () => {
  const dir = tempDir();
  const { child } = childThatWaits(`
    import fs from "node:fs";
    import { Watchdog } from ${JSON.stringify(BUILT)};
    const clock = { now: () => Date.now(), monotonicMs: () => performance.now() };
    const log = { write: (event) => fs.writeFileSync("${dir}/free", event.event) };
    new Watchdog().watch("${dir}/memd.jsonl", clock, log);
    setInterval(() => fs.writeFileSync("${dir}/beats", ""), 100);
  `);
  const beats = async (): Promise<void> => {
    fs.rmSync(`${dir}/beats`, { force: true });
    await eventually("it beats", () => fs.existsSync(`${dir}/beats`));
  };
  await beats();
  await pause(1000);
  child.kill("SIGSTOP");
  await pause(4000);
  child.kill("SIGCONT");
  await beats();
  await pause(1000);
  await beats();
  expect(fs.readdirSync(dir)).toEqual(["beats"]);
});
