/** Finds the workspaces below a folder. */
import { messageOf } from "../model/errors.js";
import type { Disk } from "../platform/disk.js";
import { join } from "../platform/files.js";
import { APART, FILES } from "../protocol/workspace.js";

/** Deep enough for `teams/red/agents/lin`; what lies deeper is served by naming a root further down. */
const DEEPEST = 6;
/** What no workspace is kept in. */
const PASSED_OVER: ReadonlySet<string> = new Set(["node_modules"]);

export interface FoundWorkspaces {
  /** Relative to the root, with `/`, in order. */
  names: string[];
  /** Folders that cannot be read, and why; the root is empty. What lies in them may be there still. */
  unread: { name: string; reason: string }[];
}

/** Links are not followed, and nothing is looked for in a workspace or in a hidden folder. */
export async function workspacesBelow(disk: Disk, root: string): Promise<FoundWorkspaces> {
  const found: FoundWorkspaces = { names: [], unread: [] };
  const look = async (name: string, depth: number): Promise<void> => {
    try {
      const entries = await disk.list(join(root, name));
      if (name !== "" && entries.some((entry) => entry.name === FILES.workspace && entry.kind === "file"))
        return void found.names.push(name);
      for (const entry of entries) {
        if (entry.kind !== "dir") continue;
        const below = name === "" ? entry.name : `${name}/${entry.name}`;
        if (entry.name === APART) {
          const itself = await disk.stat(join(root, below, FILES.workspace));
          if (itself !== undefined) found.names.push(below);
        } else if (depth < DEEPEST && !entry.name.startsWith(".") && !PASSED_OVER.has(entry.name)) {
          await look(below, depth + 1);
        }
      }
    } catch (error) {
      found.unread.push({ name, reason: messageOf(error) });
    }
  };
  await look("", 0);
  return found;
}
