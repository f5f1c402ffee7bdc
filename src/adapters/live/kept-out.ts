/** Whether the owner keeps a conversation out of memd, as the settings say that stand now. */
import type { Disk } from "../../platform/disk.js";
import { readText } from "../../protocol/publish.js";
import { at, FILES, type Workspace } from "../../protocol/workspace.js";
import { isExcluded } from "./excluded.js";

/** `places`: folders that it is about. `home`: what a leading `~` stands for. */
export async function isKeptOut(
  disk: Disk,
  workspace: Workspace,
  { places, session }: { places: readonly (string | undefined)[]; session?: string | undefined },
  home: string | undefined,
): Promise<boolean> {
  const text = (await readText(disk, at(workspace, FILES.settings))) ?? "";
  if (!text.includes("exclude")) return false;
  // Brings the schemas, which who keeps nothing out does without.
  const { readSettings } = await import("../../protocol/settings.js");
  const { exclude } = (await readSettings(disk, workspace)).agents;
  return places.some((project) => isExcluded(exclude, { project, session }, home));
}
