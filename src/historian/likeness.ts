/**
 * Which remembered things say nearly the same. Pure.
 *
 * What is alike is looked for by the words they share, so that a thousand old
 * records cost no more than the few that have a word in common with the new one.
 */
import { termsOf } from "../text/terms.js";
import { foldText } from "../text/fold.js";

/** From here on a provider is asked (bigram Dice or token Jaccard): low enough for two that cannot both hold. */
const ALIKE = 0.4;
/** Without a model only what is all but the same. */
export const ALL_BUT_THE_SAME = 0.9;

/** A word that so many records share tells nothing of any. */
const MOST_SHARING = 2000;

interface Known<T> {
  item: T;
  text: string;
  terms: ReadonlySet<string>;
}

export interface Alike<T> {
  item: T;
  /** 0–1. */
  likeness: number;
  /** The same numbers, names and negations. */
  saysTheSame: boolean;
}

export class Likeness<T> {
  readonly #known = new Map<string, Known<T>>();
  readonly #byTerm = new Map<string, Set<string>>();

  constructor(
    readonly keyOf: (item: T) => string,
    readonly textOf: (item: T) => string,
  ) {}

  get(key: string): T | undefined {
    return this.#known.get(key)?.item;
  }

  /** In the place of what stood under its key. */
  put(item: T): void {
    const key = this.keyOf(item);
    this.drop(key);
    const text = this.textOf(item);
    const terms = new Set(termsOf(text));
    this.#known.set(key, { item, text, terms });
    for (const term of terms) {
      const keys = this.#byTerm.get(term) ?? new Set();
      keys.add(key);
      this.#byTerm.set(term, keys);
    }
  }

  drop(key: string): void {
    const known = this.#known.get(key);
    if (known === undefined) return;
    this.#known.delete(key);
    for (const term of known.terms) this.#byTerm.get(term)?.delete(key);
  }

  /** Those that are alike and that `among` lets through, most alike first. */
  alike(text: string, among: (item: T) => boolean): Alike<T>[] {
    const terms = new Set(termsOf(text));
    const shared = new Map<string, number>();
    for (const term of terms) {
      const keys = this.#byTerm.get(term);
      if (keys === undefined || keys.size > MOST_SHARING) continue;
      for (const key of keys) shared.set(key, (shared.get(key) ?? 0) + 1);
    }
    const found: Alike<T>[] = [];
    for (const [key, count] of shared) {
      const known = this.#known.get(key);
      // A quarter of the words in common can still be half of the letters.
      if (known === undefined || count < 0.25 * Math.min(terms.size, known.terms.size) || !among(known.item))
        continue;
      const likeness = likenessOf(text, known.text, terms, known.terms);
      if (likeness >= ALIKE)
        found.push({ item: known.item, likeness, saysTheSame: pointOf(text) === pointOf(known.text) });
    }
    return found.sort((one, other) => other.likeness - one.likeness);
  }
}

function likenessOf(
  one: string,
  other: string,
  terms: ReadonlySet<string>,
  others: ReadonlySet<string>,
): number {
  const shared = [...terms].filter((term) => others.has(term)).length;
  const jaccard = shared / Math.max(1, terms.size + others.size - shared);
  return Math.max(jaccard, dice(one, other));
}

function dice(one: string, other: string): number {
  const [mine, theirs] = [bigramsOf(one), bigramsOf(other)];
  const shared = [...mine].filter((bigram) => theirs.has(bigram)).length;
  return (2 * shared) / Math.max(1, mine.size + theirs.size);
}

function bigramsOf(text: string): Set<string> {
  const letters = [
    ...foldText(text)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ""),
  ];
  return new Set(letters.slice(1).map((letter, at) => `${letters[at]}${letter}`));
}

const NEGATION =
  /\b(?:no|not|never|none|nobody|nothing|without|neither|nor|cannot|stopped|stops|quit|no longer)\b|n['’]t\b|不|没|無|无|别|未|非|禁|戒|停/giu;
const NAME = /(?<![.!?。]\s|^)\b\p{Lu}[\p{L}'’-]+/gu;

/** What may not differ between two that are taken for one. */
function pointOf(text: string): string {
  const folded = foldText(text);
  const numbers = folded.match(/\p{N}+/gu) ?? [];
  const names = (folded.match(NAME) ?? []).map((name) => name.toLowerCase());
  const negations = (folded.match(NEGATION) ?? []).length;
  return JSON.stringify([numbers.sort(), names.sort(), negations]);
}
