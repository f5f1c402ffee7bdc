/**
 * What no longer holds: it ranks behind all that does, and says so.
 *
 * Pure. Nothing is hidden: who asks how things were is answered.
 */
import type { Hit, Passage, Standing } from "../model/passage.js";
import { isDay, lastDayOf, type EpochMs, type Month, type Zone } from "../model/time.js";
import type { Bound } from "../model/period.js";

/** Whether a moment had come by then. */
export function hasCome(at: EpochMs, by: Bound, zone: Zone): boolean {
  return "at" in by ? at <= by.at : zone.dayOf(at) <= by.day;
}

/** Whether the last day that a summary tells of was over by then; all else is of no later day than it was said. */
export function isOver({ kind, day, covers }: Passage, by: Bound, zone: Zone): boolean {
  if (kind !== "day_summary" && kind !== "month_summary") return true;
  const last = covers?.reduce((latest, one) => (one.day > latest ? one.day : latest), "") || lastDayIn(day);
  return "day" in by ? last <= by.day : last < zone.dayOf(by.at);
}

function lastDayIn(dayOrMonth: string): string {
  return isDay(dayOrMonth) ? dayOrMonth : lastDayOf(dayOrMonth as Month);
}

/** In the same order otherwise; each of the last ones is marked. */
export function currentFirst(inOrder: readonly Hit[], by: Bound, zone: Zone): Hit[] {
  const current: Hit[] = [];
  const past: Hit[] = [];
  for (const hit of inOrder) {
    const marked = withStanding(hit, by, zone);
    if (marked.standing === undefined) current.push(marked);
    else past.push(marked);
  }
  return [...current, ...past];
}

/** Marked where it no longer holds. */
export function withStanding<H extends { passage: Passage; standing?: Hit["standing"] }>(
  hit: H,
  by: Bound,
  zone: Zone,
): H {
  const standing = standingOf(hit.passage, by, zone);
  return standing === "current" ? hit : { ...hit, standing };
}

function standingOf({ supersededAt, validTo }: Passage, by: Bound, zone: Zone): Standing {
  if (supersededAt !== undefined && hasCome(supersededAt, by, zone)) return "superseded";
  return validTo !== undefined && hasCome(validTo, by, zone) ? "expired" : "current";
}
