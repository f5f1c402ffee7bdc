/**
 * One contest for a name: all are told to take it at once; who is stopped on the
 * way sleeps until the others are through, and then goes on where it stood.
 *
 * A lock whose holder sleeps or is dead is made to look old instead of waiting
 * for it to become so.
 */
import fs from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Answer } from "./contender.js";
import type { Contender } from "./contenders.js";
import type { Mishap } from "./plan.js";

export type Outcome = Exclude<Answer, { is: "stopped" }> | { is: "gone" };

export interface Contest {
  /** In the order of the contenders. */
  outcomes: Outcome[];
  slept: boolean;
  /** When the first one said that it owns, by performance.now(). */
  ownedAt: number | undefined;
}

const LOOK_MS = 6;
/** Nobody who is awake holds the lock for so long. */
const HELD_MS = 30;
const PATIENCE_MS = 20_000;
const LONG_AGO = new Date(0);

export async function contest(
  contenders: readonly Contender[],
  socket: string,
  round: number,
  mishaps: readonly Mishap[] = [],
): Promise<Contest> {
  const asleep = new Set<Contender>();
  const through = new Set<Contender>();
  let dead = false;
  let ownedAt: number | undefined;
  const outcomes = contenders.map(async (contender, index): Promise<Outcome> => {
    const mishap = mishaps.find(({ who }) => who === index);
    contender.tell({ do: "take", socket, round, ...(mishap === undefined ? {} : { mishap }) });
    for (;;) {
      const answer = await contender.next();
      if (answer.is === "stopped") asleep.add(contender);
      else {
        dead ||= answer.is === "gone";
        if (answer.is === "owner") ownedAt ??= performance.now();
        through.add(contender);
        return answer;
      }
    }
  });
  const all = Promise.all(outcomes).then(() => true);
  const lock = lockWatch(`${socket}.lock`);
  const until = performance.now() + PATIENCE_MS;
  while (through.size + asleep.size < contenders.length) {
    if (await Promise.race([all, pause(LOOK_MS, false)])) break;
    if (asleep.size > 0 || dead) lock();
    if (performance.now() > until) throw new Error(`the contest for ${socket} does not end`);
  }
  const slept = asleep.size > 0;
  await Promise.all([...asleep].map((contender) => contender.wake()));
  // Who wakes may wait for a lock that a dead one left.
  while (!(await Promise.race([all, pause(LOOK_MS, false)]))) {
    lock();
    if (performance.now() > until) throw new Error(`the contest for ${socket} does not end`);
  }
  return { outcomes: await Promise.all(outcomes), slept, ownedAt };
}

/** Makes a lock old that has been held, unchanged, for longer than a living holder holds it. */
function lockWatch(lock: string): () => void {
  let seen: { changedMs: number; atMs: number } | undefined;
  return () => {
    const changedMs = fs.statSync(lock, { throwIfNoEntry: false })?.ctimeMs;
    if (changedMs === undefined) seen = undefined;
    else if (seen?.changedMs !== changedMs) seen = { changedMs, atMs: performance.now() };
    else if (performance.now() - seen.atMs > HELD_MS) {
      try {
        fs.utimesSync(lock, LONG_AGO, LONG_AGO);
      } catch {
        // Released at this very moment.
      }
      seen = undefined;
    }
  };
}
