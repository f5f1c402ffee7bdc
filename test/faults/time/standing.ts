/** What stands on the disk at one moment, read once: files, blocks, the entries of history.json. */
import { readJournalFile } from "../../../src/protocol/journal.js";
import { journalPaths } from "../../../src/protocol/journal-files.js";
import { parseSummary, type SummaryFile } from "../../../src/protocol/summary.js";
import { parseVerbatim, type VerbatimBlock } from "../../../src/protocol/verbatim.js";
import type { MemoryDisk } from "../../support/memory-disk.js";

export const ROOT = "/w";

export interface Standing {
  files: ReadonlyMap<string, string>;
  /** In the order of their files' paths. */
  days: { path: string; day: string; blocks: VerbatimBlock[] }[];
  /** Undefined where a file is no summary. */
  summaries: { path: string; summary: SummaryFile | undefined }[];
}

export function standingOn(disk: MemoryDisk): Standing {
  const files = new Map(
    Object.entries(disk.files())
      .map(([path, text]): [string, string] => [path.slice(ROOT.length + 1), text])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const days = [...files]
    .filter(([path]) => path.startsWith("memory/") && !path.includes("/summary/"))
    .flatMap(([path, text]) => {
      const file = once(text, parseVerbatim);
      return file === undefined ? [] : [{ path, day: dayOfPath(path), blocks: file.blocks }];
    });
  const summaries = [...files]
    .filter(([path]) => path.startsWith("memory/") && path.includes("/summary/"))
    .map(([path, text]) => ({ path, summary: once(text, parseSummary) }));
  return { files, days, summaries };
}

/** `id: text` of every message line, in the order in which memd reads them. */
export async function journalOn(disk: MemoryDisk, { files }: Standing): Promise<string[]> {
  const workspace = { root: ROOT };
  const lines: string[] = [];
  for (const path of await journalPaths(disk, workspace)) {
    const read = async (): Promise<string[]> =>
      (await readJournalFile(disk, workspace, path)).flatMap(({ entry }) =>
        entry.op === "message" ? [`${entry.filed.message.id}: ${entry.filed.message.text}`] : [],
      );
    lines.push(...(await once(`${path}\n${files.get(path)}`, read)));
  }
  return lines;
}

export function filesUnder({ files }: Standing, folder: string): [path: string, text: string][] {
  return [...files].filter(([path]) => path.startsWith(folder));
}

export function historyOf({ files }: Standing): Record<string, unknown>[] {
  return JSON.parse(files.get("history.json") ?? "[]") as Record<string, unknown>[];
}

/** By its name, not by what memd says of it. */
function dayOfPath(path: string): string {
  return path.replace(/^.*\/(\d{4}-\d{2}-\d{2})-[^/]*$/, "$1");
}

const MOST_KEPT = 2000;
const kept = new Map<string, unknown>();

/** Most files stand as they did a step ago: each text is parsed once. */
function once<T>(text: string, parse: (text: string) => T): T {
  if (kept.has(text)) return kept.get(text) as T;
  if (kept.size >= MOST_KEPT) kept.clear();
  const parsed = parse(text);
  kept.set(text, parsed);
  return parsed;
}
