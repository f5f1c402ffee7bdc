/** How many bullets a summary has: grows with the root of what there is to say, within bounds of its tier. */
import type { SummaryTier, Tier } from "../model/work.js";

const BOUNDS = { day: { base: 4, slope: 2, most: 25 }, month: { base: 8, slope: 3, most: 60 } } as const;

export function bulletTarget(tier: Tier, pieces: number): number {
  const { base, slope, most } = BOUNDS[tier];
  return Math.min(most, Math.round(base + slope * Math.sqrt(pieces)));
}

/** A rolling summary has as much to carry as that of a month. */
export function sizeOf(tier: SummaryTier): Tier {
  return tier === "window" ? "month" : tier;
}
