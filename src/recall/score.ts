/**
 * What a match is worth: BM25 over the structure of conversation, then a similarity between 0 and 1.
 * Pure, and the one scorer for every engine. A text is worth what it says itself and what its
 * neighbours in the conversation say, its best stretch where it is long; then who said it, when, and
 * what kind of thing it tells.
 */
import { entryOf } from "../model/collections.js";
import { isDay } from "../model/time.js";
import { fitOf, type DateHint } from "../text/dates/hints.js";
import { CUES } from "./index/cues.js";
import type { Document } from "./index/document.js";
import {
  AWAY,
  type Evidence,
  evidenceIn,
  type Features,
  featuresOf,
  namedSpeakers,
  neighbourhood,
} from "./evidence.js";
import type { CorpusStatistics } from "./index/engine.js";
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
  const evidence = evidenceIn(documents, features, averageLength, weights);
  const scene: Scene = {
    documents,
    evidence,
    features,
    weights,
    around: neighbourhood(documents),
    lent: new Float64Array(features.weights.length),
  };
  const halfway = weightOfQuestion(features);

  const words = scorable.map(({ eligible }, at) => (eligible ? textWorth(scene, at, true) : 0));
  const perNear = nearWeight * words.reduce((best, text) => Math.max(best, text), halfway);
  const nearness = ({ eligible, near = 0 }: Scorable): number => (eligible ? perNear * Math.max(0, near) : 0);
  const factors = factorsOf(question, namedSpeakers(question.words, corpus.speakers), weights);
  const askedOf = askedOfPersons(scene);
  const wishOf = wishesToAgents(scene, question);
  const worth = new Float64Array(documents.length);
  let top = 0;
  for (const [at, one] of scorable.entries()) {
    const here = (words[at] ?? 0) + nearness(one);
    if (here === 0) continue;
    worth[at] = factors.reduce(
      (product, { of }) => product * of(one.document),
      here * askedOf(at) * wishOf(at),
    );
    top = Math.max(top, worth[at] ?? 0);
  }
  const sessionFit = sessionFits(scene);
  const dateFit = dateFits(question.dates);
  const extras: Record<string, (at: number, document: Document) => number> = {
    session: (at) => weights.session * top * (sessionFit[at] ?? 0),
    date: (_at, { day }) => weights.date * top * dateFit(day),
  };
  const totals = worth.map((own, at) => {
    const document = documents[at];
    if (own === 0 || document === undefined) return 0;
    return Object.values(extras).reduce((total, of) => total + of(at, document), own);
  });
  return bestOf(totals, documents, most).map(({ at, document, total }) => {
    const alone = textWorth(scene, at, false);
    const parts: Record<string, number> = { words: alone, neighbours: (words[at] ?? 0) - alone };
    if (perNear > 0) parts["vector"] = nearness(scorable[at] ?? { document, eligible: false });
    if (askedOf(at) !== 1) parts["asked"] = askedOf(at);
    if (wishOf(at) !== 1) parts["wish"] = wishOf(at);
    for (const { name, of } of factors) if (of(document) !== 1) parts[name] = of(document);
    for (const [name, of] of Object.entries(extras)) parts[name] = of(at, document);
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
  /** What neighbours lend to the text that is looked at, by feature. */
  lent: Float64Array;
}

/** What the text and, if wanted, its neighbours hold of the question; of a long text the best window. */
function textWorth(scene: Scene, at: number, withNeighbours: boolean): number {
  const own = scene.evidence[at];
  scene.lent.fill(0);
  const isLent = withNeighbours && lendTo(scene, at);
  if (own === undefined) return isLent ? saturated(scene, undefined) : 0;
  let best = 0;
  for (const window of own.windows) best = Math.max(best, saturated(scene, window));
  return best;
}

function saturated({ features, weights, lent }: Scene, own: Float64Array | undefined): number {
  const { k1 } = weights;
  let total = 0;
  for (let index = 0; index < lent.length; index++) {
    const frequency = (own?.[index] ?? 0) + (lent[index] ?? 0);
    if (frequency > 0) total += ((features.weights[index] ?? 0) * frequency * (k1 + 1)) / (frequency + k1);
  }
  return total;
}

/** Adds what the neighbours hold to `lent`; false where they hold nothing of the question. */
function lendTo({ documents, evidence, weights, around, lent }: Scene, at: number): boolean {
  const receiver = documents[at];
  if (receiver === undefined) return false;
  let isLent = false;
  for (let place = 0; place < AWAY.length; place++) {
    const neighbour = around[at * AWAY.length + place] ?? -1;
    const gives = neighbour === -1 ? undefined : evidence[neighbour];
    const giver = documents[neighbour];
    if (giver === undefined || gives === undefined) continue;
    isLent = true;
    const away = AWAY[place] as (typeof AWAY)[number];
    const { from, half } = weights.receiver;
    const share =
      ((weights.neighbours[away] * half) / (half + Math.max(0, receiver.length - from))) *
      (away === -1 && isAnsweredBy(giver, receiver) ? weights.answered : 1) *
      exchangeFactor(giver, receiver, away, weights);
    for (const index of gives.present) lent[index] = (lent[index] ?? 0) + share * (gives.whole[index] ?? 0);
  }
  return isLent;
}

/** A tool's record stands beside the answer that it was made for, and is none. */
function isAnsweredBy(asking: Document, answer: Document): boolean {
  const isOthers = asking.speaker !== answer.speaker || asking.role !== answer.role;
  return isOthers && answer.role !== "tool" && (asking.cues & CUES.asks) > 0;
}

/** What a person said and what the agent answered. */
function exchangeFactor(giver: Document, receiver: Document, away: number, weights: Weights): number {
  const [said, answer] = away === -1 ? [giver, receiver] : [receiver, giver];
  if (Math.abs(away) !== 1 || said.role !== "user" || answer.role !== "agent") return 1;
  return receiver === answer ? weights.exchange.toAnswer : weights.exchange.toQuestion;
}

/** What the worth of a text is multiplied by; 1 where it does not apply. */
function factorsOf(
  { wants }: Question,
  named: ReadonlySet<string>,
  weights: Weights,
): readonly { name: string; of: (document: Document) => number }[] {
  const when = (applies: boolean, weight: number): number => (applies ? weight : 1);
  const isNamed = (speaker: string | undefined): boolean => speaker !== undefined && named.has(speaker);
  const tells = (cues: number): boolean => wants.when && (cues & CUES.tellsTime) > 0;
  return [
    { name: "speaker", of: ({ speaker }) => when(isNamed(speaker), weights.namedSpeaker) },
    { name: "agent", of: ({ role }) => when(role === "agent" && !wants.agent, weights.agent) },
    { name: "tellsTime", of: ({ cues }) => when(tells(cues), weights.tellsTime) },
  ];
}

/** Whether what comes next is an agent's or a tool's is seen in the place where it stands. */
const NEXT = AWAY.indexOf(1);

/** What was said next in the conversation, where it is among the documents. */
function nextOf({ documents, around }: Scene, at: number): Document | undefined {
  return documents[around[at * AWAY.length + NEXT] ?? -1];
}

/** What counts less since its answer tells, by its place in the documents; 1 where that is not so. */
function askedOfPersons(scene: Scene): (at: number) => number {
  const { asked } = scene.weights;
  return (at) => {
    const document = scene.documents[at];
    if (document?.role !== "user" || (document.cues & CUES.asks) === 0) return 1;
    const isOfPerson = (nextOf(scene, at)?.role ?? "user") === "user";
    return isOfPerson && document.length <= asked.upTo ? asked.counts : 1;
  };
}

/** What counts more since it says how the agent is to do what is asked for. */
function wishesToAgents(scene: Scene, { wants }: Question): (at: number) => number {
  return (at) => {
    const document = scene.documents[at];
    if (!wants.help || document?.role !== "user" || (document.cues & CUES.wishes) === 0) return 1;
    return nextOf(scene, at)?.role === "agent" ? scene.weights.wish : 1;
  };
}

/** 0–1: how well a day fits the best of the dates; reckoned once for each day. */
function dateFits(dates: readonly DateHint[]): (day: string) => number {
  const known = new Map<string, number>();
  return (day) => {
    if (dates.length === 0 || !isDay(day)) return 0;
    return entryOf(known, day, () => dates.reduce((best, hint) => Math.max(best, fitOf(hint, day)), 0));
  };
}

/** 0–1, of each document: what all turns of its sitting together hold of the question, beside the best sitting. */
function sessionFits(scene: Scene): Float64Array {
  const { documents, evidence, features } = scene;
  const sittings = sittingsOf(documents);
  const held = new Map<number, Float64Array>();
  for (let at = 0; at < documents.length; at++) {
    const own = evidence[at];
    if (own === undefined) continue;
    const together = entryOf(held, sittings[at] ?? -1, () => new Float64Array(features.weights.length));
    for (const index of own.present) together[index] = (together[index] ?? 0) + (own.whole[index] ?? 0);
  }
  scene.lent.fill(0);
  const fits = new Map<number, number>();
  let best = 0;
  for (const [sitting, together] of held) {
    // Rounded: engines add the turns up in different orders.
    const fit = Math.round(saturated(scene, together) / EQUAL_WITHIN) * EQUAL_WITHIN;
    fits.set(sitting, fit);
    best = Math.max(best, fit);
  }
  if (held.size < 2 || best === 0) return new Float64Array(documents.length);
  return Float64Array.from(sittings, (sitting) => (fits.get(sitting) ?? 0) / best);
}

/** The sitting of each document, as a number: what was said of one conversation on one day; a text of no conversation is one by itself. */
function sittingsOf(documents: readonly Document[]): Int32Array {
  const known = new Map<string, Map<string, number>>();
  let count = 0;
  return Int32Array.from(documents, ({ conversation, day }) => {
    if (conversation === undefined) return count++;
    const days = entryOf(known, conversation, () => new Map<string, number>());
    return entryOf(days, day, () => count++);
  });
}

function weightOfQuestion({ terms, weights }: Features): number {
  return [...weights.subarray(0, terms.length)]
    .sort((a, b) => b - a)
    .slice(0, SIMILARITY.tellingTerms)
    .reduce((total, weight) => total + weight, 0);
}

/** Sums of the same parts may differ in their last bits: closer than this is equal. */
const EQUAL_WITHIN = 1e-9;

function bestOf(
  totals: Float64Array,
  documents: readonly Document[],
  most: number,
): { at: number; document: Document; total: number }[] {
  // Thousands of numbers are put in order sooner than thousands of ids.
  const least = totals.slice().sort()[Math.max(0, totals.length - most)] ?? 0;
  return documents
    .map((document, at) => ({ at, document, total: totals[at] ?? 0 }))
    .filter(({ total }) => total > 0 && total >= least - EQUAL_WITHIN)
    .sort(
      (a, b) => Math.round((b.total - a.total) / EQUAL_WITHIN) || (a.document.id < b.document.id ? -1 : 1),
    )
    .slice(0, most);
}
