/** A conversation, cut where its vocabulary turns. Pure. */
import {
  cosine,
  countsOf,
  statistics,
  summed,
  weighing,
  withinOne,
  type TermCounts,
} from "./term-vectors.js";

/** What stays together whatever its words: a question with its answers. */
export interface Exchange<Key> {
  keys: readonly Key[];
  /** Names of who speaks too: they tell one conversation from another. */
  text: string;
  tokens: number;
}

export interface Piece<Key> {
  keys: Key[];
  counts: TermCounts;
  tokens: number;
}

/** So many exchanges on either side of a cut are compared. */
const AROUND = 8;
/** A cut is a valley so many standard deviations deeper than most. */
const DEEPER_BY = 0.3;

/** The conversation, cut at the deepest valleys of likeness between what stands before and behind. */
export function piecesOf<Key>(exchanges: readonly Exchange<Key>[]): Piece<Key>[] {
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
