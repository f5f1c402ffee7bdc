/** Topics without a model: messages sorted by their words, topics named by their keywords and told by their best sentences; one are those that are the same by nearly all their words. Pure. */
import { groupBy } from "../../model/collections.js";
import type { TopicId } from "../../model/topic.js";
import type { Utterance } from "../../model/message.js";
import { loadAbsoluteDates } from "../../text/dates/absolute.js";
import { keywordsOf } from "../../text/keywords.js";
import { redactSecrets } from "../../text/redact.js";
import { thingsIn } from "../../text/things.js";
import { estimateTokens } from "../../text/tokens.js";
import type { TopicBriefJob } from "../jobs/topic-brief.js";
import type { TopicReviewJob } from "../jobs/topic-review.js";
import type { TopicGroup, TopicSplitJob } from "../jobs/topic-split.js";
import { clean } from "../notes.js";
import { candidatesOf, pick } from "./pick.js";
import {
  betweenSeveral,
  cosine,
  countsOf,
  type Exchange,
  grouped,
  statistics,
  weighing,
} from "./cohesion.js";

const NAME_WORDS = 3;
/** Of a topic's text, so much names it. */
const NAMED_BY_CHARS = 20_000;

export function builtinTopicSplit({ utterances, topics, mostTokens }: TopicSplitJob): {
  groups: TopicGroup[];
} {
  const standing = topics.map((topic) => ({
    id: topic.id,
    pieces: topic.stretches.map(countsOf),
    tokens: topic.tokens,
  }));
  const groups = grouped(exchangesOf(utterances), standing, mostTokens).map(
    ({ topic, pieces, words }): TopicGroup => {
      const text = pieces.flatMap((keys) => keys.map((key) => utterances[key]?.text ?? "")).join("\n");
      const stretches = pieces.sort((one, other) => (one[0] ?? 0) - (other[0] ?? 0));
      return { ...(topic === undefined ? {} : { topic }), name: nameFor(text, words, utterances), stretches };
    },
  );
  return { groups };
}

/** A question with its answers. */
function exchangesOf(utterances: readonly Utterance[]): Exchange<number>[] {
  const exchanges: (Exchange<number> & { keys: number[] })[] = [];
  for (const [key, { role, name, text }] of utterances.entries()) {
    const last = exchanges.at(-1);
    const line = `${name}: ${text}`;
    const tokens = estimateTokens(line);
    if (last === undefined || role === "user") exchanges.push({ keys: [key], text: line, tokens });
    else {
      last.keys.push(key);
      last.text += `\n${line}`;
      last.tokens += tokens;
    }
  }
  return exchanges;
}

/** What it is about as it was written, those first that tell this group from the others. */
function nameFor(text: string, telling: readonly string[], utterances: readonly Utterance[]): string {
  const speakers = new Set(utterances.flatMap(({ name }) => name.toLowerCase().split(/\s+/)));
  const rank = new Map(telling.map((term, index) => [term, index]));
  const rankOf = (word: string): number =>
    Math.min(...[...countsOf(word).keys()].map((term) => rank.get(term) ?? telling.length));
  const told = text.slice(0, NAMED_BY_CHARS);
  const things = thingsIn(told, 40).filter((word) => !speakers.has(word.toLowerCase()));
  return (things.length > 0 ? things : keywordsOf(told, NAME_WORDS))
    .map((word, index) => ({ word, rank: rankOf(word) + index }))
    .sort((one, other) => one.rank - other.rank)
    .slice(0, NAME_WORDS)
    .map(({ word }) => word)
    .join(", ");
}

/** What a topic is about, without a model: its telling sentences. Pure but for loading the date reader. */
const LONGEST_BRIEF_CHARS = 1000;
const LONGEST_LINE_CHARS = 200;

export async function builtinTopicBrief(job: TopicBriefJob): Promise<{ text: string; refs: number[] }> {
  const { utterances } = job;
  const dates = await loadAbsoluteDates();
  // A summary's own choice; of its sentences the most telling are taken until the brief is full.
  const picked = pick(candidatesOf({ utterances, days: [] }, "month"), "day");
  const lines: { line: string; source: number }[] = [];
  let left = LONGEST_BRIEF_CHARS;
  for (const { stamp, name, text, day, source } of spread(picked)) {
    const sentence = dates(clean(redactSecrets(text)).slice(0, LONGEST_LINE_CHARS).toWellFormed(), day);
    const line = `- ${stamp} ${name === "" ? "" : `${clean(name)}: `}${sentence}`;
    if (line.length > left) continue;
    left -= line.length + 1;
    lines.push({ line, source });
  }
  lines.sort((one, other) => one.source - other.source);
  const refs = [...new Set(lines.map(({ source }) => source))];
  return { text: lines.map(({ line }) => line).join("\n"), refs };
}

/** Days take turns, the newest first: what stands now is as much of the brief as how it began. */
function spread<T extends { stamp: string }>(picked: readonly T[]): T[] {
  const days = [...groupBy(picked, ({ stamp }) => stamp).values()].reverse();
  const most = Math.max(0, ...days.map((of) => of.length));
  return Array.from({ length: most }).flatMap((_each, at) => days.flatMap((of) => of[at] ?? []));
}

/** Two topics are one where they are so many standard deviations more alike than two topics usually are, and half of all. */
const ONE_BY = 3;
const ONE_AT_LEAST = 0.5;
const FEW_TOPICS = 6;

export function builtinTopicReview({ topics }: TopicReviewJob): { merges: TopicId[][]; archive: TopicId[] } {
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
  return { merges, archive: [] };
}
