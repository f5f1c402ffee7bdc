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
import { Checkpoint } from "./checkpoint.js";
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
  await catalogue.refresh(
    {
      found: (sighting, edited, day) => ledger.absorb(sighting, edited, day),
      remembered: (path) => checkpoint.file(path),
    },
    pace,
  );
  for (const path of await journalPaths(disk, workspace)) await replayJournal(parts, path, pace, checkpoint);
}

async function replayJournal(parts: Parts, path: string, pace: Pace, checkpoint: Checkpoint): Promise<void> {
  const { disk, workspace, ledger, journal } = parts;
  const whole = checkpoint.wholeJournal(path, await disk.stat(at(workspace, path)));
  const bytes = whole === undefined ? await bytesOf(parts, path) : new Uint8Array();
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
