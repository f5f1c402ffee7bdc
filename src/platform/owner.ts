/**
 * Who owns a workspace: the process that listens on its socket. The kernel frees it on death, so a killed
 * owner can be followed at once. The listener binds a name of its own and takes the workspace's by `link`,
 * which never overwrites: two starters cannot both win, and closing removes only the own name. One listener
 * may take the names of many workspaces, each by itself. A dead owner's name is removed under a lock, after
 * looking again. Beside it stands which process it is, for who
 * has to end one that is stuck.
 */
import { once } from "node:events";
import fs from "node:fs/promises";
import type { Server } from "node:http";
import net from "node:net";
import path from "node:path";
import { MemdError, messageOf } from "../model/errors.js";
import { sha256 } from "./files.js";
import { markOf } from "./other-process.js";
import { systemRandom } from "./clock.js";

/** Node cuts longer socket paths without a word (107 bytes on Linux, 103 on macOS). */
const LONGEST_SOCKET_PATH = 100;
const CONNECT_MS = 2000;
/** Of the name that a starter binds first, beside the workspace's. */
const NAME_CHARS = 8;
const YOUNG_MS = 10_000;
/** A lock whose holder has not shown itself for this long is broken; the library allows no less. */
const STALE_MS = 2000;
/** Past a lock that a killed starter left. */
const PATIENCE_MS = 4000;
const LOOK_MS = 5;
/** Moving a name aside, looking at it and giving it back takes well under this. */
const ASIDE_MS = 50;

/** What a connection ends with where nobody listens any more. */
const DEAD: readonly string[] = ["ECONNREFUSED", "ENOENT", "ECONNRESET", "EPIPE"];

export interface Ownership {
  readonly socket: string;
  /** False once another process has taken the name, or the socket's file is gone. */
  stillMine(): Promise<boolean>;
  release(): Promise<void>;
}

/** The socket of a workspace, outside of it. Its folder belongs to this user alone. */
export async function socketPath(root: string): Promise<string> {
  const { dev, ino } = await fs.stat(root).catch((error: unknown) => {
    throw new MemdError("no_workspace", `There is no folder ${root}.`, { cause: error });
  });
  const uid = process.getuid?.() ?? 0;
  const { XDG_RUNTIME_DIR, TMPDIR } = process.env;
  // An empty or relative one would mean another place in every folder.
  const base = [XDG_RUNTIME_DIR, TMPDIR].find((dir) => dir !== undefined && path.isAbsolute(dir)) ?? "/tmp";
  const dir = path.join(base, `memd-${uid}`);
  const socket = path.join(dir, `${sha256(`${root}\u0000${dev}\u0000${ino}`).slice(0, 20)}.sock`);
  // The name that is bound first is longer by a dot and eight characters.
  if (Buffer.byteLength(socket) + 1 + NAME_CHARS > LONGEST_SOCKET_PATH)
    throw new MemdError("socket_path", `The socket path ${socket} is too long for this system.`);
  return socket;
}

/** A server that listens for workspaces: under a name of its own, and under theirs once it has taken them. */
export interface Listener {
  /** Makes this process the owner of one more socket; undefined when a living process is. */
  take(socket: string): Promise<Ownership | undefined>;
  close(): Promise<void>;
}

/** `socket`: the one it is there for first; the own name stands beside it. */
export async function listenFor(socket: string, server: Server): Promise<Listener> {
  await privateDir(path.dirname(socket));
  const own = `${socket}.${systemRandom.name(NAME_CHARS)}`;
  await listen(server, own);
  try {
    await fs.chmod(own, 0o600);
    const { ino } = await fs.lstat(own);
    return { take: (name) => taken(name, own, ino), close: () => close(server) };
  } catch (error) {
    await close(server);
    throw error;
  }
}

/** Makes this process the owner of one socket alone, serving there; undefined when a living process is. */
export async function takeOwnership(socket: string, server: Server): Promise<Ownership | undefined> {
  await privateDir(path.dirname(socket));
  if (await answers(socket)) return undefined;
  const listener = await listenFor(socket, server);
  const ownership = await listener.take(socket).catch(async (error: unknown) => {
    await listener.close();
    throw error;
  });
  if (ownership === undefined) {
    await listener.close();
    return undefined;
  }
  return {
    ...ownership,
    release: async () => {
      await ownership.release();
      await listener.close();
    },
  };
}

async function taken(socket: string, own: string, ino: number): Promise<Ownership | undefined> {
  if (!(await claim(own, socket))) return undefined;
  const stillMine = async (): Promise<boolean> => {
    const standing = await inodeOf(socket);
    if (standing !== undefined) return standing === ino;
    // For a moment it may be aside, see removeDead.
    await new Promise((done) => setTimeout(done, ASIDE_MS));
    return (await inodeOf(socket)) === ino;
  };
  // Leftovers harm nobody: what cannot be removed now is met again by the next owner.
  await sweepDead(socket, own).catch(() => undefined);
  // Without it this one is as much the owner, and has to be found by hand when it is stuck.
  await noteProcess(socket).catch(() => undefined);
  return {
    socket,
    stillMine,
    release: async () => {
      // The name goes first: who finds it gone may start, and this process has stopped writing already.
      if (!(await stillMine())) return;
      await fs.unlink(noteOf(socket)).catch(() => undefined);
      await fs.unlink(socket).catch(() => undefined);
    },
  };
}

const noteOf = (socket: string): string => `${socket}.process`;

async function noteProcess(socket: string): Promise<void> {
  const mark = (await markOf(process.pid)) ?? "";
  await fs.writeFile(noteOf(socket), `${process.pid}\n${mark}\n`, { mode: 0o600 });
}

