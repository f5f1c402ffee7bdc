/** What a host, a person or a tool writes at the top of a workspace: watched, so that it is seen at once. */
import type { Watching } from "../platform/watch.js";
import { at, FILES } from "../protocol/workspace.js";
import type { LoopParts } from "./ports.js";

const HOT_FILES: readonly string[] = [
  FILES.inbox,
  FILES.history,
  FILES.memory,
  FILES.soul,
  FILES.awareness,
  FILES.settings,
];

export function watchHotFiles({ watch, workspace, log }: LoopParts, changed: () => void): Promise<Watching> {
  const drops = at(workspace, FILES.drops);
  const settings = at(workspace, FILES.settings);
  const hot = new Set(HOT_FILES.map((file) => at(workspace, file)));
  const isWanted = (path: string): boolean => hot.has(path) || path.startsWith(drops);
  let isLogged = false;
  return watch.watch([workspace.root, drops], isWanted, (path) => {
    // Once: a save may be heard of several times, and one word is enough.
    if (path === settings && !isLogged) {
      isLogged = true;
      log.write({ level: "warn", event: "restart_needed", file: FILES.settings });
    }
    changed();
  });
}
