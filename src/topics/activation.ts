/**
 * Which topics are asked each turn: who wakes and who goes to sleep, and who is woken
 * because somebody misses what they told before.
 *
 * Pure. The more are active, the more it takes to wake and to stay awake. One
 * topic goes at a time and the thresholds are looked at again, so that whoever
 * goes to sleep would not be woken in the same breath, and the other way round.
 */
import type { TopicId } from "../model/topic.js";
import { foldText } from "../text/fold.js";

/** Of the last scores, the newest first (seed 003: five rounds). */
export const SCORE_WEIGHTS = [5, 4, 3, 2, 1] as const;

export interface ActivationBounds {
  /** So many of the best stay awake, whatever their scores. */
  least: number;
  target: number;
  most: number;
}

export interface Ranked {
  id: TopicId;
  isActive: boolean;
  /** 0–1, the newest first. */
  scores: readonly number[];
}

interface Activation {
  wakes: TopicId[];
  sleeps: TopicId[];
}

/** Of what is there; 0 for a topic that was never scored. */
export function averageOf(scores: readonly number[]): number {
  const weights: readonly number[] = SCORE_WEIGHTS.slice(0, scores.length);
  const sum = weights.reduce((whole, weight, at) => whole + weight * (scores[at] ?? 0), 0);
  return sum / (weights.reduce((whole, weight) => whole + weight, 0) || 1);
}

/** What a topic must reach to be woken, or to be shown, where so many are active. */
export function minimumFor(active: number): number {
  return 0.2 + 0.03 * active;
}

/** Below it a topic goes to sleep. */
export function sleepBelow(active: number): number {
  return minimumFor(active) / 2;
}

/** How far down the ranking topics may be woken. */
export function takenFor(active: number, { least, target, most }: ActivationBounds): number {
  return Math.min(most, Math.max(least, Math.round(target + (target - active) / 2)));
}

/** `isRelaxed`: somebody asks for what may have been forgotten, and half is enough to be woken. */
export function activationOf(
  topics: readonly Ranked[],
  bounds: ActivationBounds,
  isRelaxed = false,
): Activation {
  const ranking = topics
    .map(({ id, isActive, scores }) => ({ id, isActive, average: averageOf(scores) }))
    .sort((one, other) => other.average - one.average || (one.id < other.id ? -1 : 1));
  const awake = ranking.filter(({ isActive }) => isActive);
  const sleeps: TopicId[] = [];
  for (let last = awake.at(-1); last !== undefined && awake.length > bounds.least; last = awake.at(-1)) {
    if (awake.length <= bounds.most && last.average >= sleepBelow(awake.length)) break;
    sleeps.push(last.id);
    awake.pop();
  }
  const wakes: TopicId[] = [];
  let active = awake.length;
  for (const { id, isActive, average } of ranking.slice(0, takenFor(active, bounds))) {
    if (isActive) continue;
    if (active >= bounds.most || average < minimumFor(active) / (isRelaxed ? 2 : 1)) break;
    wakes.push(id);
    active += 1;
  }
  return { wakes, sleeps };
}

/** Whatever the case and the shape of its letters. */
export function isReminder(text: string, signs: readonly string[]): boolean {
  const said = plain(text);
  return signs.some((sign) => {
    const wanted = plain(sign);
    // A sign in letters is words, not a part of one.
    return /\p{Script=Han}/u.test(wanted)
      ? said.includes(wanted)
      : new RegExp(`(?<![\\p{L}\\p{N}])${escaped(wanted)}(?![\\p{L}\\p{N}])`, "u").test(said);
  });
}

function plain(text: string): string {
  return foldText(text).toLowerCase().replaceAll("’", "'").replace(/\s+/g, " ");
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
