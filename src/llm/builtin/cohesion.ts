/**
 * What belongs together, by its words: a conversation cut where its vocabulary
 * turns, and the pieces put together with those they share their telling words
 * with, topics that exist already among them.
 *
 * Pure; the built-in way to split. No threshold is absolute: how alike is alike
 * is read off how alike all pieces are to each other, since small talk shares
 * most of its words with any other, and two notes on one program few.
 */
import { addAll, tally } from "../../model/collections.js";
import { termsOf } from "../../text/terms.js";

/** A topic as it stands. */
interface Standing<Id> {
  id: Id;
  /** Of what came to it at one time each. */
  pieces: readonly TermCounts[];
  tokens: number;
}

interface Grouped<Id, Key> {
  /** Undefined for one that begins. */
  topic?: Id;
  /** What came to it, in pieces that are about one thing each, in the order of the conversation. */
  pieces: Key[][];
  /** The words of it, the most telling first. */
  words: string[];
}

/** Two groups are one where they are so many standard deviations more alike than two pieces usually are. */
const ALIKE_BY = 0.55;
/** Of a window: a group of less is no matter of its own. */
const SMALL_SHARE = 0.02;
/** Of what stands, so many pieces say how alike pieces usually are. */
const MOST_COMPARED = 200;

/** `mostTokens`: no group that is put together gets larger; one exchange may be. */
export function grouped<Id, Key>(
  exchanges: readonly Exchange<Key>[],
  standing: readonly Standing<Id>[],
  mostTokens: number,
): Grouped<Id, Key>[] {
  const fresh = piecesOf(exchanges);
  const known = standing.flatMap(({ pieces }) => pieces);
  const corpus = [...known, ...fresh.map(({ counts }) => counts)];
  const vectorOf = weighing(corpus, betweenSeveral);
  const groups: Group<Id, Key>[] = [
    ...standing.map(({ id, pieces, tokens }) => ({
      topic: id,
      vectors: pieces.map(vectorOf),
      tokens,
      pieces: [],
    })),
    ...fresh.map((piece) => ({
      topic: undefined,
      vectors: [vectorOf(piece.counts)],
      tokens: piece.tokens,
      pieces: [piece],
    })),
  ];
  const compared = corpus.slice(-MOST_COMPARED).map(vectorOf);
  const usual = compared.flatMap((one, at) => compared.slice(0, at).map((other) => cosine(one, other)));
  const { mean, deviation } = statistics(usual);
  const found = joined(groups, mean + ALIKE_BY * deviation, mostTokens);
  joinSmall(found, fresh, mostTokens);
  return found
    .filter(({ pieces }) => pieces.length > 0)
    .map(({ topic, pieces }) => ({
      ...(topic === undefined ? {} : { topic }),
      pieces: pieces.map(({ keys }) => keys),
      words: topTerms(vectorOf(summed(pieces.map(({ counts }) => counts)))),
    }));
}

interface Group<Id, Key> {
  topic: Id | undefined;
  vectors: Vector[];
  tokens: number;
  pieces: Piece<Key>[];
}

/** Average link: the two groups that are most alike become one, as long as any are alike enough. Topics never join each other. */
function joined<Id, Key>(
  groups: readonly Group<Id, Key>[],
  least: number,
  mostTokens: number,
): Group<Id, Key>[] {
  const standing = new Set(groups);
  /** Sums of the likenesses of all pairs between two groups. */
  const sums = groups.map(({ vectors }, at) =>
    groups.slice(0, at).map((other) => allPairs(vectors, other.vectors)),
  );
  const indexOf = new Map(groups.map((group, at) => [group, at]));
  const sumOf = (one: number, other: number): number =>
    sums[Math.max(one, other)]?.[Math.min(one, other)] ?? 0;
  for (;;) {
    let best: { one: Group<Id, Key>; other: Group<Id, Key>; likeness: number } | undefined;
    const present = [...standing];
    for (const [at, one] of present.entries())
      for (const other of present.slice(at + 1)) {
        if (one.topic !== undefined && other.topic !== undefined) continue;
        if (one.tokens + other.tokens > mostTokens) continue;
        const pairs = one.vectors.length * other.vectors.length;
        const likeness = sumOf(indexOf.get(one) ?? 0, indexOf.get(other) ?? 0) / Math.max(1, pairs);
        if (likeness > (best?.likeness ?? least)) best = { one, other, likeness };
      }
    if (best === undefined) return present;
    const { one, other } = best;
    const [into, from] = [indexOf.get(one) ?? 0, indexOf.get(other) ?? 0];
    for (const third of present) {
      const at = indexOf.get(third) ?? 0;
      const row = sums[Math.max(into, at)];
      if (third !== one && third !== other && row !== undefined)
        row[Math.min(into, at)] = sumOf(into, at) + sumOf(from, at);
    }
    one.topic ??= other.topic;
    addAll(one.vectors, other.vectors);
    addAll(one.pieces, other.pieces);
    one.tokens += other.tokens;
    standing.delete(other);
  }
}

