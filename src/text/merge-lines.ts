/**
 * Three versions of a text become one, line by line.
 *
 * Pure. What only one side changed is taken from it. Where both added lines at
 * one place both stand, theirs first; where both changed the same lines theirs
 * stand, and `overruled` says that something of ours gave way.
 */
import { addAll } from "../model/collections.js";
export interface Merged {
  text: string;
  overruled: boolean;
}

/** Lines `from` to `to` (exclusive) of the base became `lines`. */
interface Change {
  from: number;
  to: number;
  lines: readonly string[];
}

export function mergeLines(base: string, theirs: string, ours: string): Merged {
  const lines = base.split("\n");
  const changes = { theirs: changesOf(lines, theirs.split("\n")), ours: changesOf(lines, ours.split("\n")) };
  const merged: string[] = [];
  let overruled = false;
  let at = 0;
  for (let group = nextGroup(changes); group !== undefined; group = nextGroup(changes)) {
    addAll(merged, lines.slice(at, group.from));
    const sides = {
      theirs: versionOf(lines, group.theirs, group),
      ours: versionOf(lines, group.ours, group),
    };
    const agreed = agreedOf(group, sides);
    overruled ||= agreed === undefined;
    addAll(merged, agreed ?? sides.theirs);
    at = group.to;
  }
  addAll(merged, lines.slice(at));
  return { text: merged.join("\n"), overruled };
}

interface Group {
  from: number;
  to: number;
  theirs: Change[];
  ours: Change[];
}

/** The first changes of either side that touch one another, taken off both lists. */
function nextGroup(changes: { theirs: Change[]; ours: Change[] }): Group | undefined {
  const group: Group = { from: Infinity, to: -Infinity, theirs: [], ours: [] };
  const isFirst = (change: Change, other: Change | undefined): boolean =>
    other === undefined || change.from < other.from || (change.from === other.from && change.to <= other.to);
  const take = (side: "theirs" | "ours"): void => {
    const change = changes[side].shift() as Change;
    group[side].push(change);
    group.from = Math.min(group.from, change.from);
    group.to = Math.max(group.to, change.to);
  };
  const [theirs, ours] = [changes.theirs[0], changes.ours[0]];
  if (theirs !== undefined && isFirst(theirs, ours)) take("theirs");
  else if (ours !== undefined) take("ours");
  else return undefined;
  for (;;) {
    const side = (["theirs", "ours"] as const).find((side) => touches(changes[side][0], group));
    if (side === undefined) return group;
    take(side);
  }
}

/** They share a line, or a place between lines. Changes of neighbouring lines leave each other alone. */
function touches(change: Change | undefined, group: Group): boolean {
  if (change === undefined) return false;
  const isPlace = change.from === change.to;
  if (group.from === group.to || isPlace) {
    if (change.from === group.from && change.to === group.to) return true;
    return change.from < group.to && group.from < change.to;
  }
  return change.from < group.to;
}

/** What one side made of the lines of the group. */
function versionOf(base: readonly string[], changes: readonly Change[], { from, to }: Group): string[] {
  const version: string[] = [];
  let at = from;
  for (const change of changes) {
    addAll(version, base.slice(at, change.from));
    addAll(version, change.lines);
    at = change.to;
  }
  return [...version, ...base.slice(at, to)];
}

/** Undefined when the two cannot both stand. */
function agreedOf(
  group: Group,
  { theirs, ours }: { theirs: string[]; ours: string[] },
): string[] | undefined {
  if (group.theirs.length === 0) return ours;
  if (group.ours.length === 0 || sameLines(theirs, ours)) return theirs;
  if (group.from < group.to) return undefined;
  // Added by both, or merged once already.
  if (isWithin(ours, theirs)) return theirs;
  return isWithin(theirs, ours) ? ours : [...theirs, ...ours];
}

/** Whether all the lines stand in `all`, in their order. */
function isWithin(lines: readonly string[], all: readonly string[]): boolean {
  let at = 0;
  for (const line of all) if (line === lines[at]) at++;
  return at === lines.length;
}

function sameLines(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}

/** More steps than this from one text to the other, and all between their common ends counts as one change. */
const MOST_STEPS = 1500;

/** The shortest list of changes (Myers), after the ends that both share. */
function changesOf(base: readonly string[], present: readonly string[]): Change[] {
  let head = 0;
  while (head < base.length && head < present.length && base[head] === present[head]) head++;
  let tail = 0;
  while (
    tail < base.length - head &&
    tail < present.length - head &&
    base[base.length - 1 - tail] === present[present.length - 1 - tail]
  )
    tail++;
  const from = base.slice(head, base.length - tail);
  const to = present.slice(head, present.length - tail);
  if (from.length === 0 && to.length === 0) return [];
  const kept = commonLines(from, to);
  const changes: Change[] = [];
  let [a, b] = [0, 0];
  for (const [nextA, nextB] of [...kept, [from.length, to.length] as const]) {
    if (nextA > a || nextB > b) changes.push({ from: head + a, to: head + nextA, lines: to.slice(b, nextB) });
    [a, b] = [nextA + 1, nextB + 1];
  }
  return changes;
}

/** Pairs of places of a longest common subsequence; none when the texts are too far apart. */
function commonLines(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  const most = Math.min(a.length + b.length, MOST_STEPS);
  const trail: Int32Array[] = [];
  /** How far into `a` each diagonal reaches; diagonal k at index k + most + 1. */
  const reach = new Int32Array(2 * most + 3);
  for (let steps = 0; steps <= most; steps++) {
    trail.push(reach.slice());
    for (let k = -steps; k <= steps; k += 2) {
      let x = stepsDown(reach, k, steps, most) ? at(reach, k + 1, most) : at(reach, k - 1, most) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach[k + most + 1] = x;
      if (x >= a.length && x - k >= b.length) return walkBack(trail, a.length, b.length, most);
    }
  }
  return [];
}

function walkBack(
  trail: readonly Int32Array[],
  endA: number,
  endB: number,
  most: number,
): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  let [x, y] = [endA, endB];
  for (let steps = trail.length - 1; steps >= 0; steps--) {
    const reach = trail[steps] as Int32Array;
    const k = x - y;
    const before = stepsDown(reach, k, steps, most) ? k + 1 : k - 1;
    const fromX = steps === 0 ? 0 : at(reach, before, most);
    const fromY = steps === 0 ? 0 : fromX - before;
    while (x > fromX && y > fromY) pairs.push([--x, --y]);
    [x, y] = [fromX, fromY];
  }
  return pairs.reverse();
}

function stepsDown(reach: Int32Array, k: number, steps: number, most: number): boolean {
  return k === -steps || (k !== steps && at(reach, k - 1, most) < at(reach, k + 1, most));
}

function at(reach: Int32Array, k: number, most: number): number {
  return reach[k + most + 1] ?? 0;
}
