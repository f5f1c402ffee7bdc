/** Tells in the log which files of the memory have changed, for whoever shows them. */
import type { Log } from "../platform/log.js";

export class ChangedSources {
  #stamps: ReadonlyMap<string, string> | undefined;

  /** Whether it has been told of any version yet. */
  get knows(): boolean {
    return this.#stamps !== undefined;
  }

  /** `now`: of every file, its version. The first time nothing is known of before. */
  tell(now: ReadonlyMap<string, string>, log: Log): void {
    const before = this.#stamps;
    this.#stamps = new Map(now);
    if (before === undefined) return;
    const paths = [...now].flatMap(([path, stamp]) => (before.get(path) === stamp ? [] : [path]));
    const isListNew =
      paths.some((path) => !before.has(path)) || [...before.keys()].some((path) => !now.has(path));
    if (paths.length > 0 || isListNew)
      log.write({ level: "debug", event: "sources_changed", paths, isListNew });
  }
}
