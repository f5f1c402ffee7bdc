/**
 * How much each topic has to do with what is said now, by its words, and which
 * of its messages say it best.
 *
 * Pure; words of a question are counted once. A score is a share of what a
 * message that says everything would reach, so that topics of one turn and of
 * several can be compared; and the less, the better another topic answers: some
 * of the words stand in every topic.
 */
import wink from "wink-bm25-text-search";
import type { FiledMessage, MessageId } from "../model/message.js";
import type { TopicId } from "../model/topic.js";
import { termsOf } from "../text/terms.js";

export interface Relevance {
  /** 0–1. */
  score: number;
  /** Those first that matter most. */
  refs: readonly MessageId[];
  /** What a model says of it. */
  summary?: string;
}

/** Parts of the score: the best message, the best three, and how much of the question the topic knows at all. */
const [BEST, BEST_THREE, KNOWN] = [0.5, 0.3, 0.2];
/** A word that nobody ever said counts so much: a question may use others than its answer. */
const UNKNOWN = 0.5;
/** Two characters that stand side by side need be no word. */
const HAN = /\p{Script=Han}/u;
const BEFORE = 0.5;
const MOST_REFS = 8;
/** Of the best message's. */
const REF_SHARE = 0.4;
const MOST_TERMS = 40;

/** `before`: what the question goes on from; all its words together count half as much as those of the question. */
export function relevanceIn(words: WordIndex, query: string, before = ""): Map<TopicId, Relevance> {
  const { weights, mass, scores } = askedOf(words, query, before);
  const scoreOf = (text: string): number => Math.min(1, (scores.get(text) ?? 0) / mass);
  const scored = words.topics.map(({ id, messages }, at) => {
    const about = textName(at);
    const ranked = messages
      .map(({ message }, place) => ({ id: message.id, text: textName(at, place) }))
      .map((each) => ({ ...each, score: scoreOf(each.text) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score);
    const [first = 0, second = 0, third = 0] = ranked.map(({ score }) => score);
    const best = Math.max(first, scoreOf(about));
    let known = 0;
    for (const [term, weight] of weights)
      if (words.holds(about, term) || ranked.some(({ text }) => words.holds(text, term))) known += weight;
    const score = BEST * best + BEST_THREE * ((best + second + third) / 3) + KNOWN * (known / mass);
    const telling = ranked.filter((each) => each.score >= first * REF_SHARE).slice(0, MOST_REFS);
    return { id, score, refs: telling.map((each) => each.id) };
  });
  const most = Math.max(...scored.map(({ score }) => score), Number.MIN_VALUE);
  return new Map(scored.map(({ id, score, refs }) => [id, { score: score * (score / most), refs }]));
}

interface Asked {
  /** Of the words that somebody said. */
  weights: ReadonlyMap<string, number>;
  /** Of all words together. */
  mass: number;
  scores: ReadonlyMap<string, number>;
}

function askedOf(words: WordIndex, query: string, before: string): Asked {
  const weightOf = (terms: Iterable<string>): number =>
    [...terms].reduce((sum, term) => sum + words.rarityOf(term), 0);
  const terms = fewTermsOf(query);
  const own = terms.filter((term) => words.isKnown(term));
  const unknown = terms.filter((term) => !words.isKnown(term) && !HAN.test(term));
  const context = fewTermsOf(before).filter((term) => words.isKnown(term) && !own.includes(term));
  // Where the question itself tells nothing, what was said before is all there is.
  const share = own.length === 0 ? 1 : Math.min(1, (BEFORE * weightOf(own)) / weightOf(context));
  const weights = new Map(own.map((term) => [term, words.rarityOf(term)]));
  for (const term of context) weights.set(term, share * words.rarityOf(term));
  const scores = new Map(words.scores(own));
  for (const [text, score] of words.scores(context))
    scores.set(text, (scores.get(text) ?? 0) + share * score);
  const known = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return { weights, mass: known + UNKNOWN * weightOf(unknown) || 1, scores };
}

function fewTermsOf(text: string): string[] {
  return [...new Set(termsOf(text))].slice(0, MOST_TERMS);
}

export interface Sought {
  id: TopicId;
  /** Name and brief. */
  about: string;
  messages: readonly FiledMessage[];
}

/** The words of topics in wink's BM25, which takes nothing in afterwards: asked until the topics change. */
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
function textName(topic: number, message?: number): string {
  return message === undefined ? `${topic}` : `${topic} ${message}`;
}

/** Whether it is what would be built of these. */
export function isOf({ topics }: WordIndex, others: readonly Sought[]): boolean {
  const [built, wanted] = [topics, others].map((all) =>
    all.flatMap(({ id, about, messages }) => [id, about, ...messages]),
  );
  return built?.length === wanted?.length && built?.every((part, at) => part === wanted?.[at]) === true;
}
