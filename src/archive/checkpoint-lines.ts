/**
 * The lines of a checkpoint: of each file what the ledger was told of it, without the words. Messages stand in
 * columns, a thousand to a line, since to read hundreds of thousands of small objects takes longer than all
 * else that a start does. Pure. What is read is trusted: a hash over all of it says that memd wrote it.
 */
import { idOfKey, keyOf, type ScopeId } from "../model/address.js";
import type { MessageId, Role } from "../model/message.js";
import { type EpochMs, isoOf } from "../model/time.js";
import { type Origin, parseJournalEntry, type PlacedEntry, printJournalEntry } from "../protocol/journal.js";
import type { Remembered } from "./known-files.js";
import type { Seen } from "./ledger.js";
import { type Sighting, sightingOf } from "./sighting.js";

/** What stands before the lines of a file. */
export type FileHead =
  | ({ is: "file"; path: string } & Omit<Remembered, "sightings">)
  /** Its first `bytes`, which are so many whole lines and have this hash; with this stamp it has no others. */
  | { is: "journal"; path: string; stamp: string; bytes: number; lines: number; hash: string };

/** An entry without its words. */
export interface Recalled {
  entry: Seen | Exclude<PlacedEntry["entry"], { op: "message" }>;
  line: number;
}

/** What most messages of a conversation have in common. */
type Kind = [scope: ScopeId, session: string, role: Role, belongsTo: string | null, from: Origin | null];

interface Columns {
  kinds: Kind[];
  /** Which of the kinds. */
  of: number[];
  ids: MessageId[];
  hashes: string[];
  filedAt: EpochMs[];
  /** 0 where it is the time of filing, printed. */
  createdAt: (string | 0)[];
}

type Line = { line: number; said: Columns } | { line: number; entry: unknown };

const MOST_ROWS = 1000;

export function* printSightings(sightings: readonly Sighting[]): Generator<string> {
  for (let at = 0; at < sightings.length; at += MOST_ROWS)
    yield printColumns(
      sightings.slice(at, at + MOST_ROWS).map((sighting) => ({ sighting, from: null })),
      at + 1,
    );
}

/** Lines of the journal one after the other stand together. */
export function* printEntries(entries: Iterable<PlacedEntry>): Generator<string> {
  let run: { sighting: Sighting; from: Origin }[] = [];
  let next = 0;
  for (const { entry, place } of entries) {
    const isMessage = entry.op === "message";
    if (run.length > 0 && (!isMessage || place.line !== next || run.length === MOST_ROWS)) {
      yield printColumns(run, next - run.length);
      run = [];
    }
    next = place.line + 1;
    if (isMessage) run.push({ sighting: sightingOf(entry.filed), from: entry.from });
    else for (const printed of printJournalEntry(entry)) yield `{"line":${place.line},"entry":${printed}}\n`;
  }
  if (run.length > 0) yield printColumns(run, next - run.length);
}

function printColumns(rows: readonly { sighting: Sighting; from: Origin | null }[], line: number): string {
  const kinds = new Map<string, number>();
  const said: Columns = { kinds: [], of: [], ids: [], hashes: [], filedAt: [], createdAt: [] };
  for (const { sighting, from } of rows) {
    const { key, scope, session, role, belongsTo, hash, filedAt, createdAt } = sighting;
    const kind: Kind = [scope, session, role, belongsTo ?? null, from];
    const name = JSON.stringify(kind);
    const known = kinds.get(name) ?? said.kinds.push(kind) - 1;
    kinds.set(name, known);
    said.of.push(known);
    said.ids.push(idOfKey(key));
    said.hashes.push(hash);
    said.filedAt.push(filedAt);
    said.createdAt.push(createdAt === undefined || createdAt === isoOf(filedAt) ? 0 : createdAt);
  }
  return `${JSON.stringify({ line, said } satisfies Line)}\n`;
}

export function* sightingsIn(line: string): Generator<Sighting> {
  const read = JSON.parse(line) as Line;
  if ("said" in read) for (const { sighting } of rowsOf(read.said, read.line)) yield sighting;
}

export function* entriesIn(line: string): Generator<Recalled> {
  const read = JSON.parse(line) as Line;
  if ("said" in read) {
    for (const { sighting, from, line } of rowsOf(read.said, read.line))
      if (from !== null) yield { entry: { op: "seen", from, sighting }, line };
    return;
  }
  const entry = parseJournalEntry(read.entry);
  if (entry !== undefined && entry.op !== "message") yield { entry, line: read.line };
}

interface Row {
  sighting: Sighting;
  from: Origin | null;
  line: number;
}

function* rowsOf(
  { kinds, of, ids, hashes, filedAt: times, createdAt: said }: Columns,
  line: number,
): Generator<Row> {
  for (const [index, id] of ids.entries()) {
    const kind = kinds[of[index] ?? 0];
    const filedAt = times[index];
    if (kind === undefined || filedAt === undefined) continue;
    yield {
      sighting: toldOf(kind, id, filedAt, hashes[index] ?? "", said[index]),
      from: kind[4],
      line: line + index,
    };
  }
}

function toldOf(
  [scope, session, role, belongsTo]: Kind,
  id: MessageId,
  filedAt: EpochMs,
  hash: string,
  said: string | 0 | undefined,
): Sighting {
  const key = keyOf(scope, id);
  const told: Sighting = {
    key,
    scope,
    session,
    role,
    filedAt,
    hash,
    createdAt: said || undefined,
    isOwn: true,
  };
  if (belongsTo !== null) told.belongsTo = belongsTo;
  return told;
}
