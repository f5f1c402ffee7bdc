/**
 * What a match is worth: BM25 over the structure of conversation, then a
 * similarity between 0 and 1.
 *
 * Pure, and the one scorer for every engine. A text is worth what it says
 * itself and what its neighbours in the conversation say, its best stretch
 * where it is long; then who said it, when, and what kind of thing it tells.
 */
import { isDay } from "../model/time.js";
import { fitOf, type DateHint } from "../text/date-hints.js";
import { CUES } from "./cues.js";
import { evidenceOf, featuresOf, termsInNames, type Evidence, type Features } from "./evidence.js";
import type { Document } from "./index/document.js";
import type { CorpusStatistics } from "./index/engine.js";
import { AWAY, neighbourhood } from "./neighbourhood.js";
import { namedSpeakers } from "./named-speakers.js";
import type { Question } from "./question.js";
import { SIMILARITY, WEIGHTS, type Weights } from "./weights.js";

/** One that may be a hit, or (not eligible) one that only stands next to such. */
export interface Scorable {
  document: Document;
  eligible: boolean;
  /** How near its vector is to the question's, −1 to 1; absent where either has none. */
  near?: number;
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
  /** How much nearness counts beside words; 0 where words alone decide. */
  nearWeight = 0,
): Scored[] {
  const documents = scorable.map(({ document }) => document);
  const features = featuresOf(question, corpus, weights);
  const averageLength = Math.max(1, corpus.length / Math.max(1, corpus.windows));
  const inName = termsInNames(features.terms);
  const evidence = documents.map((document) =>
    evidenceOf(document, features, inName(document.speaker), averageLength, weights),
  );
  const named = namedSpeakers(question.words, corpus.speakers);
  const scene: Scene = { documents, evidence, features, weights, around: neighbourhood(documents) };

  const halfway = weightOfQuestion(features);

  const words = scorable.map(({ eligible }, at) => (eligible ? textWorth(scene, at, true) : 0));
  const perNear = nearWeight * words.reduce((best, text) => Math.max(best, text), halfway);
  const nearness = ({ eligible, near = 0 }: Scorable): number => (eligible ? perNear * Math.max(0, near) : 0);
  const worth = new Float64Array(documents.length);
  let top = 0;
  for (const [at, one] of scorable.entries()) {
    const here = (words[at] ?? 0) + nearness(one);
    if (here === 0) continue;
    worth[at] = here * product(factorsOf(one.document, question, named, weights));
    top = Math.max(top, worth[at] ?? 0);
  }
  const sessionFit = sessionFits(scene);
  const dateFit = dateFits(question.dates);
  const extrasOf = (document: Document): Record<string, number> => ({
    session: weights.session * top * sessionFit(document),
    date: weights.date * top * dateFit(document.day),
  });
  return scorable
    .flatMap(({ document }, at) => {
      const own = worth[at] ?? 0;
      return own > 0 ? [{ at, document, total: own + sum(extrasOf(document)) }] : [];
    })
    .sort((a, b) => inOrder(a.total, b.total, a.document.id, b.document.id))
    .slice(0, most)
    .map(({ at, document, total }) => {
      const alone = textWorth(scene, at, false);
      const parts = {
        words: alone,
        neighbours: (words[at] ?? 0) - alone,
        ...(perNear === 0 ? {} : { vector: nearness(scorable[at] ?? { document, eligible: false }) }),
        ...factorsOf(document, question, named, weights),
        ...extrasOf(document),
      };
      return { at, similarity: total / (total + halfway), parts };
    });
}

interface Scene {
  documents: readonly Document[];
  /** Undefined where a text holds nothing of the question. */
  evidence: readonly (Evidence | undefined)[];
  features: Features;
  weights: Weights;
  /** Of each document, the indexes of those at the distances of AWAY; −1 where there is none. */
  around: Int32Array;
}

/** What the text and, if wanted, its neighbours hold of the question; of a long text the best window. */
function textWorth(scene: Scene, at: number, withNeighbours: boolean): number {
  const { features, weights } = scene;
  const own = scene.evidence[at];
  const lent = withNeighbours ? lentTo(scene, at) : undefined;
  if (own === undefined) return lent === undefined ? 0 : saturated(undefined, lent, features, weights);
  let best = 0;
  for (const window of own.windows) best = Math.max(best, saturated(window, lent, features, weights));
  return best;
}

function saturated(
  own: Float64Array | undefined,
  lent: Float64Array | undefined,
  features: Features,
  { k1 }: Weights,
): number {
  let total = 0;
  for (let index = 0; index < features.weights.length; index++) {
    const frequency = (own?.[index] ?? 0) + (lent?.[index] ?? 0);
    if (frequency > 0) total += ((features.weights[index] ?? 0) * frequency * (k1 + 1)) / (frequency + k1);
  }
  return total;
}

