/**
 * Which matches are worth scoring, computed alike by every engine.
 *
 * Pure. In a small corpus all that match are candidates; in a large one the
 * best few hundred by the summed idf of the terms they hold.
 */
import type { Passage } from "../../model/passage.js";
import type { Bound, Candidate, CorpusStatistics, PassageFilter } from "./engine.js";

/** Passages behind the walls asked for, below which every match is a candidate. */
const ALL_BELOW_PASSAGES = 5_000;
const MOST_CANDIDATES = 500;

/** Rare terms weigh more; never negative, also where every passage holds the term. */
export function idf(passages: number, documentFrequency: number): number {
  return Math.log(1 + (passages - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

/** Sorted by passage id, so that the same files give the same answer in any order of indexing. */
export function bestCandidates(found: readonly Candidate[], statistics: CorpusStatistics): Candidate[] {
  const byId = (a: Candidate, b: Candidate): number => (a.passage.id < b.passage.id ? -1 : 1);
  if (statistics.passages < ALL_BELOW_PASSAGES || found.length <= MOST_CANDIDATES)
    return [...found].sort(byId);
  const weights = statistics.documentFrequencies.map((df) => idf(statistics.passages, df));
  const sums = new Map(found.map((candidate) => [candidate, idfSum(candidate, weights)]));
  return [...found]
    .sort((a, b) => (sums.get(b) ?? 0) - (sums.get(a) ?? 0) || byId(a, b))
    .slice(0, MOST_CANDIDATES)
    .sort(byId);
}

function idfSum(candidate: Candidate, weights: readonly number[]): number {
  return candidate.frequencies.reduce(
    (sum, frequency, term) => sum + (frequency > 0 ? (weights[term] ?? 0) : 0),
    0,
  );
}

export function passes(passage: Passage, filter: PassageFilter): boolean {
  const { kinds, user, session, from, to } = filter;
  if (kinds !== undefined && !kinds.includes(passage.kind)) return false;
  if (user !== undefined && passage.user !== user) return false;
  if (session !== undefined && passage.session !== session) return false;
  if (from !== undefined && endsBefore(passage, from)) return false;
  if (to !== undefined && beginsAfter(passage, to)) return false;
  return true;
}

/** `day` may be a month (of a month summary), which is in the range when any of its days is. */
function endsBefore(passage: Passage, from: Bound): boolean {
  return "day" in from ? passage.day < from.day.slice(0, passage.day.length) : passage.saidAt < from.at;
}

function beginsAfter(passage: Passage, to: Bound): boolean {
  return "day" in to ? passage.day > to.day.slice(0, passage.day.length) : passage.saidAt > to.at;
}
