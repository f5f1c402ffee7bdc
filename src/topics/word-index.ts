/**
 * The words of topics in wink's BM25: of their messages, and of names and briefs.
 *
 * Built of topics as they stand and asked until they change; wink takes nothing
 * in afterwards.
 */
import wink from "wink-bm25-text-search";
import type { FiledMessage } from "../model/message.js";
import type { TopicId } from "../model/topic.js";
import { termsOf } from "../text/terms.js";

export interface Sought {
  id: TopicId;
  /** Name and brief. */
  about: string;
  messages: readonly FiledMessage[];
}

export interface WordIndex {
  readonly topics: readonly Sought[];
  /** BM25 of every text that holds one of the terms, by its name. */
  scores(terms: readonly string[]): ReadonlyMap<string, number>;
  isKnown(term: string): boolean;
  /** Greatest for a term that nobody said. */
  rarityOf(term: string): number;
  holds(text: string, term: string): boolean;
}

/** The words of a long message are in its beginning. */
const READ_CHARS = 20_000;
/** Wink refuses fewer. */
const LEAST_TEXTS = 3;
/** Of a score: the most that wink keeps. */
const DECIMALS = 9;
/** Terms hold no control characters. */
const BETWEEN_TERMS = "\u0000";

export function wordIndexOf(topics: readonly Sought[]): WordIndex {
  const index = wink();
  index.defineConfig({ fldWeights: { terms: 1 } });
  index.definePrepTasks([(terms) => terms.split(BETWEEN_TERMS).filter((term) => term !== "")]);
  for (const [at, { about, messages }] of topics.entries()) {
    index.addDoc({ terms: joined(termsOf(about)) }, textName(at));
    for (const [place, filed] of messages.entries())
      index.addDoc({ terms: saidIn(filed) }, textName(at, place));
  }
  for (let texts = index.getTotalDocs(); texts < LEAST_TEXTS; texts++)
    index.addDoc({ terms: "" }, `none ${texts}`);
  index.consolidate(DECIMALS);
  const [numbers, rarities, texts] = [index.getTokens(), index.getIDF(), index.getDocs()];
  const numberOf = (term: string): number => numbers[term] ?? -1;
  const unsaid = Math.log(1 + (index.getTotalDocs() + 0.5) / 0.5);
  return {
    topics,
    scores: (terms) => new Map(index.search(joined(terms), Infinity)),
    isKnown: (term) => numberOf(term) !== -1,
    rarityOf: (term) => rarities[numberOf(term)] ?? unsaid,
    holds: (text, term) => texts[text]?.freq[numberOf(term)] !== undefined,
  };
}

/** Cutting texts into terms takes as long as indexing them. */
const said = new WeakMap<FiledMessage, string>();

function saidIn(filed: FiledMessage): string {
  const { speaker = "", text } = filed.message;
  const terms = said.get(filed) ?? joined(termsOf(`${speaker}\n${text.slice(0, READ_CHARS)}`));
  said.set(filed, terms);
  return terms;
}

function joined(terms: readonly string[]): string {
  return terms.join(BETWEEN_TERMS);
}

/** Of a message by its topic's place and its own; without one, of the topic's name and brief. */
export function textName(topic: number, message?: number): string {
  return message === undefined ? `${topic}` : `${topic} ${message}`;
}

/** Whether it is what would be built of these. */
export function isOf({ topics }: WordIndex, others: readonly Sought[]): boolean {
  const [built, wanted] = [topics, others].map((all) =>
    all.flatMap(({ id, about, messages }) => [id, about, ...messages]),
  );
  return built?.length === wanted?.length && built?.every((part, at) => part === wanted?.[at]) === true;
}
