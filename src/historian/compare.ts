/**
 * Which older records a new one may repeat or contradict, and what is made of the answer. Pure.
 *
 * What is alike is looked for by shared words. What is all but the same is decided without
 * asking; of the rest that is alike a provider says whether it is one thing, or whether the new
 * one is right now. A record that is contradicted stays: it says since when, and by which.
 */
import { defined, tally } from "../model/collections.js";
import type { Verdict } from "../model/found.js";
import { leastTrusted, type MemoryRecord } from "../model/record.js";
import type { Zone } from "../model/time.js";
import { foldText } from "../text/fold.js";
import { termsOf } from "../text/terms.js";
import { driftOf, idsIn } from "./absolutise.js";

export interface Pair {
  older: MemoryRecord;
  newer: MemoryRecord;
}

/** By `pairKey`: an answer about other texts than those that stand is none. */
export type Verdicts = ReadonlyMap<string, Verdict>;

/** Of one record; the most alike. */
const MOST_ASKED = 3;

/** What a provider has to be asked about, each pair of texts once. */
export function pairsToAsk(
  fresh: readonly MemoryRecord[],
  known: Likeness<MemoryRecord>,
  zone: Zone,
): Pair[] {
  const pairs = new Map<string, Pair>();
  for (const newer of fresh) {
    if (isRepeat(newer, known)) continue;
    const alike = known.alike(newer.text, (other) => isComparable(newer, other));
    if (alike.some((other) => isTwin(newer, other, zone))) continue;
    for (const { item: older } of alike.slice(0, MOST_ASKED))
      pairs.set(pairKey(older, newer), { older, newer });
  }
  return [...pairs.values()];
}

export function pairKey(older: Pick<MemoryRecord, "text">, newer: Pick<MemoryRecord, "text">): string {
  return JSON.stringify([older.text, newer.text]);
}

/**
 * The lines to append for new records: what says the same as an older one is
 * that one once more, with what is new about it; what contradicts one stands
 * beside it, linked both ways.
 */
export function settled(
  fresh: readonly MemoryRecord[],
  known: Likeness<MemoryRecord>,
  zone: Zone,
  verdicts: Verdicts = new Map(),
): MemoryRecord[] {
  return fresh.flatMap((record) => {
    const lines = isRepeat(record, known) ? [] : linesOf(record, known, zone, verdicts);
    for (const line of lines) known.put(line);
    return lines;
  });
}

function linesOf(
  record: MemoryRecord,
  known: Likeness<MemoryRecord>,
  zone: Zone,
  verdicts: Verdicts,
): MemoryRecord[] {
  const alike = known.alike(record.text, (other) => isComparable(record, other));
  const twin = alike.find((other) => isTwin(record, other, zone))?.item;
  if (twin !== undefined) return [merged(twin, record)];
  const judged = alike.map(({ item }) => ({ item, verdict: verdicts.get(pairKey(item, record)) }));
  const same = judged.find(
    ({ item, verdict }) =>
      verdict?.is === "same" && mayBeOne(record, item, zone) && isQuoted(record) === isQuoted(item),
  );
  if (same !== undefined) return [merged(same.item, record, toldOf(same.item, record, same.verdict?.text))];
  const against = judged.filter(
    ({ item, verdict }) => verdict?.is === "contradicts" && mayOvertake(record, item),
  );
  return contradicted(
    record,
    against.map(({ item }) => item),
  );
}

/** A job that is worked again says what it said, or at last what was said before it was made to stand alone. */
function isRepeat(record: MemoryRecord, known: Likeness<MemoryRecord>): boolean {
  const own = known.get(record.id);
  if (own === undefined) return false;
  const isWorse = own.isAbsolute && !record.isAbsolute;
  return isWorse || (own.text === record.text && own.isAbsolute === record.isAbsolute);
}

/** Only what is of the same kind, reach, people, place and side, and still stands, is compared. */
function isComparable(record: MemoryRecord, other: MemoryRecord): boolean {
  return other.id !== record.id && other.supersededAt === undefined && shelfOf(other) === shelfOf(record);
}

function shelfOf({ kind, level, user, scope, session, perspective }: MemoryRecord): string {
  return JSON.stringify([
    kind,
    level,
    user ?? null,
    // What is of user level is the same everywhere.
    level === "user" ? null : scope,
    level === "session" ? (session ?? null) : null,
    perspective ?? null,
  ]);
}

function isTwin(record: MemoryRecord, other: Alike<MemoryRecord>, zone: Zone): boolean {
  return other.likeness >= ALL_BUT_THE_SAME && other.saysTheSame && mayBeOne(record, other.item, zone);
}

/** What a tool gave or a document says; whatever a model makes of it, people's words stand as they were said. */
function isQuoted({ trust }: MemoryRecord): boolean {
  return trust === "tool" || trust === "document";
}

function mayOvertake(record: MemoryRecord, other: MemoryRecord): boolean {
  const [earlier, later] = other.at > record.at ? [record, other] : [other, record];
  return isQuoted(earlier) || !isQuoted(later);
}

/** What says both, in a model's words, as long as they name nobody and nothing else. */
function toldOf(older: MemoryRecord, newer: MemoryRecord, told: string | undefined): string | undefined {
  if (told === undefined) return undefined;
  return driftOf("", told, idsIn(older.text, newer.text)).invented.length === 0 ? told : undefined;
}

