/** Looking from outside: at processes, at the files of a workspace, and again until something is so. */
import fs from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const INDEX = path.join(".memd", "index");
const LOOK_MS = 10;
const PATIENCE_MS = 30_000;

/** Looks again and again; false when it does not come to be so. */
export async function comesTrue(
  isSo: () => boolean | Promise<boolean>,
  patienceMs = PATIENCE_MS,
): Promise<boolean> {
  for (const until = performance.now() + patienceMs; !(await isSo()); await pause(LOOK_MS))
    if (performance.now() > until) return false;
  return true;
}

/** Stopped by a signal: it exists and does nothing. */
export function isStopped(pid: number): boolean {
  try {
    return fs.readFileSync(`/proc/${pid}/stat`, "utf8").includes(") T ");
  } catch {
    // Gone.
    return false;
  }
}

/**
 * What every file of a workspace is: the file itself, when it was written, what is
 * in it. Not the index of search, which is derived, and which SQLite's own locks
 * keep whole when one owner closes it while the next one writes.
 */
export function filesOf(root: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (path.relative(root, file).startsWith(INDEX)) continue;
    const stat = entry.isFile() ? fs.statSync(file, { throwIfNoEntry: false }) : undefined;
    if (stat === undefined) continue;
    try {
      files.set(path.relative(root, file), `${stat.ino} ${stat.mtimeMs} ${fs.readFileSync(file, "latin1")}`);
    } catch {
      // A temporary file that is gone again.
    }
  }
  return files;
}

/** Paths that came, went or changed. */
export function changed(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (file) => before.get(file) !== after.get(file),
  );
}
