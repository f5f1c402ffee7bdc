/** Which files are watched, so that what is written there is seen at once. */
import type { Watching } from "../platform/watch.js";
import { at, FILES } from "../protocol/workspace.js";
import type { LoopParts } from "./ports.js";

/** What a host, a person or a tool writes at the top of a workspace. */
const HOT_FILES = ["inbox", "history", "memory", "soul", "awareness", "settings"] as const;

export function watchHotFiles({ watch, workspace }: LoopParts, changed: () => void): Promise<Watching> {
  const drops = at(workspace, FILES.drops);
  const hot = new Set(HOT_FILES.map((name) => at(workspace, FILES[name])));
  const isWanted = (path: string): boolean => hot.has(path) || path.startsWith(drops);
  return watch.watch([workspace.root, drops], isWanted, changed);
}
