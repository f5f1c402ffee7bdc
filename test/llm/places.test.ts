/** Pools that share places, with workers that answer when they are told to. */
import { beforeEach, expect, test } from "vitest";
import { Places } from "../../src/llm/places.js";
import { createPool, type Pool } from "../../src/llm/pool.js";
import { systemClock } from "../../src/platform/clock.js";
import type { Child, ChildEnd } from "../../src/platform/spawn.js";
import { aJob, settingsWith } from "./given.js";

const DONE = JSON.stringify({
  outcome: { to: "done", usage: [], result: { kind: "summary", id: "x", by: "builtin", sections: [] } },
});

/** The workers that have a job, each ended by answering it. */
let working: (() => void)[] = [];
let spawned = 0;

beforeEach(() => {
  [working, spawned] = [[], 0];
});

function poolOf(places: Places, entry = "worker.js"): Pool {
  return createPool({
    clock: systemClock(),
    settings: settingsWith({ worker: { max_processes: 4 } }),
    environment: {},
    entry,
    promptFolders: [],
    places,
    spawn: ({ onLine }): Child => {
      spawned += 1;
      let end: (ended: ChildEnd) => void = () => undefined;
      const ended = new Promise<ChildEnd>((resolve) => (end = resolve));
      return {
        pid: 1,
        send: () => void working.push(() => onLine(DONE)),
        killGroup: () => {
          end({ code: 0, overflowed: false });
          return ended;
        },
        stderrTail: () => "",
        ended,
      };
    },
  });
}

const processes = (...pools: Pool[]): number[] => pools.map((pool) => pool.counts().processes);

const breathe = (): Promise<void> => new Promise((done) => setImmediate(done));

test("there are so many workers in all, and who waits gets the next one", async () => {
  const places = new Places(2);
  const [one, other] = [poolOf(places), poolOf(places)];
  const many = Array.from({ length: 6 }, () => one.run(aJob));
  const single = other.run(aJob);
  expect(processes(one, other)).toEqual([2, 0]);
  working.shift()?.();
  await breathe();
  // Before the five that were asked for earlier.
  expect(processes(one, other)).toEqual([1, 1]);
  for (let left = 6; left > 0; left--) {
    await breathe();
    expect(working.length).toBeLessThanOrEqual(2);
    working.shift()?.();
  }
  const ended = await Promise.all([single, ...many]);
  expect(ended.map(({ to }) => to)).toEqual(Array.from({ length: 7 }, () => "done"));
  // What one has done with goes on to the other.
  expect(spawned).toBe(2);
});

test("a worker that is kept for later goes on to who waits; one that was started otherwise makes room", async () => {
  const places = new Places(1);
  const [one, other, third] = [poolOf(places), poolOf(places), poolOf(places, "another.js")];
  for (const [pool, expected] of [
    [one, 1],
    [other, 1],
    [third, 2],
    [one, 3],
  ] as const) {
    const asked = pool.run(aJob);
    await breathe();
    working.shift()?.();
    expect((await asked).to).toBe("done");
    expect([spawned, pool.counts().processes]).toEqual([expected, 1]);
  }
  expect(processes(one, other, third)).toEqual([1, 0, 0]);
});

test("a pool that is closed, or whose job was called off while it waited, holds up nobody", async () => {
  const places = new Places(1);
  const [one, off, closed, last] = [poolOf(places), poolOf(places), poolOf(places), poolOf(places)];
  const first = one.run(aJob);
  const calling = new AbortController();
  const calledOff = off.run(aJob, calling.signal);
  const given = closed.run(aJob);
  const waiting = last.run(aJob);
  calling.abort();
  await closed.close();
  expect([(await calledOff).to, (await given).to]).toEqual(["unavailable", "unavailable"]);
  working.pop();
  await one.close();
  expect((await first).to).toBe("unavailable");
  await breathe();
  working.shift()?.();
  expect((await waiting).to).toBe("done");
});
