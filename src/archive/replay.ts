/**
 * The ledger of what stands: the blocks of the verbatim files, then the journal. What a checkpoint knows is told
 * without being read once more; of messages that have no block yet the words are read at last.
 */
import { groupBy } from "../model/collections.js";
import type { Pace } from "../model/work.js";
import type { Disk } from "../platform/disk.js";
import { entriesIn, journalPaths, readJournalFile } from "../protocol/journal.js";
import { at, type Workspace } from "../protocol/workspace.js";
import type { Catalogue } from "./catalogue.js";
import { Checkpoint } from "./checkpoint.js";
import type { Ledger } from "./ledger.js";

interface Parts {
  disk: Disk;
  workspace: Workspace;
  catalogue: Catalogue;
  ledger: Ledger;
}

export async function replay(parts: Parts, pace: Pace, checkpoint = Checkpoint.none): Promise<void> {
  const { disk, workspace, catalogue, ledger } = parts;
  await catalogue.refresh(
    {
      found: (sighting, edited, day) => ledger.absorb(sighting, edited, day),
      remembered: (path) => checkpoint.day(path),
    },
    pace,
  );
  for (const path of await journalPaths(disk, workspace)) {
    const bytes = (await disk.read(at(workspace, path))) ?? new Uint8Array();
    const known = await checkpoint.journal(path, bytes, pace);
    for (const { entry, line } of known?.entries ?? []) {
      ledger.apply(entry, { path, line });
      await pace();
    }
    for (const { entry, place } of entriesIn(path, bytes.subarray(known?.bytes ?? 0), known?.lines)) {
      ledger.apply(entry, place);
      await pace();
    }
  }
  await holdWords(parts);
}

async function holdWords({ disk, workspace, ledger }: Parts): Promise<void> {
  for (const [path, places] of groupBy(ledger.unheld(), ({ path }) => path)) {
    const wanted = new Set(places.map(({ line }) => line));
    for (const { entry, place } of await readJournalFile(disk, workspace, path))
      if (entry.op === "message" && wanted.has(place.line)) ledger.hold(entry.filed, place);
  }
}
