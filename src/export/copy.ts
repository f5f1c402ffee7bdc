/**
 * The files of a workspace that are a person's, as they are found and copied. Links, pipes and
 * devices are left out and named; a file that goes meanwhile was its owner's to take away.
 */
import { type Disk } from "../platform/disk.js";
import { dirname, join } from "../platform/files.js";
import { type FileWriter } from "../protocol/publish.js";
import { at, type Workspace } from "../protocol/workspace.js";
import { isOwned, OWNED_FOLDERS } from "./owned.js";

export interface OwnedFile {
  /** Relative. */
  path: string;
  size: number;
  mtimeMs: number;
}

export interface OwnedFiles {
  /** In the order of their paths, that of the workspace itself first. */
  files: OwnedFile[];
  /** Paths at which something stands that is neither file nor folder. */
  left: string[];
}

export interface Copied {
  files: number;
  bytes: number;
  left: string[];
}

export async function ownedFiles(disk: Disk, workspace: Workspace): Promise<OwnedFiles> {
  const found: OwnedFiles = { files: [], left: [] };
  const look = async (dir: string): Promise<void> => {
    for (const { name, kind } of await disk.list(at(workspace, dir))) {
      const path = dir === "" ? name : `${dir}/${name}`;
      if (dir === "" ? !isOwned(path) && !OWNED_FOLDERS.includes(name) : !isOwned(path)) continue;
      if (kind === "dir") await look(path);
      else if (kind === "other") found.left.push(path);
      else {
        const stat = await disk.stat(at(workspace, path));
        if (stat?.kind === "file") found.files.push({ path, size: stat.size, mtimeMs: stat.mtimeMs });
      }
    }
  };
  await look("");
  found.files.sort((one, other) => rank(one) - rank(other) || (one.path < other.path ? -1 : 1));
  return found;
}

/** Whoever reads an archive from its beginning knows at once what it is. */
function rank({ path }: OwnedFile): number {
  return path === "workspace.json" ? 0 : 1;
}

/** Into a folder that is not there yet. To be asked while nobody writes; it is durable by whoever publishes it. */
export async function copyOwned(
  { disk }: Pick<FileWriter, "disk">,
  workspace: Workspace,
  folder: string,
): Promise<Copied> {
  const { files, left } = await ownedFiles(disk, workspace);
  const copied: Copied = { files: 0, bytes: 0, left };
  const made = new Set<string>();
  for (const { path } of files) {
    const bytes = await disk.read(at(workspace, path));
    if (bytes === undefined) continue;
    const to = join(folder, path);
    if (!made.has(dirname(to))) await disk.makeDir(dirname(to));
    made.add(dirname(to));
    const out = await disk.create(to);
    try {
      await out?.write(bytes);
    } finally {
      await out?.close();
    }
    copied.files++;
    copied.bytes += bytes.byteLength;
  }
  return copied;
}
