/**
 * What a match is worth: BM25 over the structure of conversation, then a
 * similarity between 0 and 1.
 *
 * Pure, and the one scorer for every engine. A text is worth what it says
 * itself and what its neighbours in the conversation say, its best stretch
 * where it is long; then who said it, when, and what kind of thing it tells.
 */
import { isDay } from "../model/time.js";
import { fitOf } from "../text/date-hints.js";
import { CUES } from "./cues.js";
import { evidenceOf, featuresInNames, featuresOf, type Evidence, type Feature } from "./evidence.js";
import type { Document } from "./index/document.js";
import type { CorpusStatistics } from "./index/engine.js";
import { namedSpeakers } from "./named-speakers.js";
import type { Question } from "./question.js";
import { SIMILARITY, WEIGHTS, type Weights } from "./weights.js";

/** One that may be a hit, or (not eligible) one that only stands next to such. */
export interface Scorable {
  document: Document;
  eligible: boolean;
}

export interface Scored {
  /** Index in the documents. */
  at: number;
  /** 0–1, comparable between questions. */
  similarity: number;
  /** By signal, for --explain. */
  parts: Record<string, number>;
}

/** Best first, at most `most`; equal ones by the id of their passage. None that is worth nothing. */
export function score(
  question: Question,
  corpus: CorpusStatistics,
  scorable: readonly Scorable[],
  most: number,
  weights: Weights = WEIGHTS,
): Scored[] {
  const documents = scorable.map(({ document }) => document);
  const features = featuresOf(question, corpus, weights);
  const averageLength = Math.max(1, corpus.length / Math.max(1, corpus.windows));
  const inName = featuresInNames(features);
  const evidence = documents.map((document) =>
    evidenceOf(document, features, inName(document.speaker), averageLength, weights),
  );
  const scene: Scene = { documents, evidence, features, weights };
  const around = neighbourhood(documents);
  const named = namedSpeakers(question.words, corpus.speakers);

  const worth = new Float64Array(documents.length);
  let top = 0;
  for (const [at, { document, eligible }] of scorable.entries()) {
    if (!eligible) continue;
    const text = textWorth(scene, at, around(at));
    worth[at] = text === 0 ? 0 : text * product(factorsOf(document, question, named, weights));
    top = Math.max(top, worth[at] ?? 0);
  }
  const sessions = sessionFits(scene);
  const extras = (at: number): Record<string, number> => extrasOf(scene, at, top, question, sessions(at));
  const halfway = weightOfQuestion(features);

  return [...worth.keys()]
    .filter((at) => (worth[at] ?? 0) > 0)
    .map((at) => ({ at, total: (worth[at] ?? 0) + sum(extras(at)) }))
    .sort((a, b) => inOrder(a.total, b.total, documents[a.at]?.id, documents[b.at]?.id))
    .slice(0, most)
    .map(({ at, total }) => {
      const alone = textWorth(scene, at, []);
      const document = documents[at];
      return {
        at,
        similarity: total / (total + halfway),
        parts: {
          words: alone,
          neighbours: textWorth(scene, at, around(at)) - alone,
          ...(document === undefined ? {} : factorsOf(document, question, named, weights)),
          ...extras(at),
        },
      };
    });
}

interface Scene {
  documents: readonly Document[];
  evidence: readonly Evidence[];
  features: readonly Feature[];
  weights: Weights;
}

/** Index of a neighbour and how far away it is. */
type Neighbour = readonly [at: number, away: -2 | -1 | 1 | 2];

const AWAY = [-2, -1, 1, 2] as const;

/** What the text and its neighbours hold of the question, the best window of it. */
function textWorth(
  { documents, evidence, features, weights }: Scene,
  at: number,
  around: readonly Neighbour[],
): number {
  const [document, own] = [documents[at], evidence[at]];
  if (document === undefined || own === undefined) return 0;
  const lent = lentBy(documents, evidence, features.length, at, around, weights);
  if (lent === undefined && !own.any) return 0;
  let best = 0;
  for (const window of own.windows) {
    let total = 0;
    for (let index = 0; index < features.length; index++) {
      const frequency = (window[index] ?? 0) + (lent?.[index] ?? 0);
      if (frequency > 0)
        total += ((features[index]?.weight ?? 0) * frequency * (weights.k1 + 1)) / (frequency + weights.k1);
    }
    best = Math.max(best, total);
  }
  return best;
}

