/**
 * Who owns a workspace: the process that listens on its socket. The kernel frees
 * it on death, so a killed owner can be followed at once.
 *
 * The listener binds a name of its own and takes the workspace's name by `link`,
 * which never overwrites: two starters cannot both win, and closing removes only
 * the own name. A dead owner's name is removed under a lock, after looking again.
 */
import fs from "node:fs/promises";
import type { Server } from "node:http";
import net from "node:net";
import path from "node:path";
import lockfile from "proper-lockfile";
import { MemdError, messageOf } from "../model/errors.js";
import { sha256 } from "./hash.js";
import { systemRandom } from "./random.js";

/** Node cuts longer socket paths without a word (107 bytes on Linux, 103 on macOS). */
const LONGEST_SOCKET_PATH = 100;
const CONNECT_MS = 2000;

export interface Ownership {
  readonly socket: string;
  /** False once another process has taken the name, or the socket's file is gone. */
  stillMine(): Promise<boolean>;
  release(): Promise<void>;
}

/** The socket of a workspace, outside of it. Its folder belongs to this user alone. */
export async function socketPath(root: string): Promise<string> {
  const { dev, ino } = await fs.stat(root);
  const uid = process.getuid?.() ?? 0;
  const base = process.env["XDG_RUNTIME_DIR"] ?? process.env["TMPDIR"] ?? "/tmp";
  const dir = path.join(base, `memd-${uid}`);
  const socket = path.join(dir, `${sha256(`${root}\u0000${dev}\u0000${ino}`).slice(0, 20)}.sock`);
  // The name that is bound first is longer by a dot and eight characters.
  if (Buffer.byteLength(socket) + 9 > LONGEST_SOCKET_PATH) {
    throw new MemdError("socket_path", `The socket path ${socket} is too long for this system.`);
  }
  return socket;
}

/** Makes this process the owner, serving on the workspace's socket; undefined when a living process is. */
export async function takeOwnership(socket: string, server: Server): Promise<Ownership | undefined> {
  await privateDir(path.dirname(socket));
  if (await answers(socket)) return undefined;
  const own = `${socket}.${systemRandom.name(8)}`;
  await listen(server, own);
  try {
    await fs.chmod(own, 0o600);
    if (!(await claim(own, socket))) {
      await close(server);
      return undefined;
    }
  } catch (error) {
    await close(server);
    throw error;
  }
  const { ino } = await fs.lstat(own);
  const stillMine = async (): Promise<boolean> => (await fs.lstat(socket).catch(() => undefined))?.ino === ino;
  return {
    socket,
    stillMine,
    release: async () => {
      // The name goes first: who finds it gone may start, and this process has stopped writing already.
      if (await stillMine()) await fs.unlink(socket).catch(() => undefined);
      await close(server);
    },
  };
}

/** Whether somebody listens there. */
export async function answers(socket: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const connection = net.connect(socket);
    const done = (alive: boolean): void => {
      connection.destroy();
      resolve(alive);
    };
    connection.setTimeout(CONNECT_MS, () => done(true));
    connection.once("connect", () => done(true));
    connection.once("error", (error: NodeJS.ErrnoException) => {
      connection.destroy();
      if (error.code === "ECONNREFUSED" || error.code === "ENOENT") resolve(false);
      // A full backlog means that somebody is there and busy.
      else if (error.code === "EAGAIN") resolve(true);
      else reject(new MemdError("socket_path", `Could not ask ${socket}: ${messageOf(error)}.`, { cause: error }));
    });
  });
}

/** Gives the own socket the workspace's name. False when another process has it and lives. */
async function claim(own: string, socket: string): Promise<boolean> {
  if (await linked(own, socket)) return true;
  const release = await lockfile.lock(socket, {
    realpath: false,
    stale: 2000,
    retries: { retries: 40, minTimeout: 5, maxTimeout: 100, randomize: true },
  });
  try {
    if (await linked(own, socket)) return true;
    if (await answers(socket)) return false;
    await fs.unlink(socket);
    return await linked(own, socket);
  } finally {
    await release();
  }
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
  const mine = stat?.isDirectory() === true && (uid === undefined || stat.uid === uid) && (stat.mode & 0o077) === 0;
  if (!mine) throw new MemdError("socket_path", `${dir} is not a private folder of this user.`);
}

function listen(server: Server, own: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(new MemdError("socket_path", `Could not listen: ${error.message}.`, { cause: error })));
    server.listen(own, resolve);
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
