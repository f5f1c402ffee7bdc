/**
 * The ledger of what stands: the blocks of the verbatim files, then the journal. What a checkpoint knows is told
 * without being read once more; of messages that have no block yet the words are read at last.
 */
import type { Pace } from "../model/work.js";
import type { Disk } from "../platform/disk.js";
import { entriesIn, type Journal, journalLinesIn } from "../protocol/journal.js";
import { journalPaths } from "../protocol/journal-files.js";
import { breaksIn } from "../protocol/jsonl.js";
import { at, type Workspace } from "../protocol/workspace.js";
import type { Catalogue } from "./catalogue.js";
import { Checkpoint, type RecalledPart } from "./checkpoint.js";
import type { Ledger } from "./ledger.js";

interface Parts {
  disk: Disk;
  workspace: Workspace;
  catalogue: Catalogue;
  ledger: Ledger;
  journal?: Pick<Journal, "counted">;
}

export async function replay(parts: Parts, pace: Pace, checkpoint = Checkpoint.none): Promise<void> {
  const { disk, workspace, catalogue, ledger } = parts;
  const paths = await journalPaths(disk, workspace);
  const open = (path: string): Promise<OpenJournal> => openJournal(parts, path, checkpoint);
  // The one that has grown, most likely: it is read while the days are told.
  const newest = paths.at(-1);
  const ahead = newest === undefined ? undefined : open(newest);
  ahead?.catch(() => undefined);
  await catalogue.refresh(
    {
      found: (sighting, edited, day) => ledger.absorb(sighting, edited, day),
      remembered: (path) => checkpoint.file(path),
    },
    pace,
  );
  for (const path of paths)
    await replayJournal(parts, await (path === newest && ahead ? ahead : open(path)), pace);
}

/** `whole`: all of it, as a checkpoint knows it; then there are no `bytes`. */
interface OpenJournal {
  path: string;
  whole: RecalledPart | undefined;
  bytes: Uint8Array;
  checkpoint: Checkpoint;
}

async function openJournal(parts: Parts, path: string, checkpoint: Checkpoint): Promise<OpenJournal> {
  const { disk, workspace } = parts;
  const whole = checkpoint.wholeJournal(path, await disk.stat(at(workspace, path)));
  const bytes = whole === undefined ? await bytesOf(parts, path) : new Uint8Array();
  return { path, whole, bytes, checkpoint };
}

async function replayJournal(parts: Parts, opened: OpenJournal, pace: Pace): Promise<void> {
  const { ledger, journal } = parts;
  const { path, whole, bytes, checkpoint } = opened;
  const known = whole ?? (await checkpoint.journal(path, bytes, pace));
  for (const { entry, line } of known?.entries ?? []) {
    ledger.apply(entry, { path, line });
    await pace();
  }
  const { bytes: from = 0, lines = 0 } = known ?? {};
  const fresh = bytes.subarray(from);
  journal?.counted(path, lines + breaksIn(fresh));
  for (const { entry, place } of entriesIn(path, fresh, lines)) {
    ledger.apply(entry, place);
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

async function bytesOf({ disk, workspace }: Parts, path: string): Promise<Uint8Array> {
  return (await disk.read(at(workspace, path))) ?? new Uint8Array();
}
