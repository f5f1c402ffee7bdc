import { describe, expect, test } from "vitest";
import { epochMs } from "../../src/model/time.js";
import { pacer, systemClock } from "../../src/platform/clock.js";
import { handClock } from "../support/hand-clock.js";

const start = epochMs(1_000_000);

describe("a clock driven by hand", () => {
  test("stands still until it is moved", async () => {
    const clock = handClock(start);
    let fired = false;
    clock.after(0, () => (fired = true));
    await clock.breathe();
    expect([clock.now(), clock.monotonicMs(), fired]).toEqual([start, 0, false]);
    await clock.advance(0);
    expect(fired).toBe(true);
  });

  test("fires what is due in order of time, then of setting, each at its own moment", async () => {
    const clock = handClock(start);
    const fired: [string, number][] = [];
    const note = (name: string) => () => void fired.push([name, clock.now() - start]);
    clock.after(30, note("late"));
    clock.after(10, note("first"));
    clock.after(10, note("second"));
    clock.after(-5, note("at once"));
    clock.after(99, note("not yet"));
    await clock.advance(30);
    expect(fired).toEqual([
      ["at once", 0],
      ["first", 10],
      ["second", 10],
      ["late", 30],
    ]);
    expect(clock.now()).toBe(start + 30);
  });

  test("lets what a timer began set timers of its own, which fire in the same move", async () => {
    const clock = handClock(start);
    const fired: number[] = [];
    void (async () => {
      for (let n = 0; n < 3; n++) {
        await clock.sleep(10);
        fired.push(clock.monotonicMs());
      }
    })();
    await clock.advance(25);
    expect(fired).toEqual([10, 20]);
    await clock.advance(5);
    expect(fired).toEqual([10, 20, 30]);
  });

  test("forgets what was cancelled, and what others fired cancels", async () => {
    const clock = handClock(start);
    const fired: string[] = [];
    const other = clock.after(20, () => fired.push("other"));
    clock.after(10, () => other.cancel());
    clock.after(5, () => fired.push("mine")).cancel();
    await clock.advance(100);
    expect(fired).toEqual([]);
  });

  test("can be set without moving durations, as a person sets a clock", async () => {
    const clock = handClock(start);
    let fired = 0;
    clock.after(50, () => fired++);
    clock.set(epochMs(5));
    expect([clock.now(), clock.monotonicMs()]).toEqual([5, 0]);
    await clock.advance(50);
    expect([clock.now(), fired]).toEqual([55, 1]);
  });
});

describe("the machine's clock", () => {
  test("can begin elsewhere and runs on from there", async () => {
    const clock = systemClock(epochMs(Date.parse("2040-01-01T00:00:00Z")));
    const before = clock.now();
    await clock.sleep(5);
    expect(clock.now()).toBeGreaterThanOrEqual(before + 4);
    expect(new Date(clock.now()).getUTCFullYear()).toBe(2040);
  });

  test("a timer for next year does not fire at once, and can be cancelled", async () => {
    const clock = systemClock();
    let fired = false;
    const timer = clock.after(365 * 24 * 3600 * 1000, () => (fired = true));
    await clock.sleep(10);
    timer.cancel();
    expect(fired).toBe(false);
  });
});

test("long work gives way only when its time is up", async () => {
  const clock = handClock(start);
  const pace = pacer(clock, 8);
  expect(pace()).toBeUndefined();
  await clock.advance(9);
  const rest = pace();
  expect(rest).toBeInstanceOf(Promise);
  await rest;
  expect(pace()).toBeUndefined();
});
