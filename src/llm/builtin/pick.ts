/**
 * Which sentences become bullets.
 *
 * Pure, and the same for the same input: what an earlier summary said already
 * is taken out after the choice, never before, or the second-best would follow.
 */
import type { Tier } from "../../model/work.js";
import { bulletTarget } from "../bullet-target.js";
import type { Candidate } from "./candidates.js";
import { fingerprintOf, isNearCopy, type Fingerprint } from "./near-copies.js";
import { frequencies, worthOf } from "./worth.js";

/** Below this a sentence says nothing that anybody would look for. */
const LEAST_WORTH = 1.2;
/** Of one message, so that no long answer fills the day. */
const MOST_OF_ONE = { user: 4, summary: 60, agent: 2, tool: 1, system: 1 } as const;
const FALLBACK_BULLETS = 3;

/** In the order in which they were said; never none for input that has text. */
export function pick(candidates: readonly Candidate[], tier: Tier): Candidate[] {
  const counts = frequencies(candidates);
  const ranked = candidates
    .map((candidate) => ({ candidate, worth: worthOf(candidate, counts) }))
    .sort((a, b) => b.worth - a.worth || a.candidate.order - b.candidate.order);
  const worthy = ranked.filter(({ worth }) => worth >= LEAST_WORTH).map(({ candidate }) => candidate);
  const sources = new Set(
    candidates.map(({ source, from, order }) => (from === "summary" ? `s${order}` : source)),
  ).size;
  const chosen = choose(tier === "month" ? bestOfEachDayFirst(worthy) : worthy, bulletTarget(tier, sources));
  return (chosen.length > 0 ? chosen : longest(candidates)).sort((a, b) => a.order - b.order);
}

function choose(ranked: readonly Candidate[], target: number): Candidate[] {
  const chosen: Candidate[] = [];
  const seen: Fingerprint[] = [];
  const ofSource = new Map<number, number>();
  let notPeople = 0;
  for (const candidate of ranked) {
    if (chosen.length >= target) break;
    const { source, from, text } = candidate;
    if ((ofSource.get(source) ?? 0) >= MOST_OF_ONE[from]) continue;
    const person = from === "user" || from === "summary";
    // The agent talks more than people do: half of the day at most is its own words.
    if (!person && notPeople >= Math.ceil(target / 2)) continue;
    const fingerprint = fingerprintOf(text);
    if (seen.some((other) => isNearCopy(other, fingerprint))) continue;
    seen.push(fingerprint);
    ofSource.set(source, (ofSource.get(source) ?? 0) + 1);
    if (!person) notPeople += 1;
    chosen.push(candidate);
  }
  return chosen;
}

/** No day of a month goes without a word. */
function bestOfEachDayFirst(ranked: readonly Candidate[]): Candidate[] {
  const days = new Set<string>();
  const best = ranked.filter(({ day }) => !days.has(day) && days.add(day));
  const first = new Set(best);
  return [...best, ...ranked.filter((candidate) => !first.has(candidate))];
}

function longest(candidates: readonly Candidate[]): Candidate[] {
  return choose(
    [...candidates].sort((a, b) => b.text.length - a.text.length || a.order - b.order),
    FALLBACK_BULLETS,
  );
}
