/**
 * What an owner notes in `.memd/`: in `owner`, on which socket it listens, and in
 * `lock`, which lock it holds.
 *
 * The socket's folder depends on XDG_RUNTIME_DIR, which a login shell has and a
 * scheduled job may not: two starters with different ones would each get a
 * socket. The note makes them meet. It is checked with the socket before every
 * publication, so of two that wrote it at one moment only the last goes on.
 */
import { MemdError } from "../model/errors.js";
import { movedAway, type Disk } from "../platform/disk.js";
import { dirname } from "../platform/files.js";
import type { Locks } from "../platform/lock.js";
import { nodeDisk, ownerless } from "../platform/node-disk.js";
import { answers, type Ownership, socketPath } from "../platform/owner.js";
import { publish, readText } from "./publish.js";
import { at, FILES, type Workspace } from "./workspace.js";

/** The socket to ask, or to take when nobody answers there. */
export async function ownerSocket(workspace: Workspace): Promise<string> {
  const own = await socketPath(workspace.root);
  return (await otherOwner(workspace, own)) ?? own;
}

/** Notes this owner, and gives what it was noted with; undefined when another one is noted and lives. */
export async function noteOwner(disk: Disk, workspace: Workspace, socket: string): Promise<Note | undefined> {
  if ((await otherOwner(workspace, socket)) !== undefined) return undefined;
  const note = { socket, folder: await folderOf(workspace) };
  await write(disk, workspace, note);
  return note;
}

/** The socket of another owner, which is noted and lives. */
async function otherOwner(workspace: Workspace, socket: string): Promise<string | undefined> {
  const noted = await read(workspace);
  if (noted === undefined || noted.socket === socket) return undefined;
  return (await isOwner(workspace, noted)) ? noted.socket : undefined;
}

/**
 * Throws `ownership_lost` once another memd owns the workspace, and `workspace_moved`
 * once another folder, or none, is where it was. A note that was deleted with `.memd/` is written again.
 */
export function ownerGuard(
  disk: Disk,
  workspace: Workspace,
  ownership: Ownership,
  note: Note,
): () => Promise<void> {
  return async () => {
    if ((await folderOf(workspace)) !== note.folder) throw movedAway(workspace.root);
    const noted = await read(workspace);
    if (noted === undefined) {
      // A new folder may get the number of the one that was removed, also while the note is being written.
      if (!(await isStanding(disk, workspace))) throw movedAway(workspace.root);
      await write(disk, workspace, note);
      if (!(await isStanding(disk, workspace))) {
        await disk.unlink(at(workspace, FILES.owner));
        throw movedAway(workspace.root);
      }
    }
    if (!(await ownership.stillMine()) || (noted ?? note).socket !== ownership.socket)
      throw new MemdError("ownership_lost", `${workspace.root} is owned by another memd now.`);
  };
}

async function isStanding(disk: Disk, workspace: Workspace): Promise<boolean> {
  return (await disk.stat(at(workspace, FILES.workspace))) !== undefined;
}

interface Note {
  socket: string;
  /** Which folder it was written in; not there in older notes. */
  folder?: string;
}

async function read(workspace: Workspace): Promise<Note | undefined> {
  const text = await readText(nodeDisk, at(workspace, FILES.owner)).catch(() => undefined);
  const [socket = "", folder = ""] = (text ?? "").split("\n").map((line) => line.trim());
  if (socket === "") return undefined;
  return folder === "" ? { socket } : { socket, folder };
}

async function write(disk: Disk, workspace: Workspace, { socket, folder = "" }: Note): Promise<void> {
  await publish({ ...ownerless, disk }, at(workspace, FILES.owner), `${socket}\n${folder}\n`);
}

/** A copy of a workspace brings the note along, and another folder's owner is not its own. */
async function isOwner(workspace: Workspace, { socket, folder }: Note): Promise<boolean> {
  if (folder !== undefined && folder !== (await folderOf(workspace))) return false;
  // What cannot be asked, such as a path of another machine that mounts this disk, is no living owner.
  return answers(socket).catch(() => false);
}

/** The same under every path that leads to it. */
async function folderOf(workspace: Workspace): Promise<string> {
  const stat = await nodeDisk.stat(workspace.root);
  return `${stat?.dev} ${stat?.ino}`;
}

/**
 * `.memd/lock`: which file's lock this process holds. A killed owner leaves its
 * lock behind; its successor finds it named here and breaks it at once instead
 * of waiting until it counts as stale. Unless a polite program did that wait:
 * the lock that stands then is the other program's, and younger than the note,
 * by two seconds or more where a host took it over.
 */
const SAME_LOCK_MS = 1500;

/** The same locks, with a note of the one that is held. */
export function notedLocks(locks: Locks, disk: Disk, workspace: Workspace): Locks {
  const note = at(workspace, FILES.lock);
  return {
    withLock: async (file, work) =>
      await locks.withLock(file, async (lock) => {
        await disk.makeDir(dirname(note));
        await disk.unlink(note);
        await writeNote(disk, note, file);
        try {
          return await work(lock);
        } finally {
          await disk.unlink(note);
        }
      }),
  };
}

async function writeNote(disk: Disk, note: string, file: string): Promise<void> {
  const out = await disk.create(note);
  try {
    await out?.write(new TextEncoder().encode(file));
  } finally {
    await out?.close();
  }
}

/** To be called by a new owner before anything else: whoever held the lock is dead. */
export async function breakDeadLock(disk: Disk, workspace: Workspace): Promise<void> {
  const note = at(workspace, FILES.lock);
  const bytes = await disk.read(note);
  if (bytes === undefined) return;
  const file = new TextDecoder().decode(bytes);
  const [noted, lock] = [await disk.stat(note), await disk.stat(`${file}.lock`)];
  const isTheirs = (lock?.mtimeMs ?? 0) > (noted?.mtimeMs ?? 0) + SAME_LOCK_MS;
  // Only a lock of the lists that memd rewrites, whatever the note says.
  if (!isTheirs && [FILES.history, FILES.inbox, FILES.memory].some((name) => at(workspace, name) === file))
    await disk.removeDir(`${file}.lock`);
  await disk.unlink(note);
}
