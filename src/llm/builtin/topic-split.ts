/** Topics without a model: messages sorted by their words, topics named by their keywords. Pure. */
import type { Utterance } from "../../model/utterance.js";
import { keywordsOf } from "../../text/keywords.js";
import { estimateTokens } from "../../text/tokens.js";
import type { TopicGroup, TopicSplitJob } from "../jobs/topic-split.js";
import { grouped } from "./cohesion.js";
import type { Exchange } from "./pieces.js";
import { countsOf } from "./term-vectors.js";

const NAME_WORDS = 4;
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
  const exchanges: Exchange<number>[] = [];
  for (const [key, { role, name, text }] of utterances.entries()) {
    const last = exchanges.at(-1);
    const line = `${name}: ${text}`;
    const tokens = estimateTokens(line);
    if (last === undefined || role === "user") exchanges.push({ keys: [key], text: line, tokens });
    else
      exchanges[exchanges.length - 1] = {
        keys: [...last.keys, key],
        text: `${last.text}\n${line}`,
        tokens: last.tokens + tokens,
      };
  }
  return exchanges;
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
