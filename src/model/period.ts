/** From when to when: local days or instants, as people and programs write them. Pure. */
import { defined } from "./defined.js";
import { isDay, parseInstant, type EpochMs, type Day, type Zone } from "./time.js";

/** A local day, whole, or an instant; both inclusive. */
export type Bound = { day: Day } | { at: EpochMs };

/** Undefined when the text is neither `YYYY-MM-DD` nor an ISO 8601 instant. */
export function boundOf(text: string): Bound | undefined {
  const trimmed = text.trim();
  if (isDay(trimmed)) return { day: trimmed };
  const at = parseInstant(trimmed);
  return at === undefined ? undefined : { at };
}

export interface Period {
  from?: Bound;
  to?: Bound;
}

/** A period whose ends are the wrong way round is turned, with a warning. */
export function orderedPeriod({ from, to }: Period, zone: Zone): { period: Period; warnings: string[] } {
  if (from === undefined || to === undefined || !isLater(from, to, zone)) {
    return { period: defined({ from, to }), warnings: [] };
  }
  return {
    period: { from: to, to: from },
    warnings: ["The period ended before it began: its two ends were swapped."],
  };
}

function isLater(a: Bound, b: Bound, zone: Zone): boolean {
  if ("at" in a && "at" in b) return a.at > b.at;
  const dayOf = (bound: Bound): string => ("day" in bound ? bound.day : zone.dayOf(bound.at));
  return dayOf(a) > dayOf(b);
}
