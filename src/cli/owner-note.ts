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
import { publish, readText } from "../protocol/publish.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";

/** The socket to ask, or to take when nobody answers there. */
export async function ownerSocket(workspace: Workspace): Promise<string> {
  const own = await socketPath(workspace.root);
  const noted = await read(workspace);
  return noted !== undefined && noted !== own && (await answersThere(noted)) ? noted : own;
}

/** Notes this owner; false when another one is noted and lives. */
export async function noteOwner(workspace: Workspace, socket: string): Promise<boolean> {
  const noted = await read(workspace);
  if (noted === socket) return true;
  if (noted !== undefined && (await answersThere(noted))) return false;
  await write(workspace, socket);
  return true;
}

/** Whether the note still names this owner. One that was deleted with `.memd/` is written again. */
export async function isNoted(workspace: Workspace, socket: string): Promise<boolean> {
  const noted = await read(workspace);
  if (noted === undefined) await write(workspace, socket);
  return noted === undefined || noted === socket;
}

async function read(workspace: Workspace): Promise<string | undefined> {
  const text = await readText(nodeDisk, at(workspace, FILES.owner)).catch(() => undefined);
  return text === undefined || text.trim() === "" ? undefined : text.trim();
}

function write(workspace: Workspace, socket: string): Promise<void> {
  const press = { disk: nodeDisk, random: systemRandom, guard: () => Promise.resolve() };
  return publish(press, at(workspace, FILES.owner), `${socket}\n`);
}

/** What cannot be asked, such as a path of another machine that mounts this disk, is no living owner. */
function answersThere(socket: string): Promise<boolean> {
  return answers(socket).catch(() => false);
}
