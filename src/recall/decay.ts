/**
 * Newer hits rank a little higher (seed 001). It ranks, it never deletes.
 *
 * Pure. Only where the text itself is similar enough, so that being recent
 * cannot make an unrelated line a hit; memory.md, profiles and documents do not age.
 */
import type { Hit, PassageKind } from "../model/passage.js";
import { DAY_MS, HOUR_MS, type EpochMs } from "../model/time.js";
import { DECAY } from "./weights.js";

const AGELESS: ReadonlySet<PassageKind> = new Set(["memory", "profile", "document"]);

const HOURS_PER_DAY = DAY_MS / HOUR_MS;

export function withDecay(hit: Hit, now: EpochMs, halfLifeDays: number): Hit {
  if (AGELESS.has(hit.passage.kind) || hit.score < DECAY.fromSimilarity) return hit;
  // Whole hours: asked twice in a row, the same answer comes back to the last digit.
  const ageDays = Math.floor(Math.max(0, now - hit.passage.saidAt) / HOUR_MS) / HOURS_PER_DAY;
  const recency = 1 + DECAY.boost * 0.5 ** (ageDays / halfLifeDays);
  return { ...hit, score: Math.min(1, hit.score * recency), parts: { ...hit.parts, recency } };
}
