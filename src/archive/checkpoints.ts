/**
 * Writes the checkpoint anew in the background, once more has been read or written than a start should have to
 * read. Whatever keeps it from being written is left at that: the next start reads more.
 */
import type { Background } from "../platform/background.js";
import { pacer } from "../platform/clock.js";
import { hashInSteps, stampOf } from "../platform/files.js";
import { entriesIn } from "../protocol/journal.js";
import { journalPaths } from "../protocol/journal-files.js";
import { breaksIn } from "../protocol/jsonl.js";
import { publish } from "../protocol/publish.js";
import { at, FILES } from "../protocol/workspace.js";
import type { Archive } from "./archive.js";
import { Checkpoint, printCheckpoint } from "./checkpoint.js";
import { type FileHead, printEntries, printSightings } from "./checkpoint-lines.js";
import type { ArchiveContext } from "./context.js";

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
  { writer: { disk }, workspace, catalogue, clock }: ArchiveContext,
  before: Checkpoint,
  mustGiveUp: () => boolean,
): AsyncGenerator<{ head: FileHead; lines: Iterable<Uint8Array> }> {
  const pace = pacer(clock);
  for (const standing of [...catalogue.verbatimDays(), ...catalogue.summaries()]) {
    const { path } = standing;
    const known = before.file(path);
    const again = await catalogue.fileNow(standing, known, pace);
    await pace();
    if (mustGiveUp()) throw new GivenUp();
    if (again === undefined) continue;
    const { sightings, ...rest } = again;
    const lines = again === known ? [before.linesOf(path)] : encoded(printSightings([...sightings]));
    yield { head: { is: "file", path, ...rest }, lines };
  }
  for (const path of await journalPaths(disk, workspace)) {
    const stamp = stampOf(await disk.stat(at(workspace, path)));
    const present = (await disk.read(at(workspace, path))) ?? new Uint8Array();
    const bytes = present.lastIndexOf(NEWLINE) + 1;
    const known = await before.journal(path, present, pace);
    const { bytes: from = 0, lines: behind = 0 } = known ?? {};
    const fresh = present.subarray(from, bytes);
    const head = {
      is: "journal",
      path,
      stamp,
      bytes,
      lines: behind + breaksIn(fresh),
      hash: await hashInSteps(present.subarray(0, bytes), pace),
    } as const;
    const lines: Uint8Array[] = known === undefined ? [] : [before.linesOf(path)];
    for (const line of encoded(printEntries(entriesIn(path, fresh, behind)))) {
      lines.push(line);
      await pace();
      if (mustGiveUp()) throw new GivenUp();
    }
    yield { head, lines };
  }
}

function* encoded(lines: Iterable<string>): Generator<Uint8Array> {
  for (const line of lines) yield Buffer.from(line);
}
