/** Hints that something changed on the disk. Never the truth: what is watched is also scanned. */
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

export const fileWatch: WatchPort = {
  async watch(dirs, wanted, changed) {
    const roots = new Set(dirs);
    const watcher = watch([...dirs], {
      depth: 0,
      ignoreInitial: true,
      followSymlinks: false,
      ignored: (path) => !roots.has(path) && !wanted(path),
    });
    watcher.on("all", (_event, path) => changed(path));
    // A watch that breaks (too many, folder gone) leaves the regular rescan.
    watcher.on("error", () => undefined);
    await new Promise<void>((ready) => watcher.once("ready", () => ready()));
    return { close: () => watcher.close() };
  },
};
