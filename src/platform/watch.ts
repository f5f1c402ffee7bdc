/** Hints that something changed on the disk. Never the truth: what is watched is also scanned. */
import fs from "node:fs";
import path from "node:path";
import { watch } from "chokidar";

export interface Watching {
  close(): Promise<void>;
}

export interface WatchPort {
  /** Calls `changed` with the absolute path of what was added, changed or removed directly in `dirs`. Resolves once it watches. */
  watch(
    dirs: readonly string[],
    wanted: (path: string) => boolean,
    changed: (path: string) => void,
  ): Promise<Watching>;
}

/** chokidar passes over a change that follows another of the same file within 50 ms: it is told again after these. */
const AFTERTHOUGHT_MS = 60;
/** A folder that comes is listed first and watched a moment later: what is put there between the two is found by looking again. */
const NEW_FOLDER_MS = [AFTERTHOUGHT_MS, 1000, 5000] as const;

export const fileWatch: WatchPort = {
  async watch(dirs, wanted, changed) {
    const roots = new Set(dirs);
    // A folder inside another one of them is met from there, so that it may come and go.
    const outermost = dirs.filter((dir) => !roots.has(path.dirname(dir)));
    const watcher = watch(outermost, {
      depth: 1,
      ignoreInitial: true,
      followSymlinks: false,
      ignored: (file) => !roots.has(file) && !wanted(file),
    });
    const afterthoughts = new Map<string, NodeJS.Timeout[]>();
    watcher.on("all", (event, file) => {
      changed(file);
      for (const timer of afterthoughts.get(file) ?? []) clearTimeout(timer);
      const waits = event === "addDir" && roots.has(file) ? NEW_FOLDER_MS : [AFTERTHOUGHT_MS];
      const timers = waits.map((waitMs, index) =>
        setTimeout(() => {
          if (index === waits.length - 1) afterthoughts.delete(file);
          changed(file);
        }, waitMs),
      );
      afterthoughts.set(file, timers);
    });
    // A watch that breaks (too many, folder gone) leaves the regular rescan.
    watcher.on("error", () => undefined);
    await new Promise<void>((ready) => watcher.once("ready", () => ready()));
    const close = async (): Promise<void> => {
      await watcher.close();
      for (const timer of [...afterthoughts.values()].flat()) clearTimeout(timer);
    };
    return { close };
  },
};

/**
 * Of many folders that are mostly still: calls `changed` with the name of an entry of one of them, and costs next
 * to nothing. Where the system has no watch left, nobody is told.
 */
export function watchFolders(
  dirs: readonly string[],
  changed: (name: string) => void,
): { close: () => void } {
  const watchers = dirs.flatMap((dir): fs.FSWatcher[] => {
    try {
      const watcher = fs.watch(dir, { persistent: false }, (_event, name) => changed(name ?? ""));
      watcher.on("error", () => watcher.close());
      return [watcher];
    } catch {
      return [];
    }
  });
  return { close: () => watchers.forEach((watcher) => watcher.close()) };
}