/** Things that happened on two days happened twice; what is so was told twice. */
function mayBeOne(record: MemoryRecord, other: MemoryRecord, zone: Zone): boolean {
  return record.kind === "fact" || zone.dayOf(other.at) === zone.dayOf(record.at);
}

/** What was said so often needs no more to be believed; a line with every time it was said would have no end. */
const MOST_SOURCES = 50;

/** Under the older id: it was known since then. */
function merged(older: MemoryRecord, newer: MemoryRecord, told?: string): MemoryRecord {
  if (older.sources.length >= MOST_SOURCES && older.isAbsolute)
    return {
      ...older,
      trust: leastTrusted([older.trust, newer.trust]),
      ...defined({ validTo: newer.validTo }),
    };
  const taken = newer.isAbsolute || !older.isAbsolute ? newer : older;
  const { said: _said, ...rest } = older;
  return {
    ...rest,
    ...defined({ said: taken.said }),
    text: told ?? taken.text,
    isAbsolute: newer.isAbsolute || older.isAbsolute,
    sources: [...new Set([...older.sources, ...newer.sources])],
    trust: leastTrusted([older.trust, newer.trust]),
    ...defined({ validTo: newer.validTo }),
  };
}

/** The later one holds, whichever was told first. */
function contradicted(record: MemoryRecord, against: readonly MemoryRecord[]): MemoryRecord[] {
  const overtaken = (older: MemoryRecord, by: MemoryRecord): MemoryRecord => ({
    ...older,
    supersededBy: by.id,
    supersededAt: by.at,
  });
  const later = against.find(({ at }) => at > record.at);
  if (later !== undefined) return [overtaken(record, later), { ...later, supersedes: record.id }];
  const [first] = against;
  const newer = first === undefined ? record : { ...record, supersedes: first.id };
  return [newer, ...against.map((older) => overtaken(older, record))];
}

/** From here on a provider is asked (bigram Dice or token Jaccard): low enough for two that cannot both hold. */
const ALIKE = 0.4;
/** Without a model only what is all but the same. */
const ALL_BUT_THE_SAME = 0.9;

/** A word that so many records share tells nothing of any. */
const MOST_SHARING = 2000;

interface Known<T> {
  item: T;
  text: string;
  terms: ReadonlySet<string>;
}

interface Alike<T> {
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
    const sharing = [...terms].flatMap((term) => {
      const keys = this.#byTerm.get(term);
      return keys === undefined || keys.size > MOST_SHARING ? [] : [...keys];
    });
    const found: Alike<T>[] = [];
    for (const [key, count] of tally(sharing)) {
      const known = this.#known.get(key);
      // A quarter of the words in common can still be half of the letters.
      if (known === undefined || count < 0.25 * Math.min(terms.size, known.terms.size) || !among(known.item))
        continue;
      const likeness = Math.max(jaccard(terms, known.terms), dice(text, known.text));
      if (likeness >= ALIKE)
        found.push({ item: known.item, likeness, saysTheSame: pointOf(text) === pointOf(known.text) });
    }
    return found.sort((one, other) => other.likeness - one.likeness);
  }
}

function jaccard(terms: ReadonlySet<string>, others: ReadonlySet<string>): number {
  const shared = sharedBy(terms, others);
  return shared / Math.max(1, terms.size + others.size - shared);
}

function dice(one: string, other: string): number {
  const [mine, theirs] = [bigramsOf(one), bigramsOf(other)];
  return (2 * sharedBy(mine, theirs)) / Math.max(1, mine.size + theirs.size);
}

function sharedBy(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return [...some].filter((one) => others.has(one)).length;
}

function bigramsOf(text: string): Set<string> {
  const folded = foldText(text).toLowerCase();
  const letters = [...folded.replace(/[^\p{L}\p{N}]+/gu, "")];
  return new Set(letters.slice(1).map((letter, at) => `${letters[at]}${letter}`));
}

const NEGATION =
  /\b(?:no|not|never|none|nobody|nothing|without|neither|nor|cannot|stopped|stops|quit|no longer)\b|n['’]t\b|不|没|無|无|别|未|非|禁|戒|停/giu;
const LATIN_OR_NUMBER = /[\p{Script=Latin}\p{N}]+/gu;
const DIGITS = /\p{N}+/gu;
const NAME = /(?<![.!?。]\s|^)\b\p{Lu}[\p{L}'’-]+/gu;

/** Those of 9pm by themselves; a name that has one in it is whole, for berth A19 is not berth B19. */
function numbersIn(word: string): readonly string[] {
  const numbers = word.match(DIGITS) ?? [];
  return numbers.length === 0 || /^\p{N}/u.test(word) ? numbers : [word.toLowerCase()];
}

/** What may not differ between two that are taken for one. */
function pointOf(text: string): string {
  const folded = foldText(text);
  const numbers = (folded.match(LATIN_OR_NUMBER) ?? []).flatMap(numbersIn);
  const names = (folded.match(NAME) ?? []).map((name) => name.toLowerCase());
  const negations = (folded.match(NEGATION) ?? []).length;
  return JSON.stringify([numbers.sort(), names.sort(), negations]);
}
