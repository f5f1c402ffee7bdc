/**
 * The lines of a checkpoint: of each file what the ledger was told of it, without the words. Messages stand in
 * columns, a thousand to a line, since to read hundreds of thousands of small objects takes longer than all
 * else that a start does; and what a journal says of a message that stands in a day is the row of it there.
 * Pure. What is read is trusted: a hash over all of it says that memd wrote it.
 */
import { idOfKey, keyOf, type ScopeId } from "../model/address.js";
import type { MessageId, Role } from "../model/message.js";
import { type EpochMs, isoOf } from "../model/time.js";
import { type JournalEntry, type Origin, parseJournalEntry, printJournalEntry } from "../protocol/journal.js";
import type { DayRows, Row } from "./day-rows.js";
import type { Remembered } from "./known-files.js";
import type { Seen } from "./ledger.js";
import type { Sighting } from "./sighting.js";

/** What stands before the lines of a file. */
export type FileHead =
  | ({ is: "file"; path: string } & Omit<Remembered, "sightings">)
  /** Its first `bytes`, which are so many whole lines and have this hash; with this stamp it has no others. */
  | { is: "journal"; path: string; stamp: string; bytes: number; lines: number; hash: string };

/** A line of a journal: an entry without its words, or what it says of a message that stands in a day. */
export type Recalled = { entry: Seen | Exclude<JournalEntry, { op: "message" }>; line: number } | RecalledRow;

/** The message was seen as the row says, or its block of that version was written. */
export type RecalledRow = Row & ({ is: "seen"; from: Origin } | { is: "settled" }) & { line: number };

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

/** Rows of a day that stand one behind the other. */
type Run = [day: string, row: number, count: number];

/** `seen`: of lines one behind the other; `settled`: of one. */
type Line = { line: number } & (
  { said: Columns } | { from: Origin; seen: Run[] } | { settled: Run[] } | { entry: unknown }
);

const MOST_ROWS = 1000;

export function* printSightings(sightings: readonly Sighting[]): Generator<string> {
  for (let at = 0; at < sightings.length; at += MOST_ROWS)
    yield printColumns(
      sightings.slice(at, at + MOST_ROWS).map((sighting) => ({ sighting, from: null })),
      at + 1,
    );
}

/** What a line of a journal tells, without words. */
export interface Told {
  entry: Seen | Exclude<JournalEntry, { op: "message" }>;
  line: number;
}

/** Of messages on lines one after the other those stand together that are all rows, or none of them. */
export function* printTold(told: Iterable<Told>, rows: DayRows): Generator<string> {
  let open: Together | undefined;
  for (const { entry, line } of told) {
    if (entry.op !== "seen") {
      if (open !== undefined) yield printTogether(open);
      open = undefined;
      yield* printOther(entry, line, rows);
      continue;
    }
    const { sighting, from } = entry;
    const row = rows.seen(sighting);
    if (open !== undefined && !isNext(open, line, from, row)) {
      yield printTogether(open);
      open = undefined;
    }
    open ??= { line, from, sightings: [], rows: [] };
    if (row === undefined) open.sightings.push(sighting);
    else open.rows.push(row);
  }
  if (open !== undefined) yield printTogether(open);
}

interface Together {
  line: number;
  from: Origin;
  sightings: Sighting[];
  rows: Row[];
}

function isNext({ line, from, sightings, rows }: Together, next: number, by: Origin, row?: Row): boolean {
  const count = sightings.length + rows.length;
  const isAlike = row === undefined ? rows.length === 0 : sightings.length === 0;
  return isAlike && next === line + count && from === by && count < MOST_ROWS;
}

function printTogether({ line, from, sightings, rows }: Together): string {
  if (rows.length > 0) return printLine({ line, from, seen: runsOf(rows) });
  return printColumns(
    sightings.map((sighting) => ({ sighting, from })),
    line,
  );
}

function* printOther(entry: Exclude<Told["entry"], Seen>, line: number, rows: DayRows): Generator<string> {
  const settled = entry.op === "settled" ? entry.keys.flatMap((key) => rows.settled(key) ?? []) : [];
  // Where it is so of some only, all stand as they were: told apart they would be told in another order.
  if (entry.op === "settled" && settled.length === entry.keys.length)
    yield printLine({ line, settled: runsOf(settled) });
  else
    for (const printed of printJournalEntry(entry))
      yield printLine({ line, entry: JSON.parse(printed) as unknown });
}

function runsOf(rows: readonly Row[]): Run[] {
  const runs: Run[] = [];
  for (const { day, row } of rows) {
    const last = runs.at(-1);
    if (last?.[0] === day && last[1] + last[2] === row) last[2]++;
    else runs.push([day, row, 1]);
  }
  return runs;
}

function printLine(line: Line): string {
  return `${JSON.stringify(line)}\n`;
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
  return printLine({ line, said });
}

export function* sightingsIn(line: string): Generator<Sighting> {
  const read = JSON.parse(line) as Line;
  if ("said" in read) for (const { sighting } of sightingsOf(read.said, read.line)) yield sighting;
}

export function* recalledIn(line: string): Generator<Recalled> {
  const read = JSON.parse(line) as Line;
  if ("seen" in read) {
    let next = read.line;
    for (const row of rowsOf(read.seen)) yield { is: "seen", ...row, from: read.from, line: next++ };
  } else if ("settled" in read) {
    for (const row of rowsOf(read.settled)) yield { is: "settled", ...row, line: read.line };
  } else if ("said" in read) {
    for (const { sighting, from, line } of sightingsOf(read.said, read.line))
      if (from !== null) yield { entry: { op: "seen", from, sighting }, line };
  } else {
    const entry = parseJournalEntry(read.entry);
    if (entry !== undefined && entry.op !== "message") yield { entry, line: read.line };
  }
}

function* rowsOf(runs: readonly Run[]): Generator<Row> {
  for (const [day, first, count] of runs)
    for (let row = first; row < first + count; row++) yield { day, row };
}

interface Placed {
  sighting: Sighting;
  from: Origin | null;
  line: number;
}

function* sightingsOf(
  { kinds, of, ids, hashes, filedAt: times, createdAt: said }: Columns,
  line: number,
): Generator<Placed> {
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
