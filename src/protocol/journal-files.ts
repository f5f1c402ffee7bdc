/** The files of the journal, in the order of writing. */
import type { Day } from "../model/time.js";
import type { Disk } from "../platform/disk.js";
import { at, FILES, type Workspace } from "./workspace.js";

/** Relative paths in the order of writing. */
export async function journalPaths(disk: Disk, workspace: Workspace): Promise<string[]> {
  return (await journalFiles(disk, workspace)).map(({ name }) => `${FILES.journal}/${name}`);
}

/**
 * A file by its name, `YYYY-MM-DD.jsonl`. The order of files is that of
 * writing, whatever the clock says: when it has been set back by a day or more,
 * a new era begins (`YYYY-MM-DD~2.jsonl`), and all of it is newer than the one
 * before. After a failed fsync, and after a start that finds megabytes in it, the day
 * goes on in another part (`YYYY-MM-DD.2.jsonl`, `YYYY-MM-DD~2.2.jsonl`).
 */
export interface JournalFile {
  day: Day;
  /** From 1. */
  era: number;
  /** From 1. */
  part: number;
}

const NAME = /^(\d{4}-\d{2}-\d{2})(?:~(\d+))?(?:\.(\d+))?\.jsonl$/;

export async function journalFiles(
  disk: Disk,
  workspace: Workspace,
): Promise<(JournalFile & { name: string })[]> {
  const entries = await disk.list(at(workspace, FILES.journal));
  return entries
    .flatMap(({ name }) => {
      const [, day, era = 1, part = 1] = NAME.exec(name) ?? [];
      return day === undefined ? [] : [{ name, day: day as Day, era: Number(era), part: Number(part) }];
    })
    .sort((a, b) => a.era - b.era || a.day.localeCompare(b.day) || a.part - b.part);
}

export function journalPath({ day, era, part }: JournalFile): string {
  return `${FILES.journal}/${day}${era === 1 ? "" : `~${era}`}${part === 1 ? "" : `.${part}`}.jsonl`;
}
