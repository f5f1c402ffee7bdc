/**
 * The ledger of what stands: the blocks of the verbatim files, then the journal. What a checkpoint knows is told
 * without being read once more; of messages that have no block yet the words are read at last.
 */
import { groupBy } from "../model/collections.js";
import type { Pace } from "../model/work.js";
import type { Disk } from "../platform/disk.js";
import { entriesIn, type Journal, readJournalLines } from "../protocol/journal.js";
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
    const { bytes: from = 0, lines = 0 } = known ?? {};
    const fresh = bytes.subarray(from);
    parts.journal?.counted(path, lines + breaksIn(fresh));
    for (const { entry, place } of entriesIn(path, fresh, lines)) {
      ledger.apply(entry, place);
      await pace();
    }
  }
  await holdWords(parts);
}

async function holdWords({ disk, workspace, ledger }: Parts): Promise<void> {
  for (const [path, places] of groupBy(ledger.unheld(), ({ path }) => path)) {
    const lines = places.map(({ line }) => line).sort((one, other) => one - other);
    for (const { entry, place } of await readJournalLines(disk, workspace, path, lines))
      if (entry.op === "message") ledger.hold(entry.filed, place);
  }
}