/** What is too little to be a matter of its own goes on with what was said before it. */
function joinSmall<Id, Key>(
  groups: readonly Group<Id, Key>[],
  order: readonly Piece<Key>[],
  mostTokens: number,
): void {
  const isSmall = ({ topic, tokens }: Group<Id, Key>): boolean =>
    topic === undefined && tokens < SMALL_SHARE * mostTokens;
  const small = new Set(groups.filter(isSmall));
  const holders = new Map(groups.flatMap((group) => group.pieces.map((piece) => [piece, group] as const)));
  let before = order
    .map((piece) => holders.get(piece))
    .find((group) => group !== undefined && !small.has(group));
  for (const piece of order) {
    const holder = holders.get(piece);
    if (holder === undefined || before === undefined) continue;
    if (!small.has(holder)) before = holder;
    else if (before.tokens + piece.tokens <= mostTokens) {
      before.pieces.push(piece);
      before.tokens += piece.tokens;
      holder.pieces = holder.pieces.filter((each) => each !== piece);
    }
  }
}

function allPairs(ones: readonly Vector[], others: readonly Vector[]): number {
  let sum = 0;
  for (const one of ones) for (const other of others) sum += cosine(one, other);
  return sum;
}

/** What stays together whatever its words: a question with its answers. */
export interface Exchange<Key> {
  keys: readonly Key[];
  /** Names of who speaks too: they tell one conversation from another. */
  text: string;
  tokens: number;
}

interface Piece<Key> {
  keys: Key[];
  counts: TermCounts;
  tokens: number;
}

/** So many exchanges on either side of a cut are compared. */
const AROUND = 8;
/** A cut is a valley so many standard deviations deeper than most. */
const DEEPER_BY = 0.3;

/** The conversation, cut at the deepest valleys of likeness between what stands before and behind. */
function piecesOf<Key>(exchanges: readonly Exchange<Key>[]): Piece<Key>[] {
  const counts = exchanges.map(({ text }) => countsOf(text));
  const vectorOf = weighing(counts, withinOne);
  const likeness = counts
    .slice(1)
    .map((_counts, before) =>
      cosine(
        vectorOf(summed(counts.slice(Math.max(0, before + 1 - AROUND), before + 1))),
        vectorOf(summed(counts.slice(before + 1, before + 1 + AROUND))),
      ),
    );
  const depths = likeness.map((_like, at) => depthAt(likeness, at));
  const { mean, deviation } = statistics(depths);
  const isCut = (at: number): boolean => {
    const here = likeness[at] ?? 1;
    const isLowest = here <= (likeness[at - 1] ?? 1) && here <= (likeness[at + 1] ?? 1);
    return isLowest && (depths[at] ?? 0) > mean + DEEPER_BY * deviation;
  };
  const pieces: Exchange<Key>[][] = [];
  for (const [at, exchange] of exchanges.entries()) {
    if (at === 0 || isCut(at - 1)) pieces.push([]);
    pieces.at(-1)?.push(exchange);
  }
  return pieces.map((of) => ({
    keys: of.flatMap(({ keys }) => keys),
    counts: countsOf(of.map(({ text }) => text).join("\n")),
    tokens: of.reduce((sum, { tokens }) => sum + tokens, 0),
  }));
}

/** How far likeness rises on both sides of a place before it falls again. */
function depthAt(likeness: readonly number[], at: number): number {
  const here = likeness[at] ?? 0;
  const peak = (step: number): number => {
    let highest = here;
    for (let next = at; (likeness[next] ?? -1) >= highest; next += step) highest = likeness[next] ?? highest;
    return highest;
  };
  return peak(-1) - here + (peak(1) - here);
}

/** How often each term is said. */
type TermCounts = ReadonlyMap<string, number>;

/** Of unit length. */
type Vector = ReadonlyMap<string, number>;

export function countsOf(text: string): TermCounts {
  return tally(termsOf(text));
}

function summed(all: readonly TermCounts[]): TermCounts {
  const sums = new Map<string, number>();
  for (const counts of all) for (const [term, count] of counts) sums.set(term, (sums.get(term) ?? 0) + count);
  return sums;
}

/** Of a word that so many of all texts hold. */
type Rarity = (texts: number, holding: number) => number;

/** Within one conversation every word tells something. */
const withinOne: Rarity = (texts, holding) => Math.log(1 + texts / (1 + holding));

/** Between several, a word that nearly all of them hold tells nothing. */
export const betweenSeveral: Rarity = (texts, holding) =>
  Math.max(0, Math.log((texts + 1) / (holding + 0.5)));

/** What most texts say tells nothing of any; what is said often in one tells more of it. */
export function weighing(corpus: readonly TermCounts[], rarityOf: Rarity): (counts: TermCounts) => Vector {
  const holding = tally(corpus.flatMap((counts) => [...counts.keys()]));
  const rarity = (term: string): number => rarityOf(corpus.length, holding.get(term) ?? 0);
  return (counts) => {
    const weighed = [...counts].map(([term, count]) => [term, (1 + Math.log(count)) * rarity(term)] as const);
    const length = Math.sqrt(weighed.reduce((sum, [, weight]) => sum + weight * weight, 0)) || 1;
    return new Map(weighed.map(([term, weight]) => [term, weight / length]));
  };
}

export function cosine(one: Vector, other: Vector): number {
  const [small, large] = one.size <= other.size ? [one, other] : [other, one];
  let sum = 0;
  for (const [term, weight] of small) sum += weight * (large.get(term) ?? 0);
  return sum;
}

function topTerms(vector: Vector): string[] {
  return [...vector]
    .sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1))
    .slice(0, MOST_WORDS)
    .map(([term]) => term);
}
const MOST_WORDS = 40;

export function statistics(values: readonly number[]): { mean: number; deviation: number } {
  const count = Math.max(1, values.length);
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count;
  return { mean, deviation: Math.sqrt(variance) };
}
