/**
 * The ledger of what stands: the blocks of the verbatim files, then the journal. What a checkpoint knows is told
 * without being read once more; of messages that have no block yet the words are read at last.
 */
import { keyOfMessage, type MessageKey } from "../model/address.js";
import type { Pace } from "../model/work.js";
import type { Disk } from "../platform/disk.js";
import {
  entriesIn,
  type Journal,
  type JournalEntry,
  journalLinesIn,
  type JournalPlace,
} from "../protocol/journal.js";
import { journalPaths } from "../protocol/journal-files.js";
import { breaksIn } from "../protocol/jsonl.js";
import { at, type Workspace } from "../protocol/workspace.js";
import type { Catalogue } from "./catalogue.js";
import { Checkpoint } from "./checkpoint.js";
import { type Recalled, type RecalledRows, rowsIn } from "./checkpoint-lines.js";
import { settledKeyOf } from "./identity.js";
import type { LedgerEntry } from "./ledger-entry.js";
import type { Ledger, Seen } from "./ledger.js";

interface Parts {
  disk: Disk;
  workspace: Workspace;
  catalogue: Catalogue;
  ledger: Ledger;
  journal?: Pick<Journal, "counted">;
}

export async function replay(parts: Parts, pace: Pace, checkpoint = Checkpoint.none): Promise<void> {
  const { disk, workspace, catalogue, ledger } = parts;
  const telling = new Telling(ledger, checkpoint);
  await catalogue.refresh(
    {
      found: (sighting, edited, day) => void ledger.absorb(sighting, edited, day),
      remembered: (path) => checkpoint.file(path),
      recalled: async ({ file, sightings, isEdited }) => {
        const entries: (LedgerEntry | undefined)[] = [];
        for (const some of sightings) {
          for (const sighting of some) entries.push(ledger.absorb(sighting, isEdited, file.day));
          await pace();
        }
        telling.absorbed.set(file.path, entries);
      },
    },
    pace,
  );
  for (const path of await journalPaths(disk, workspace)) await replayJournal(parts, path, pace, telling);
}

async function replayJournal(parts: Parts, path: string, pace: Pace, telling: Telling): Promise<void> {
  const { disk, workspace, ledger, journal } = parts;
  const { checkpoint } = telling;
  const whole = checkpoint.wholeJournal(path, await disk.stat(at(workspace, path)));
  const bytes = whole === undefined ? await bytesOf(parts, path) : new Uint8Array();
  const known = whole ?? (await checkpoint.journal(path, bytes, pace));
  for (const some of known?.told ?? []) {
    for (const recalled of some) telling.tell(recalled, path);
    await pace();
  }
  const { bytes: from = 0, lines = 0 } = known ?? {};
  const fresh = bytes.subarray(from);
  journal?.counted(path, lines + breaksIn(fresh));
  for (const { entry, place } of entriesIn(path, fresh, lines)) {
    telling.apply(entry, place);
    await pace();
  }
  // Journals behind it may say that some of them have their block: then their words are let go of again.
  const unheld = ledger.unheld().flatMap((place) => (place.path === path ? [place.line] : []));
  if (unheld.length === 0) return;
  const held = whole === undefined ? bytes : await bytesOf(parts, path);
  unheld.sort((one, other) => one - other);
  for (const { entry, place } of journalLinesIn(path, held, unheld))
    if (entry.op === "message") ledger.hold(entry.filed, place);
}

/** Tells the ledger what a checkpoint knows of a journal. */
class Telling {
  /** What became of each row of a day that stands as it did. */
  readonly absorbed = new Map<string, readonly (LedgerEntry | undefined)[]>();
  /** Of these a line may have told something else than their block says. */
  readonly #told = new Set<MessageKey>();

  constructor(
    readonly ledger: Ledger,
    readonly checkpoint: Checkpoint,
  ) {}

  tell(recalled: Recalled, path: string): void {
    if ("entry" in recalled) return this.apply(recalled.entry, { path, line: recalled.line });
    const entries = this.absorbed.get(recalled.day);
    for (const one of rowsIn(recalled)) {
      const entry = entries?.[one.row];
      const place = { path, line: one.line };
      if (entry === undefined || this.#told.has(entry.key)) this.#tellAnew(recalled, one.row, place);
      else if (recalled.is === "settled") this.ledger.settledAsAbsorbed(entry);
      else this.ledger.seenAsAbsorbed(entry, recalled.from, place);
    }
  }

  apply(entry: JournalEntry | Seen, place: JournalPlace): void {
    // Where no day stands as it did there is nothing to doubt.
    if (this.absorbed.size > 0) for (const key of keysIn(entry)) this.#told.add(key);
    this.ledger.apply(entry, place);
  }

  /** The day has changed since, or says it of another block. */
  #tellAnew(recalled: RecalledRows, row: number, place: JournalPlace): void {
    const sighting = this.checkpoint.row({ day: recalled.day, row });
    if (sighting === undefined) return;
    if (recalled.is === "seen") this.apply({ op: "seen", from: recalled.from, sighting }, place);
    else this.apply({ op: "settled", keys: [settledKeyOf(sighting)] }, place);
  }
}

function keysIn(entry: JournalEntry | Seen): MessageKey[] {
  switch (entry.op) {
    case "message":
      return [keyOfMessage(entry.filed.message)];
    case "seen":
      return [entry.sighting.key];
    case "settled":
      return entry.keys.map(({ key }) => key);
    default:
      return [];
  }
}

async function bytesOf({ disk, workspace }: Parts, path: string): Promise<Uint8Array> {
  return (await disk.read(at(workspace, path))) ?? new Uint8Array();
}
