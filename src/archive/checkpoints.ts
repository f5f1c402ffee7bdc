/**
 * Writes the checkpoint anew in the background, once more has been read or written than a start should have to
 * read. Whatever keeps it from being written is left at that: the next start reads more.
 */
import type { Pace } from "../model/work.js";
import type { Background } from "../platform/background.js";
import { pacer } from "../platform/clock.js";
import { hashInSteps, stampOf } from "../platform/files.js";
import { entriesIn, type PlacedEntry, type SettledKey } from "../protocol/journal.js";
import { journalPaths } from "../protocol/journal-files.js";
import { breaksIn } from "../protocol/jsonl.js";
import { publish } from "../protocol/publish.js";
import { at, FILES } from "../protocol/workspace.js";
import type { Archive } from "./archive.js";
import { Checkpoint, printCheckpoint } from "./checkpoint.js";
import {
  type FileHead,
  printSightings,
  printTold,
  type Recalled,
  rowsIn,
  type Told,
} from "./checkpoint-lines.js";
import type { ArchiveContext } from "./context.js";
import { DayRows } from "./day-rows.js";
import { settledKeyOf } from "./identity.js";
import { sightingOf } from "./sighting.js";

/** So many messages and lines are read in the time that a start takes anyway. */
const WORTH = 4000;
const NEWLINE = 0x0a;

export class Checkpoints implements Background {
  readonly name = "checkpoint";
  /** Nobody waits for it. */
  readonly running = 0;
  #writing: Promise<void> | undefined;
  /** Of the messages that a start without a checkpoint of them has to read. */
  #tried = 0;
  #isStopping = false;

  constructor(
    readonly archive: Archive,
    readonly worth = WORTH,
  ) {}

  poll(): void {
    const { isTakingIn, context } = this.archive;
    const heard = context.ledger.heard + context.catalogue.messagesRead;
    if (this.#writing !== undefined || this.#isStopping || isTakingIn || heard - this.#tried < this.worth)
      return;
    this.#tried = heard;
    // A disk that refuses is told of by those who need it; until as much has come again all is as without it.
    this.#writing = this.#write(context)
      .catch(() => undefined)
      .then(() => (this.#writing = undefined));
  }

  /** Ids are told of nothing that was forgotten: the file goes, once the one that is being written was given up or stands. */
  async forget(): Promise<void> {
    await this.#writing;
    const { writer, workspace } = this.archive.context;
    await writer.disk.unlink(at(workspace, FILES.checkpoint));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#writing;
  }

  async #write(context: ArchiveContext): Promise<void> {
    const { epoch } = this.archive;
    await writeCheckpoint(context, () => this.#isStopping || this.archive.epoch !== epoch);
  }
}

/** memd stops, or something was forgotten. */
class GivenUp extends Error {}

/** Throws where it is given up, and what the disk throws; then the one before stands. */
export async function writeCheckpoint(context: ArchiveContext, mustGiveUp = () => false): Promise<void> {
  const { writer, workspace, clock } = context;
  const checkpoint = await Checkpoint.read(writer.disk, workspace, pacer(clock));
  const files = filesOf(context, checkpoint, mustGiveUp);
  await publish(writer, at(workspace, FILES.checkpoint), printCheckpoint(files));
}

async function* filesOf(
  context: ArchiveContext,
  before: Checkpoint,
  mustGiveUp: () => boolean,
): AsyncGenerator<{ head: FileHead; lines: Iterable<Uint8Array> }> {
  const { writer, workspace, catalogue, clock } = context;
  const pace = pacer(clock);
  const rows = new DayRows();
  for (const standing of [...catalogue.verbatimDays(), ...catalogue.summaries()]) {
    const { path } = standing;
    const known = before.file(path);
    const again = await catalogue.fileNow(standing, known, pace);
    await pace();
    if (mustGiveUp()) throw new GivenUp();
    if (again === undefined) continue;
    const { sightings, ...rest } = again;
    const all = again === known ? before.rowsOf(path) : [...sightings].flat();
    rows.add(path, all);
    const lines = again === known ? [before.linesOf(path)] : encoded(printSightings(all));
    yield { head: { is: "file", path, ...rest }, lines };
  }
  for (const path of await journalPaths(writer.disk, workspace)) {
    const { head, told } = await journalNow(context, path, before, pace);
    const lines: Uint8Array[] = [];
    for (const line of encoded(printTold(told, rows))) {
      lines.push(line);
      await pace();
      if (mustGiveUp()) throw new GivenUp();
    }
    yield { head, lines };
  }
}

/** Of one that stands as it did, all that was known of it; else what it begins with may be. */
async function journalNow(
  { writer: { disk }, workspace }: ArchiveContext,
  path: string,
  before: Checkpoint,
  pace: Pace,
): Promise<{ head: FileHead; told: Iterable<Told> }> {
  const stat = await disk.stat(at(workspace, path));
  const stamp = stampOf(stat);
  const whole = before.wholeJournal(path, stat);
  if (whole !== undefined) {
    const { bytes, lines, hash, told } = whole;
    return {
      head: { is: "journal", path, stamp, bytes, lines, hash },
      told: toldAgain(eachIn(told), before),
    };
  }
  const present = (await disk.read(at(workspace, path))) ?? new Uint8Array();
  const bytes = present.lastIndexOf(NEWLINE) + 1;
  const known = await before.journal(path, present, pace);
  const { bytes: from = 0, lines: behind = 0, told = [] } = known ?? {};
  const fresh = present.subarray(from, bytes);
  const hash = await hashInSteps(present.subarray(0, bytes), pace);
  const head = { is: "journal", path, stamp, bytes, lines: behind + breaksIn(fresh), hash } as const;
  return { head, told: joined(toldAgain(eachIn(told), before), toldIn(entriesIn(path, fresh, behind))) };
}

/** Rows as what they say: their days may have changed. */
function* toldAgain(told: Iterable<Recalled>, before: Checkpoint): Generator<Told> {
  let settled: { keys: SettledKey[]; line: number } | undefined;
  for (const recalled of told) {
    const isMore = settled?.line === recalled.line && !("entry" in recalled);
    if (settled !== undefined && !isMore) {
      yield { entry: { op: "settled", keys: settled.keys }, line: settled.line };
      settled = undefined;
    }
    if ("entry" in recalled) {
      yield recalled;
      continue;
    }
    for (const { row, line } of rowsIn(recalled)) {
      const sighting = before.row({ day: recalled.day, row });
      if (sighting === undefined) continue;
      if (recalled.is === "seen") yield { entry: { op: "seen", from: recalled.from, sighting }, line };
      else (settled ??= { keys: [], line }).keys.push(settledKeyOf(sighting));
    }
  }
  if (settled !== undefined) yield { entry: { op: "settled", keys: settled.keys }, line: settled.line };
}

function* toldIn(entries: Iterable<PlacedEntry>): Generator<Told> {
  for (const { entry, place } of entries) {
    const { line } = place;
    if (entry.op !== "message") yield { entry, line };
    else yield { entry: { op: "seen", from: entry.from, sighting: sightingOf(entry.filed) }, line };
  }
}

function* joined<T>(one: Iterable<T>, other: Iterable<T>): Generator<T> {
  yield* one;
  yield* other;
}

function* eachIn<T>(pieces: Iterable<readonly T[]>): Generator<T> {
  for (const piece of pieces) yield* piece;
}

function* encoded(lines: Iterable<string>): Generator<Uint8Array> {
  for (const line of lines) yield Buffer.from(line);
}
