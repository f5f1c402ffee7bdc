/**
 * What somebody brings as an export of memd's: a folder, or an archive that is unpacked first.
 *
 * An archive is anybody's: where one name in it leads out of it, or is of anything but a file or a
 * folder, all of it is refused. Nothing of it is taken for settings, see restore.ts.
 */
import { MemdError } from "../model/errors.js";
import type { Disk } from "../platform/disk.js";
import { basename, dirname, join } from "../platform/files.js";
import { type TarEntry, tarEntriesIn } from "../platform/tar.js";
import { openWorkspaceAt } from "../protocol/workspace-file.js";
import { FILES, type Workspace } from "../protocol/workspace.js";

/** Of one file: no text of memd's is longer. */
const MOST_FILE_BYTES = 512 * 1024 * 1024;
const MOST_FILES = 1_000_000;
const MOST_DEPTH = 16;
const MOST_NAME_BYTES = 255;

export function isArchiveName(path: string): boolean {
  return /\.(?:tar\.gz|tgz)$/i.test(path);
}

/** Whether it is an export, or a workspace, by what it is called and what stands in it. */
export async function isIncoming(disk: Disk, path: string): Promise<boolean> {
  const stat = await disk.stat(path);
  if (stat?.kind === "file") return isArchiveName(path);
  return stat?.kind === "dir" && (await disk.stat(join(path, FILES.workspace)))?.kind === "file";
}

/** An archive is unpacked into `temp`, which is not there yet. Throws `import_invalid`, and as a workspace that cannot be opened. */
export async function openIncoming(disk: Disk, path: string, temp: string): Promise<Workspace> {
  const folder = (await disk.stat(path))?.kind === "dir" ? path : await unpacked(disk, path, temp);
  const workspace = await openWorkspaceAt(disk, folder);
  // Its settings may name links that are to be followed: of another's none is.
  disk.enclose(workspace.root, { isOwn: () => false, linked: () => Promise.resolve([]) });
  return workspace;
}

/** The folder of the workspace in it: `temp`, or the only one in that. */
async function unpacked(disk: Disk, archive: string, temp: string): Promise<string> {
  const made = new Set<string>();
  const folders = new Set<string>();
  let files = 0;
  for await (const entry of tarEntriesIn(archive)) {
    const path = safePath(archive, entry);
    if (path === "" || entry.kind === "dir") continue;
    files++;
    const why =
      entry.kind === "other"
        ? `${entry.path} is neither file nor folder`
        : entry.size > MOST_FILE_BYTES
          ? `${entry.path} is longer than any file of memd's`
          : made.has(path)
            ? `${entry.path} stands in it twice`
            : files > MOST_FILES
              ? "it holds more files than any workspace"
              : undefined;
    if (why !== undefined) throw refused(archive, why);
    made.add(path);
    const to = join(temp, path);
    if (!folders.has(dirname(to))) await disk.makeDir(dirname(to));
    folders.add(dirname(to));
    const out = await disk.create(to);
    if (out === undefined) throw refused(archive, `${entry.path} stands in it twice`);
    try {
      await out.write(await entry.bytes());
    } finally {
      await out.close();
    }
  }
  const marks = [...made].filter((path) => basename(path) === FILES.workspace && path.split("/").length <= 2);
  const [mark] = marks.toSorted((one, other) => one.length - other.length);
  if (mark === undefined) throw refused(archive, `there is no ${FILES.workspace} in it`);
  return join(temp, dirname(mark));
}

/** Relative, without `.` in it; empty for the archive's own folder. */
function safePath(archive: string, { path }: TarEntry): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const isSafe =
    !path.startsWith("/") &&
    path.isWellFormed() &&
    !/[\u0000-\u001f\\]/.test(path) &&
    !/^[a-z]:/i.test(path) &&
    parts.length <= MOST_DEPTH &&
    parts.every((part) => part !== ".." && Buffer.byteLength(part) <= MOST_NAME_BYTES);
  if (!isSafe) throw refused(archive, `${JSON.stringify(path.slice(0, 200))} is no name of a file in it`);
  return parts.join("/");
}

function refused(archive: string, why: string): MemdError {
  return new MemdError("import_invalid", `${archive} is no export of memd's: ${why}; nothing was taken in.`);
}
