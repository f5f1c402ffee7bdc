/**
 * `.memd/owner`: on which socket the owner of a workspace listens.
 *
 * The socket's folder depends on XDG_RUNTIME_DIR, which a login shell has and a
 * scheduled job may not: two starters with different ones would each get a
 * socket. The note makes them meet. It is checked with the socket before every
 * publication, so of two that wrote it at one moment only the last goes on.
 */
import { nodeDisk } from "../platform/node-disk.js";
import { answers, socketPath } from "../platform/owner.js";
import { systemRandom } from "../platform/random.js";
import { publish, readText } from "./publish.js";
import { at, FILES, type Workspace } from "./workspace.js";

/** The socket to ask, or to take when nobody answers there. */
export async function ownerSocket(workspace: Workspace): Promise<string> {
  const own = await socketPath(workspace.root);
  const noted = await read(workspace);
  return noted !== undefined && noted.socket !== own && (await isOwner(workspace, noted))
    ? noted.socket
    : own;
}

/** Notes this owner; false when another one is noted and lives. */
export async function noteOwner(workspace: Workspace, socket: string): Promise<boolean> {
  const noted = await read(workspace);
  if (noted !== undefined && noted.socket !== socket && (await isOwner(workspace, noted))) return false;
  await write(workspace, socket);
  return true;
}

/** Whether the note still names this owner. One that was deleted with `.memd/` is written again. */
export async function isNoted(workspace: Workspace, socket: string): Promise<boolean> {
  const noted = await read(workspace);
  if (noted === undefined) await write(workspace, socket);
  return noted === undefined || noted.socket === socket;
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

async function write(workspace: Workspace, socket: string): Promise<void> {
  const writer = { disk: nodeDisk, random: systemRandom, guard: () => Promise.resolve() };
  await publish(writer, at(workspace, FILES.owner), `${socket}\n${await folderOf(workspace)}\n`);
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
