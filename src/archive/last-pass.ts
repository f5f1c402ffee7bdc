/** `.memd/state.json`: when the last pass finished. Lost with `.memd/`, and then the next pass counts from the oldest message. */
import { isoOf, parseInstant, type EpochMs } from "../model/time.js";
import { publishDerived, readText, type FileWriter } from "../protocol/publish.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";

export interface SavedState {
  lastPassAt?: EpochMs;
}

export async function loadState(writer: FileWriter, workspace: Workspace): Promise<SavedState> {
  try {
    const data = JSON.parse((await readText(writer.disk, at(workspace, FILES.state))) ?? "{}") as {
      lastPassAt?: unknown;
    };
    const lastPassAt = typeof data.lastPassAt === "string" ? parseInstant(data.lastPassAt) : undefined;
    return lastPassAt === undefined ? {} : { lastPassAt };
  } catch {
    // Derived: a state that cannot be read is the same as none.
    return {};
  }
}

export async function saveState(writer: FileWriter, workspace: Workspace, state: SavedState): Promise<void> {
  const data = state.lastPassAt === undefined ? {} : { lastPassAt: isoOf(state.lastPassAt) };
  await publishDerived(writer, at(workspace, FILES.state), `${JSON.stringify(data)}\n`);
}
