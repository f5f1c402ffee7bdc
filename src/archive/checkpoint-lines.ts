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

/** Of a journal: an entry without its words, or what it says of messages that stand in a day. */
export type Recalled = Told | RecalledRows;

/** So many rows one behind the other were seen as they say, each on a line of its own, or their blocks of that version were written. */
export type RecalledRows = Row & { count: number; line: number } & (
    { is: "seen"; from: Origin } | { is: "settled" }
  );

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

export function sightingsIn(line: string): Sighting[] {
  const read = JSON.parse(line) as Line;
  return "said" in read ? sightingsOf(read.said) : [];
}

export function recalledIn(line: string): Recalled[] {
  const read = JSON.parse(line) as Line;
  if ("seen" in read) {
    const { from } = read;
    let next = read.line;
    return read.seen.map(([day, row, count]) => {
      next += count;
      return { is: "seen", day, row, count, from, line: next - count };
    });
  }
  if ("settled" in read)
    return read.settled.map(([day, row, count]) => ({ is: "settled", day, row, count, line: read.line }));
  if ("said" in read) return told(read.said, read.line);
  const entry = parseJournalEntry(read.entry);
  return entry === undefined || entry.op === "message" ? [] : [{ entry, line: read.line }];
}

/** One by one, each with its line of the journal. */
export function* rowsIn({ is, row, count, line }: RecalledRows): Generator<{ row: number; line: number }> {
  for (let at = 0; at < count; at++) yield { row: row + at, line: is === "seen" ? line + at : line };
}

function told(said: Columns, line: number): Told[] {
  return sightingsOf(said).flatMap((sighting, index) => {
    const from = kindOf(said, index)[4];
    return from === null ? [] : [{ entry: { op: "seen", from, sighting }, line: line + index }];
  });
}

function sightingsOf(said: Columns): Sighting[] {
  const { ids, hashes, filedAt, createdAt } = said;
  return ids.map((id, row) =>
    sightingIn(kindOf(said, row), id, filedAt[row] as EpochMs, hashes[row] as string, createdAt[row]),
  );
}

function kindOf({ kinds, of }: Columns, row: number): Kind {
  return kinds[of[row] as number] as Kind;
}

function sightingIn(
  [scope, session, role, belongsTo]: Kind,
  id: MessageId,
  filedAt: EpochMs,
  hash: string,
  said: string | 0 | undefined,
): Sighting {
  return {
    key: keyOf(scope, id),
    scope,
    session,
    role,
    filedAt,
    hash,
    createdAt: said || undefined,
    belongsTo: belongsTo ?? undefined,
    isOwn: true,
  };
}
