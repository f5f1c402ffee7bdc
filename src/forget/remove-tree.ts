/**
 * Whole trees of folders: removed, or made durable as they stand.
 */
import { dirname } from "../platform/path.js";
import type { Press } from "../protocol/publish.js";
import { at, type Workspace } from "../protocol/workspace.js";

/** Makes durable which names stand in a folder and below: what is seen to be gone must not come back once the power fails. */
export async function syncTree(press: Press, workspace: Workspace, folder: string): Promise<void> {
  const { disk } = press;
  const dir = at(workspace, folder);
  if ((await disk.stat(dir))?.kind !== "dir") return;
  for (const { name, kind } of await disk.list(dir))
    if (kind === "dir") await syncTree(press, workspace, `${folder}/${name}`);
  await disk.syncDir(dir);
}

/** With all that is in it, durably; nothing happens where there is none. */
export async function removeTree(press: Press, workspace: Workspace, folder: string): Promise<void> {
  const { disk } = press;
  const dir = at(workspace, folder);
  // A link is no folder: what it points at is somebody else's.
  if ((await disk.stat(dir))?.kind !== "dir") return;
  for (const { name, kind } of await disk.list(dir)) {
    if (kind === "dir") {
      await removeTree(press, workspace, `${folder}/${name}`);
      continue;
    }
    await press.guard();
    await disk.unlink(`${dir}/${name}`);
  }
  await disk.syncDir(dir);
  await press.guard();
  await disk.removeDir(dir);
  await disk.syncDir(dirname(dir));
}