/** What the neighbours add to the frequencies; undefined where they hold nothing of the question. */
function lentTo(
  { documents, evidence, features, weights, around }: Scene,
  at: number,
): Float64Array | undefined {
  const receiver = documents[at];
  let lent: Float64Array | undefined;
  for (const [place, away] of AWAY.entries()) {
    const neighbour = around[at * AWAY.length + place] ?? -1;
    const [giver, gives] = [documents[neighbour], evidence[neighbour]];
    if (receiver === undefined || giver === undefined || gives === undefined) continue;
    lent ??= new Float64Array(features.weights.length);
    const { from, half } = weights.receiver;
    const share =
      ((weights.neighbours[away] * half) / (half + Math.max(0, receiver.length - from))) *
      (away === -1 && isAnsweredBy(giver, receiver) ? weights.answered : 1);
    for (let index = 0; index < lent.length; index++)
      lent[index] = (lent[index] ?? 0) + share * (gives.whole[index] ?? 0);
  }
  return lent;
}

function isAnsweredBy(asking: Document, answer: Document): boolean {
  return (asking.cues & CUES.asks) > 0 && (asking.speaker !== answer.speaker || asking.role !== answer.role);
}

/** What the worth of a text is multiplied by; only what applies. */
function factorsOf(
  { speaker, role, cues }: Document,
  { wants }: Question,
  named: ReadonlySet<string>,
  weights: Weights,
): Record<string, number> {
  const factors: Record<string, number> = {};
  if (speaker !== undefined && named.has(speaker)) factors["speaker"] = weights.namedSpeaker;
  if (role === "agent" && !wants.agent) factors["agent"] = weights.agent;
  if (wants.when && (cues & CUES.tellsTime) > 0) factors["tellsTime"] = weights.tellsTime;
  return factors;
}

/** 0–1: how well a day fits the best of the dates; reckoned once for each day. */
function dateFits(dates: readonly DateHint[]): (day: string) => number {
  const known = new Map<string, number>();
  return (day) => {
    if (dates.length === 0) return 0;
    const fit =
      known.get(day) ?? (isDay(day) ? dates.reduce((best, hint) => Math.max(best, fitOf(hint, day)), 0) : 0);
    known.set(day, fit);
    return fit;
  };
}

/** A sitting: what was said of one conversation on one day; a text of no conversation is one by itself. */
function sittingOf({ conversation, day, id }: Document): string {
  return conversation === undefined ? id : `${day} ${conversation}`;
}

/** 0–1: what all turns of a sitting together hold of the question, beside the best sitting. */
function sessionFits({ documents, evidence, features, weights }: Scene): (document: Document) => number {
  const held = new Map<string, Float64Array>();
  for (const [at, document] of documents.entries()) {
    const own = evidence[at];
    if (own === undefined) continue;
    const sitting = sittingOf(document);
    const together = held.get(sitting) ?? new Float64Array(features.weights.length);
    for (let index = 0; index < together.length; index++)
      together[index] = (together[index] ?? 0) + (own.whole[index] ?? 0);
    held.set(sitting, together);
  }
  if (held.size < 2) return () => 0;
  const fits = new Map<string, number>();
  let best = 0;
  for (const [sitting, together] of held) {
    // Rounded: engines add the turns up in different orders.
    const fit = Math.round(saturated(together, undefined, features, weights) / EQUAL_WITHIN) * EQUAL_WITHIN;
    fits.set(sitting, fit);
    best = Math.max(best, fit);
  }
  return (document) => (best === 0 ? 0 : (fits.get(sittingOf(document)) ?? 0) / best);
}

function weightOfQuestion({ terms, weights }: Features): number {
  return [...weights.subarray(0, terms.length)]
    .sort((a, b) => b - a)
    .slice(0, SIMILARITY.tellingTerms)
    .reduce((total, weight) => total + weight, 0);
}

/** Sums of the same parts may differ in their last bits: closer than this is equal. */
const EQUAL_WITHIN = 1e-9;

function inOrder(a: number, b: number, idOfA: string, idOfB: string): number {
  return Math.round((b - a) / EQUAL_WITHIN) || (idOfA < idOfB ? -1 : 1);
}

function product(parts: Record<string, number>): number {
  let result = 1;
  for (const name in parts) result *= parts[name] ?? 1;
  return result;
}

function sum(parts: Record<string, number>): number {
  let result = 0;
  for (const name in parts) result += parts[name] ?? 0;
  return result;
}
