/**
 * Topics without a model: sorted by their words, told by their telling
 * sentences, named by their keywords.
 */
import { groupBy } from "../../model/group.js";
import type {
  TopicBriefJob,
  TopicBriefResult,
  TopicGroup,
  TopicReviewJob,
  TopicReviewResult,
  TopicSplitJob,
  TopicSplitResult,
  Utterance,
} from "../../model/work.js";
import { loadAbsoluteDates } from "../../text/absolute-dates.js";
import { keywordsOf } from "../../text/keywords.js";
import { redactSecrets } from "../../text/redact.js";
import { estimateTokens } from "../../text/tokens.js";
import { clean } from "../notes.js";
import { candidatesOf } from "./candidates.js";
import { grouped } from "./cohesion.js";
import { pick } from "./pick.js";
import type { Round } from "./pieces.js";
import { betweenSeveral, cosine, countsOf, statistics, weighing } from "./term-vectors.js";

const NAME_WORDS = 4;
/** Of a topic's text, so much names it. */
const NAMED_BY_CHARS = 20_000;
const LONGEST_BRIEF_CHARS = 1000;
const LONGEST_LINE_CHARS = 200;
/** Two topics are one where they are so many standard deviations more alike than two topics usually are, and half of all. */
const ONE_BY = 3;
const ONE_AT_LEAST = 0.5;
const FEW_TOPICS = 6;

export function builtinTopicSplit({ id, utterances, topics, mostTokens }: TopicSplitJob): TopicSplitResult {
  const standing = topics.map((topic) => ({
    id: topic.id,
    pieces: topic.stretches.map(countsOf),
    tokens: topic.tokens,
  }));
  const groups = grouped(roundsOf(utterances), standing, mostTokens).map(
    ({ topic, pieces, words }): TopicGroup => {
      const text = pieces.flatMap((keys) => keys.map((key) => utterances[key]?.text ?? "")).join("\n");
      const stretches = pieces.sort((one, other) => (one[0] ?? 0) - (other[0] ?? 0));
      return { ...(topic === undefined ? {} : { topic }), name: nameFor(text, words, utterances), stretches };
    },
  );
  return { kind: "topic_split", id, by: "builtin", groups };
}

/** A question with its answers. */
function roundsOf(utterances: readonly Utterance[]): Round<number>[] {
  const rounds: Round<number>[] = [];
  for (const [key, { role, name, text }] of utterances.entries()) {
    const last = rounds.at(-1);
    const said = `${name}: ${text}`;
    const tokens = estimateTokens(said);
    if (last === undefined || role === "user") rounds.push({ keys: [key], text: said, tokens });
    else
      rounds[rounds.length - 1] = {
        keys: [...last.keys, key],
        text: `${last.text}\n${said}`,
        tokens: last.tokens + tokens,
      };
  }
  return rounds;
}

/** Keywords as they were written, those first that tell this group from the others. */
function nameFor(text: string, telling: readonly string[], utterances: readonly Utterance[]): string {
  const speakers = new Set(utterances.flatMap(({ name }) => name.toLowerCase().split(/\s+/)));
  const words = keywordsOf(text.slice(0, NAMED_BY_CHARS), 40).filter(
    (word) => !speakers.has(word.toLowerCase()),
  );
  const rank = new Map(telling.map((term, index) => [term, index]));
  const rankOf = (word: string): number =>
    Math.min(...[...countsOf(word).keys()].map((term) => rank.get(term) ?? telling.length));
  const best = words
    .map((word, index) => ({ word, rank: rankOf(word) + index }))
    .sort((one, other) => one.rank - other.rank)
    .slice(0, NAME_WORDS)
    .map(({ word }) => word);
  return best.join(", ");
}

export async function builtinTopicBrief(job: TopicBriefJob): Promise<TopicBriefResult> {
  const dates = await loadAbsoluteDates();
  const { utterances } = job;
  // A summary's own choice; of its sentences the most telling are taken until the brief is full.
  const picked = pick(candidatesOf({ utterances, days: [] }, "month"), "day");
  const lines: { line: string; source: number }[] = [];
  let left = LONGEST_BRIEF_CHARS;
  for (const { stamp, name, text, day, source } of spread(picked)) {
    const said = dates(clean(redactSecrets(text)).slice(0, LONGEST_LINE_CHARS).toWellFormed(), day);
    const line = `- ${stamp} ${name === "" ? "" : `${clean(name)}: `}${said}`;
    if (line.length > left) continue;
    left -= line.length + 1;
    lines.push({ line, source });
  }
  lines.sort((one, other) => one.source - other.source);
  return {
    kind: "topic_brief",
    id: job.id,
    by: "builtin",
    text: lines.map(({ line }) => line).join("\n"),
    refs: [...new Set(lines.map(({ source }) => source))],
  };
}

/** Days take turns, the newest first: what stands now is as much of the brief as how it began. */
function spread<T extends { stamp: string }>(picked: readonly T[]): T[] {
  const days = [...groupBy(picked, ({ stamp }) => stamp).values()].reverse();
  const most = Math.max(0, ...days.map((of) => of.length));
  return Array.from({ length: most }).flatMap((_each, at) => days.flatMap((of) => of[at] ?? []));
}

/** Only what is the same by nearly all its words becomes one; what is old is archived by its age. */
export function builtinTopicReview({ id, topics }: TopicReviewJob): TopicReviewResult {
  const counts = topics.map(({ name, stretches }) => countsOf([name, ...stretches].join("\n")));
  const vectorOf = weighing(counts, betweenSeveral);
  const vectors = counts.map(vectorOf);
  const pairs = vectors.flatMap((one, at) =>
    vectors.slice(0, at).map((other, before) => ({ at, before, likeness: cosine(one, other) })),
  );
  const { mean, deviation } = statistics(pairs.map(({ likeness }) => likeness));
  const least = Math.max(ONE_AT_LEAST, mean + ONE_BY * deviation);
  const merged = new Set<number>();
  const merges = pairs
    .filter(({ likeness }) => topics.length >= FEW_TOPICS && likeness > least)
    .sort((one, other) => other.likeness - one.likeness)
    .flatMap(({ at, before }) => {
      const [into, from] = [topics[before], topics[at]];
      if (merged.has(at) || merged.has(before) || into === undefined || from === undefined) return [];
      merged.add(at).add(before);
      return [[into.id, from.id]];
    });
  return { kind: "topic_review", id, by: "builtin", merges, archive: [] };
}
