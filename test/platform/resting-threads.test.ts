import { expect, test } from "vitest";
import { RestingThreads } from "../../src/platform/resting-threads.js";
import type { Thread } from "../../src/platform/thread.js";

const RESTS_AFTER_MS = 20;

/** What happened to two of them, in order; what they are asked is answered once `free` is called, or at once. */
function pair(restsAfterMs = RESTS_AFTER_MS): {
  threads: RestingThreads<"first" | "second">;
  told: string[];
  hold: () => () => void;
  die: () => void;
} {
  const told: string[] = [];
  let held: Promise<void> | undefined;
  let isDead = false;
  const begin = (name: string) => (): Thread => {
    told.push(`${name} begins`);
    return {
      ask: async (message) => {
        if (isDead) throw new Error("The thread has ended.");
        await held;
        told.push(`${name} ${String(message)}`);
        return `${String(message)}!`;
      },
      isAlive: () => !isDead,
      end: async () => void told.push(`${name} ends`),
    };
  };
  const threads = new RestingThreads(
    {
      first: { begin: begin("first"), closing: "closes" },
      second: { begin: begin("second"), closing: "closes" },
    },
    restsAfterMs,
  );
  const hold = (): (() => void) => {
    let free = (): void => undefined;
    held = new Promise((resolve) => {
      free = () => {
        held = undefined;
        resolve();
      };
    });
    return free;
  };
  return { threads, told, hold, die: () => (isDead = true) };
}

test("each begins when it is asked, they end together and in order, and begin anew for who asks next", async () => {
  const { threads, told } = pair();
  expect(await threads.ask("second", "one")).toBe("one!");
  expect(told).toEqual(["second begins", "second one"]);
  await threads.ask("first", "two");
  await expect.poll(() => told.at(-1)).toBe("second ends");
  expect(told.slice(4)).toEqual(["first closes", "first ends", "second closes", "second ends"]);
  expect(threads.isRunning("second")).toBe(false);
  expect(threads.isAlive()).toBe(true);
  expect(await threads.ask("second", "three")).toBe("three!");
  expect(told.slice(8)).toEqual(["second begins", "second three"]);
  await threads.close();
});

test("while somebody waits for one none ends, and who asks while they end waits for that", async () => {
  const { threads, told, hold } = pair();
  await threads.ask("first", "one");
  const free = hold();
  const waits = threads.ask("second", "two");
  await new Promise((done) => setTimeout(done, 5 * RESTS_AFTER_MS));
  expect(told).toEqual(["first begins", "first one", "second begins"]);
  free();
  await waits;
  const closing = hold();
  await new Promise((done) => setTimeout(done, 5 * RESTS_AFTER_MS));
  const asked = threads.ask("first", "three");
  closing();
  await asked;
  expect(told.slice(4)).toEqual([
    "first closes",
    "first ends",
    "second closes",
    "second ends",
    "first begins",
    "first three",
  ]);
  await threads.close();
});

test("one that died is told of, and once all are closed nobody is answered", async () => {
  const { threads, die } = pair(60_000);
  await threads.ask("first", "one");
  die();
  expect(threads.isAlive()).toBe(false);
  await expect(threads.ask("first", "two")).rejects.toThrow("has ended");
  await threads.close();
  const closed = pair(60_000);
  await closed.threads.close();
  await expect(closed.threads.ask("first", "one")).rejects.toThrow("has ended");
  expect(closed.told).toEqual([]);
});

test("closed while somebody asks, none is left running", async () => {
  const atRest = pair();
  await atRest.threads.ask("first", "one");
  await expect.poll(() => atRest.told.at(-1)).toBe("first ends");
  const late = atRest.threads.ask("first", "two");
  const closing = atRest.threads.close();
  await expect(late).rejects.toThrow("has ended");
  await closing;
  expect(atRest.told).toEqual(["first begins", "first one", "first closes", "first ends"]);

  const ending = pair();
  await ending.threads.ask("first", "one");
  const free = ending.hold();
  await new Promise((done) => setTimeout(done, 5 * RESTS_AFTER_MS));
  const waits = ending.threads.ask("first", "two");
  const closes = ending.threads.close();
  free();
  await expect(waits).rejects.toThrow("has ended");
  await closes;
  expect(ending.told).toEqual(["first begins", "first one", "first closes", "first ends"]);
});
