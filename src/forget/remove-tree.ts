/**
 * Whole trees of folders: removed, or made durable as they stand.
 */
import { dirname } from "../platform/path.js";
import type { FileWriter } from "../protocol/publish.js";
import { at, type Workspace } from "../protocol/workspace.js";

/** Makes durable which names stand in a folder and below: what is seen to be gone must not come back once the power fails. */
export async function syncTree(writer: FileWriter, workspace: Workspace, folder: string): Promise<void> {
  const { disk } = writer;
  const dir = at(workspace, folder);
  if ((await disk.stat(dir))?.kind !== "dir") return;
  for (const { name, kind } of await disk.list(dir))
    if (kind === "dir") await syncTree(writer, workspace, `${folder}/${name}`);
  await disk.syncDir(dir);
}

/** With all that is in it, durably; nothing happens where there is none. */
export async function removeTree(writer: FileWriter, workspace: Workspace, folder: string): Promise<void> {
  const { disk } = writer;
  const dir = at(workspace, folder);
  // A link is no folder: what it points at is somebody else's.
  if ((await disk.stat(dir))?.kind !== "dir") return;
  for (const { name, kind } of await disk.list(dir)) {
    if (kind === "dir") {
      await removeTree(writer, workspace, `${folder}/${name}`);
      continue;
    }
    await writer.guard();
    await disk.unlink(`${dir}/${name}`);
  }
  await disk.syncDir(dir);
  await writer.guard();
  await disk.removeDir(dir);
  await disk.syncDir(dirname(dir));
}
