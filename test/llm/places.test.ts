/** Pools that share places, with workers that answer when they are told to. */
import { expect, test } from "vitest";
import { Places } from "../../src/llm/places.js";
import { createPool, type Pool } from "../../src/llm/pool.js";
import { systemClock } from "../../src/platform/clock.js";
import type { Child, ChildEnd } from "../../src/platform/spawn.js";
import { aJob, settingsWith } from "./given.js";

const DONE = JSON.stringify({
  outcome: { to: "done", usage: [], result: { kind: "summary", id: "x", by: "builtin", sections: [] } },
});

interface Rig {
  pool: Pool;
  /** The workers that have a job, each ended by answering it. */
  working: (() => void)[];
}

function rigOf(places: Places, most = 4): Rig {
  const working: (() => void)[] = [];
  const pool = createPool({
    clock: systemClock(),
    settings: settingsWith({ worker: { max_processes: most } }),
    environment: {},
    entry: "",
    promptFolders: [],
    places,
    spawn: ({ onLine }): Child => {
      let end: (ended: ChildEnd) => void = () => undefined;
      const ended = new Promise<ChildEnd>((resolve) => (end = resolve));
      const gone: ChildEnd = { code: 0, overflowed: false };
      return {
        pid: 1,
        send: () => void working.push(() => onLine(DONE)),
        killGroup: () => {
          end(gone);
          return ended;
        },
        stderrTail: () => "",
        ended,
      };
    },
  });
  return { pool, working };
}

const breathe = (): Promise<void> => new Promise((done) => setImmediate(done));

test("there are so many workers in all, and who waits gets the next one", async () => {
  const places = new Places(2);
  const [one, other] = [rigOf(places), rigOf(places)];
  const many = Array.from({ length: 6 }, () => one.pool.run(aJob));
  const single = other.pool.run(aJob);
  expect([one.pool.counts().processes, other.pool.counts().processes]).toEqual([2, 0]);
  one.working.shift()?.();
  await breathe();
  // Before the five that were asked for earlier.
  expect([one.pool.counts().processes, other.pool.counts().processes]).toEqual([1, 1]);
  other.working.shift()?.();
  await single;
  for (let left = 6; left > 0; left--) {
    await breathe();
    expect(one.pool.counts().processes + other.pool.counts().processes).toBeLessThanOrEqual(2);
    one.working.shift()?.();
  }
  expect((await Promise.all(many)).map(({ to }) => to)).toEqual(Array.from({ length: 6 }, () => "done"));
});

test("a worker that is kept for later makes room", async () => {
  const places = new Places(1);
  const [one, other] = [rigOf(places), rigOf(places)];
  const first = one.pool.run(aJob);
  one.working.shift()?.();
  await first;
  expect(one.pool.counts().processes).toBe(1);
  const second = other.pool.run(aJob);
  await breathe();
  expect([one.pool.counts().processes, other.pool.counts().processes]).toEqual([0, 1]);
  other.working.shift()?.();
  expect((await second).to).toBe("done");
});

test("a pool that is closed, or whose job was called off while it waited, holds up nobody", async () => {
  const places = new Places(1);
  const [one, off, closed, last] = [rigOf(places), rigOf(places), rigOf(places), rigOf(places)];
  const first = one.pool.run(aJob);
  const calling = new AbortController();
  const calledOff = off.pool.run(aJob, calling.signal);
  const given = closed.pool.run(aJob);
  const waiting = last.pool.run(aJob);
  calling.abort();
  await closed.pool.close();
  expect([(await calledOff).to, (await given).to]).toEqual(["unavailable", "unavailable"]);
  await one.pool.close();
  expect((await first).to).toBe("unavailable");
  await breathe();
  last.working.shift()?.();
  expect((await waiting).to).toBe("done");
});
