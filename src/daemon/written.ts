/** What others write in a workspace, looked at from outside while its memd rests. */
import { stampOf } from "../platform/files.js";
import { nodeDisk } from "../platform/node-disk.js";
import { watchFolders } from "../platform/watch.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";

/** By a host, a person or an agent's hooks. */
const WRITTEN = [
  FILES.inbox,
  FILES.history,
  FILES.memory,
  FILES.soul,
  FILES.awareness,
  FILES.settings,
  FILES.drops,
  FILES.pending,
  FILES.told,
] as const;
const NAMES: ReadonlySet<string> = new Set(["", ...WRITTEN]);

/** Differs once any of it has changed. */
export async function writtenStamps(workspace: Workspace): Promise<string> {
  const stamps: string[] = [];
  for (const file of WRITTEN) {
    const stat = await nodeDisk.stat(at(workspace, file)).catch(() => undefined);
    stamps.push(stampOf(stat));
  }
  return stamps.join("\n");
}

/** Hints that some of it may have changed. */
export function watchWritten(workspace: Workspace, seen: () => void): { close: () => void } {
  const dirs = [workspace.root, at(workspace, FILES.drops), at(workspace, FILES.told)];
  const isDrop = (name: string): boolean => name.endsWith(".json") || name.endsWith(".jsonl");
  return watchFolders(dirs, (name) => {
    if (NAMES.has(name) || isDrop(name)) seen();
  });
}