/** What the neighbours add to the frequencies; undefined where they hold nothing of the question. */
function lentBy(
  documents: readonly Document[],
  evidence: readonly Evidence[],
  features: number,
  at: number,
  around: readonly Neighbour[],
  weights: Weights,
): Float64Array | undefined {
  const receiver = documents[at];
  let lent: Float64Array | undefined;
  for (const [neighbour, away] of around) {
    const [giver, gives] = [documents[neighbour], evidence[neighbour]];
    if (receiver === undefined || giver === undefined || gives === undefined || !gives.any) continue;
    lent ??= new Float64Array(features);
    const { from, half } = weights.receiver;
    const share =
      ((weights.neighbours[away] * half) / (half + Math.max(0, receiver.length - from))) *
      (away === -1 && isAnsweredBy(giver, receiver) ? weights.answered : 1);
    for (let index = 0; index < features; index++)
      lent[index] = (lent[index] ?? 0) + share * (gives.whole[index] ?? 0);
  }
  return lent;
}

function isAnsweredBy(asking: Document, answer: Document): boolean {
  return (asking.cues & CUES.asks) > 0 && (asking.speaker !== answer.speaker || asking.role !== answer.role);
}

function neighbourhood(documents: readonly Document[]): (at: number) => Neighbour[] {
  const places = new Map<string, Map<number, number>>();
  for (const [at, { conversation, sequence }] of documents.entries()) {
    if (conversation === undefined || sequence === undefined) continue;
    const ofConversation = places.get(conversation) ?? new Map<number, number>();
    places.set(conversation, ofConversation.set(sequence, at));
  }
  return (at) => {
    const { conversation, sequence } = documents[at] ?? {};
    const ofConversation = conversation === undefined ? undefined : places.get(conversation);
    if (ofConversation === undefined || sequence === undefined) return [];
    return AWAY.flatMap((away): Neighbour[] => {
      const neighbour = ofConversation.get(sequence + away);
      return neighbour === undefined ? [] : [[neighbour, away]];
    });
  };
}

/** What the worth of a text is multiplied by; only what applies. */
function factorsOf(
  { speaker, role, cues }: Document,
  { wants }: Question,
  named: ReadonlySet<string>,
  weights: Weights,
): Record<string, number> {
  return {
    ...(speaker !== undefined && named.has(speaker) ? { speaker: weights.namedSpeaker } : {}),
    ...(role === "agent" && !wants.agent ? { agent: weights.agent } : {}),
    ...(wants.when && (cues & CUES.tellsTime) > 0 ? { tellsTime: weights.tellsTime } : {}),
  };
}

/** What is added to it; only what applies. */
function extrasOf(
  { documents, weights }: Scene,
  at: number,
  top: number,
  { dates }: Question,
  sessionFit: number,
): Record<string, number> {
  const day = documents[at]?.day ?? "";
  const date = isDay(day) ? dates.reduce((best, hint) => Math.max(best, fitOf(hint, day)), 0) : 0;
  return {
    ...(sessionFit > 0 ? { session: weights.session * top * sessionFit } : {}),
    ...(date > 0 ? { date: weights.date * top * date } : {}),
  };
}

/** 0–1: what all of a session's turns together hold of the question, beside the best session. */
function sessionFits({ documents, evidence, features, weights }: Scene): (at: number) => number {
  const held = new Map<string, Float64Array>();
  for (const [at, { conversation }] of documents.entries()) {
    const own = evidence[at];
    if (conversation === undefined || own === undefined || !own.any) continue;
    const together = held.get(conversation) ?? new Float64Array(features.length);
    for (let index = 0; index < together.length; index++)
      together[index] = (together[index] ?? 0) + (own.whole[index] ?? 0);
    held.set(conversation, together);
  }
  if (held.size < 2) return () => 0;
  const fits = new Map<string, number>();
  let best = 0;
  for (const [conversation, together] of held) {
    let fit = 0;
    for (const [index, { weight }] of features.entries()) {
      const frequency = together[index] ?? 0;
      fit += (weight * frequency) / (frequency + weights.k1);
    }
    fits.set(conversation, fit);
    best = Math.max(best, fit);
  }
  return (at) => (best === 0 ? 0 : (fits.get(documents[at]?.conversation ?? "") ?? 0) / best);
}

function weightOfQuestion(features: readonly Feature[]): number {
  const terms = features.filter(({ followedBy }) => followedBy === undefined).map(({ weight }) => weight);
  return terms
    .sort((a, b) => b - a)
    .slice(0, SIMILARITY.tellingTerms)
    .reduce((total, weight) => total + weight, 0);
}

/** Sums of the same parts may differ in their last bits: closer than this is equal. */
const EQUAL_WITHIN = 1e-9;

function inOrder(a: number, b: number, idOfA = "", idOfB = ""): number {
  return Math.round((b - a) / EQUAL_WITHIN) || (idOfA < idOfB ? -1 : 1);
}

function product(parts: Record<string, number>): number {
  return Object.values(parts).reduce((a, b) => a * b, 1);
}

function sum(parts: Record<string, number>): number {
  return Object.values(parts).reduce((a, b) => a + b, 0);
}
