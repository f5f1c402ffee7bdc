/**
 * How much each topic has to do with what is said now, by its words, and which
 * of its messages say it best: BM25 over messages and briefs.
 *
 * Pure; words of a message are counted once. A score is a share of what a
 * message that says everything would reach, so that topics of one turn and of
 * several can be compared; and the less, the better another topic answers: some
 * of the words stand in every topic.
 */
import type { FiledMessage, MessageId } from "../model/message.js";
import type { TopicId } from "../model/topic.js";
import { termsOf } from "../text/terms.js";

export interface Sought {
  id: TopicId;
  /** Name and brief. */
  about: string;
  messages: readonly FiledMessage[];
}

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
/** As everywhere in the system's search. */
const [K1, B] = [1.2, 0.75];
/** The words of a long message are in its beginning. */
const READ_CHARS = 20_000;
const MOST_TERMS = 40;

interface Counted {
  counts: ReadonlyMap<string, number>;
  length: number;
}

const countedMessages = new WeakMap<FiledMessage, Counted>();
/** Briefs stay the same for long. */
const countedTexts = new Map<string, Counted>();
const MOST_TEXTS = 1000;

/** `before`: what the question goes on from; all its words together count half as much as those of the question. */
export function relevanceOf(query: string, topics: readonly Sought[], before = ""): Map<TopicId, Relevance> {
  const docs = topics.map(({ about, messages }) => ({
    about: countedText(about),
    messages: messages.map((filed) => ({ filed, doc: countedOf(filed) })),
  }));
  const all = docs.flatMap(({ messages }) => messages.map(({ doc }) => doc));
  const averageLength = all.reduce((sum, { length }) => sum + length, 0) / Math.max(1, all.length) || 1;
  const rarityOf = (term: string): { isKnown: boolean; rarity: number } => {
    const holding = all.filter(({ counts }) => counts.has(term)).length;
    return { isKnown: holding > 0, rarity: Math.log(1 + (all.length - holding + 0.5) / (holding + 0.5)) };
  };
  const weights = new Map<string, number>();
  let unknown = 0;
  for (const term of fewTermsOf(query)) {
    const { isKnown, rarity } = rarityOf(term);
    if (isKnown) weights.set(term, rarity);
    else if (!HAN.test(term)) unknown += rarity * UNKNOWN;
  }
  const asked = sumOf(weights.values());
  const context = fewTermsOf(before)
    .filter((term) => !weights.has(term))
    .map((term) => ({ term, ...rarityOf(term) }))
    .filter(({ isKnown }) => isKnown);
  const told = sumOf(context.map(({ rarity }) => rarity));
  // Where the question itself tells nothing, what was said before is all there is.
  const share = asked === 0 ? 1 : Math.min(1, (BEFORE * asked) / told);
  for (const { term, rarity } of context) weights.set(term, rarity * share);
  const mass = sumOf(weights.values()) + unknown || 1;
  const scoreOf = ({ counts, length }: Counted): number => {
    let score = 0;
    for (const [term, weight] of weights) {
      const count = counts.get(term) ?? 0;
      if (count > 0)
        score += (weight * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / averageLength));
    }
    return Math.min(1, score / mass);
  };
  const scored = topics.map(({ id }, at) => {
    const { about, messages } = docs[at] ?? { about: countedText(""), messages: [] };
    const said = messages.map(({ filed, doc }) => ({ filed, doc, score: scoreOf(doc) }));
    const ranked = said.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score);
    const [first = 0, second = 0, third = 0] = ranked.map(({ score }) => score);
    const best = Math.max(first, scoreOf(about));
    let known = 0;
    for (const [term, weight] of weights)
      if (about.counts.has(term) || ranked.some(({ doc }) => doc.counts.has(term))) known += weight;
    const score = BEST * best + BEST_THREE * ((best + second + third) / 3) + KNOWN * (known / mass);
    const refs = ranked
      .filter((each) => each.score >= first * REF_SHARE)
      .slice(0, MOST_REFS)
      .map(({ filed }) => filed.message.id);
    return { id, score, refs };
  });
  const most = Math.max(...scored.map(({ score }) => score), Number.MIN_VALUE);
  return new Map(
    scored.map(({ id, score: absolute, refs }) => {
      const score = absolute * (absolute / most);
      return [id, { score, refs }];
    }),
  );
}

function fewTermsOf(text: string): string[] {
  return [...new Set(termsOf(text))].slice(0, MOST_TERMS);
}

function sumOf(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

function countedOf(filed: FiledMessage): Counted {
  const known = countedMessages.get(filed);
  if (known !== undefined) return known;
  const { speaker = "", text } = filed.message;
  const fresh = counted(`${speaker}\n${text.slice(0, READ_CHARS)}`);
  countedMessages.set(filed, fresh);
  return fresh;
}

function countedText(text: string): Counted {
  const known = countedTexts.get(text);
  if (known !== undefined) return known;
  if (countedTexts.size >= MOST_TEXTS) countedTexts.clear();
  const fresh = counted(text);
  countedTexts.set(text, fresh);
  return fresh;
}

function counted(text: string): Counted {
  const counts = new Map<string, number>();
  let length = 0;
  for (const term of termsOf(text)) {
    counts.set(term, (counts.get(term) ?? 0) + 1);
    length += 1;
  }
  return { counts, length };
}