/**
 * The process that took the socket, as it noted; undefined where nothing is. With `isIt` false it has ended, and its
 * number is another one's by now or nobody's; undefined where this system does not tell.
 */
export async function notedProcess(
  socket: string,
): Promise<{ pid: number; isIt: boolean | undefined } | undefined> {
  const text = await fs.readFile(noteOf(socket), "utf8").catch(() => "");
  const [number = "", mark = ""] = text.split("\n");
  // Never 0 or below, which would be groups of processes, nor 1.
  const pid = /^[1-9]\d{0,9}$/.test(number) ? Number(number) : 1;
  if (pid === 1) return undefined;
  return { pid, isIt: mark === "" ? undefined : (await markOf(pid)) === mark };
}

/** Whether somebody listens there. */
export async function answers(socket: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    // As an option: a bare number would be taken for a port.
    const connection = net.connect({ path: socket });
    const done = (alive: boolean): void => {
      connection.destroy();
      resolve(alive);
    };
    connection.setTimeout(CONNECT_MS, () => done(true));
    connection.once("connect", () => done(true));
    connection.once("error", (error: NodeJS.ErrnoException) => {
      connection.destroy();
      // Reset: it died, or closed, after the connection had come into its queue.
      if (DEAD.includes(error.code ?? "")) return resolve(false);
      // A full backlog means that somebody is there and busy.
      if (error.code === "EAGAIN") return resolve(true);
      reject(new MemdError("socket_path", `Could not ask ${socket}: ${messageOf(error)}.`, { cause: error }));
    });
  });
}

/** Gives the own socket the workspace's name. False when another process has it and lives. */
async function claim(own: string, socket: string): Promise<boolean> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    if (await linked(own, socket)) return true;
    // Asked each time: of many that find a dead owner's name, most learn soon that one was quicker.
    if (await answers(socket)) return false;
    const lock = await takeoverLock(socket);
    if (lock !== undefined) {
      try {
        await removeDead(socket, lock.isLost);
      } finally {
        await lock.release();
      }
    } else if (performance.now() > until) {
      throw new MemdError("busy", `Another memd is taking ${socket} over.`);
    } else {
      await new Promise((done) => setTimeout(done, LOOK_MS * (0.5 + Math.random())));
    }
  }
}

/** Undefined while another one holds it. */
async function takeoverLock(
  socket: string,
): Promise<{ isLost: () => boolean; release: () => Promise<void> } | undefined> {
  let lost = false;
  const onCompromised = (): void => void (lost = true);
  try {
    const options = { realpath: false, stale: STALE_MS, retries: 0, onCompromised };
    // Who only asks a running owner does without.
    const { default: lockfile } = await import("proper-lockfile");
    const release = await lockfile.lock(socket, options);
    return {
      isLost: () => lost,
      // A lock that was lost is another one's by now.
      release: async () => (lost ? undefined : release().catch(() => undefined)),
    };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // ENOENT: broken by another one while it was being made.
    if (code === "ELOCKED" || code === "ENOENT") return undefined;
    throw new MemdError("socket_path", `Could not take ${socket}: ${messageOf(error)}.`, { cause: error });
  }
}

/**
 * Frees the name of a dead socket. It is moved aside first and looked at there:
 * should it be a living one's by now, it gets its name back.
 */
async function removeDead(socket: string, isLost: () => boolean): Promise<void> {
  const dead = await inodeOf(socket);
  if (dead === undefined || (await answers(socket)) || isLost()) return;
  const aside = `${socket}.${systemRandom.name(NAME_CHARS)}`;
  const moved = await fs.rename(socket, aside).then(
    () => true,
    () => false,
  );
  // Gone already: the name is free.
  if (!moved) return;
  // A number may have been given anew: asked once more, the socket itself knows.
  if ((await inodeOf(aside)) !== dead || (await answers(aside))) await linked(aside, socket);
  await fs.unlink(aside);
}

/** Removes what killed starters left beside the socket. Young ones may be bound and not listening yet. */
async function sweepDead(socket: string, own: string): Promise<void> {
  const dir = path.dirname(socket);
  for (const name of await fs.readdir(dir)) {
    const file = path.join(dir, name);
    const suffix = file.startsWith(`${socket}.`) ? file.slice(socket.length + 1) : "";
    if (file === own || suffix.length !== NAME_CHARS || !/^[a-z0-9]+$/.test(suffix)) continue;
    const stat = await fs.lstat(file).catch(() => undefined);
    if (stat?.isSocket() !== true || Date.now() - stat.mtimeMs < YOUNG_MS) continue;
    if (!(await answers(file))) await fs.unlink(file);
  }
}

async function inodeOf(file: string): Promise<number | undefined> {
  return (await fs.lstat(file).catch(() => undefined))?.ino;
}

async function linked(own: string, socket: string): Promise<boolean> {
  try {
    await fs.link(own, socket);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw new MemdError("socket_path", `Could not take ${socket}: ${messageOf(error)}.`, { cause: error });
  }
}

async function privateDir(dir: string): Promise<void> {
  await fs.mkdir(dir, { recursive: true, mode: 0o700 }).catch(() => undefined);
  const stat = await fs.lstat(dir).catch(() => undefined);
  const uid = process.getuid?.();
  const mine =
    stat?.isDirectory() === true && (uid === undefined || stat.uid === uid) && (stat.mode & 0o077) === 0;
  if (!mine) throw new MemdError("socket_path", `${dir} is not a private folder of this user.`);
}

async function listen(server: Server, own: string): Promise<void> {
  server.listen(own);
  await once(server, "listening").catch((error: unknown) => {
    throw new MemdError("socket_path", `Could not listen: ${messageOf(error)}.`, { cause: error });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
