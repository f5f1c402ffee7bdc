/**
 * Which older records a new one may repeat or contradict, and what is made of
 * the answer.
 *
 * Pure. What is all but the same is decided without asking; of the rest that is
 * alike a provider says whether it is one thing, or whether the new one is right
 * now. A record that is contradicted stays: it says since when, and by which.
 */
import { defined } from "../model/defined.js";
import type { MemoryRecord } from "../model/record.js";
import type { Zone } from "../model/time.js";
import type { Verdict } from "../model/finding.js";
import { ALL_BUT_THE_SAME, type Likeness } from "./likeness.js";
import { leastTrusted } from "../model/trust.js";

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
    if (alike.some(({ item, ...how }) => isTwin(newer, item, how, zone))) continue;
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
  const lines: MemoryRecord[] = [];
  const put = (line: MemoryRecord): void => {
    known.put(line);
    lines.push(line);
  };
  for (const record of fresh) {
    if (isRepeat(record, known)) continue;
    const alike = known.alike(record.text, (other) => isComparable(record, other));
    const twin = alike.find(({ item, ...how }) => isTwin(record, item, how, zone))?.item;
    if (twin !== undefined) {
      put(merged(twin, record));
      continue;
    }
    const judged = alike.map(({ item }) => ({ item, verdict: verdicts.get(pairKey(item, record)) }));
    const same = judged.find(({ item, verdict }) => verdict?.is === "same" && mayBeOne(record, item, zone));
    if (same !== undefined) {
      put(merged(same.item, record, same.verdict?.text));
      continue;
    }
    const against = judged.filter(({ verdict }) => verdict?.is === "contradicts").map(({ item }) => item);
    for (const line of contradicted(record, against)) put(line);
  }
  return lines;
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

function isTwin(
  record: MemoryRecord,
  other: MemoryRecord,
  { likeness, saysTheSame }: { likeness: number; saysTheSame: boolean },
  zone: Zone,
): boolean {
  return likeness >= ALL_BUT_THE_SAME && saysTheSame && mayBeOne(record, other, zone);
}

/** Things that happened on two days happened twice; what is so was told twice. */
function mayBeOne(record: MemoryRecord, other: MemoryRecord, zone: Zone): boolean {
  return record.kind === "fact" || zone.dayOf(other.at) === zone.dayOf(record.at);
}

/** Under the older id: it was known since then. */
function merged(older: MemoryRecord, newer: MemoryRecord, told?: string): MemoryRecord {
  const text = told ?? (newer.isAbsolute || !older.isAbsolute ? newer.text : older.text);
  return {
    ...older,
    text,
    isAbsolute: newer.isAbsolute || older.isAbsolute,
    sources: [...new Set([...older.sources, ...newer.sources])],
    trust: leastTrusted([older.trust, newer.trust]),
    ...defined({ validTo: newer.validTo }),
  };
}

/** The later one holds, whichever was told first. */
function contradicted(record: MemoryRecord, against: readonly MemoryRecord[]): MemoryRecord[] {
  const later = against.find(({ at }) => at > record.at);
  if (later !== undefined)
    return [
      { ...record, supersededBy: later.id, supersededAt: later.at },
      { ...later, supersedes: record.id },
    ];
  const [first] = against;
  return [
    first === undefined ? record : { ...record, supersedes: first.id },
    ...against.map((older) => ({ ...older, supersededBy: record.id, supersededAt: record.at })),
  ];
}
