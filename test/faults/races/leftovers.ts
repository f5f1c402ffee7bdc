/**
 * What a power cut or a kill leaves of an owner: locks that look fresh, names of
 * sockets that nobody listens on, notes of places that are gone or somebody
 * else's by now. The next start runs at once and has every message; a lock that
 * a polite program holds right now is left alone.
 */
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { socketPath } from "../../../src/platform/owner.js";
import { fileLocks } from "../../../src/platform/lock.js";
import { endAll, isOwned, launch, newPlace, settled, type Place, type Program } from "./daemon.js";
import { comesTrue, filesOf } from "./looking.js";
import { deadSocket } from "./rounds.js";

const MESSAGES = 9;
/** How much longer than on a clean workspace. */
const MORE_MS = 1000;
const HOST_HOLDS_MS = 1200;
const TRIES = 3;
const DROPPED = "Said while nobody listened.";
const IN_SLICE: readonly string[] = [
  "the lock of the history, noted, and a dead socket",
  "a note that holds a number, of a process or of a port",
  "the note of the workspace that it is a copy of",
];

export interface LeftoverFigures {
  cases: number;
  /** The slowest start on a clean workspace, measured again whenever one seems slower than it should be. */
  cleanMs: number;
  slowestMs: number;
  failures: string[];
}

type Leave = (place: Place) => Promise<(() => void) | undefined>;

const LEFTOVERS: Readonly<Record<string, Leave>> = {
  "the lock of the history, noted, and a dead socket": async (place) => {
    leaveLock(place, "history.json");
    await leaveSocket(place);
    return undefined;
  },
  "the lock of the inbox, noted": async (place) => {
    leaveLock(place, "inbox.json");
    return undefined;
  },
  "a dead socket, noted": async (place) => {
    note(place, await leaveSocket(place));
    return undefined;
  },
  "a note of a socket in a folder that is gone": async (place) => {
    note(place, path.join(place.runtimes[1], "gone", "w.sock"));
    return undefined;
  },
  "a note that holds a number, of a process or of a port": async (place) => {
    const other = net.createServer((connection) => connection.destroy());
    await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
    note(place, String((other.address() as net.AddressInfo).port));
    return () => void other.close();
  },
  "the note of the workspace that it is a copy of": async (place) => {
    const other = net.createServer();
    const socket = path.join(place.runtimes[1], "other.sock");
    await new Promise<void>((done) => other.listen(socket, done));
    const { dev, ino } = fs.statSync(path.dirname(place.root));
    note(place, `${socket}\n${dev} ${ino}`);
    return () => void other.close();
  },
};

export async function runLeftovers(memd: Program, dir: string, slice: boolean): Promise<LeftoverFigures> {
  const failures: string[] = [];
  const clean = async (name: string): Promise<number> =>
    (await startOn(memd, newPlace(dir, name, MESSAGES), failures)) ?? 0;
  const figures = { cases: 1, cleanMs: 0, slowestMs: 0 };
  let cleanMs = 0;
  for (const [name, leave] of Object.entries(LEFTOVERS)) {
    if (slice && !IN_SLICE.includes(name)) continue;
    const index = figures.cases++;
    let tookMs = Infinity;
    // A start that was slow for no reason of its own is not slow again; one that waits for a lock is.
    for (let tries = 1; tries <= TRIES && tookMs > cleanMs + MORE_MS; tries++) {
      if (cleanMs === 0 || tries > 1) cleanMs = await clean(`clean${index}-${tries}`);
      const place = newPlace(dir, `left${index}-${tries}`, MESSAGES);
      const over = await leave(place);
      tookMs = (await startOn(memd, place, failures, name)) ?? 0;
      over?.();
    }
    if (tookMs > cleanMs + MORE_MS)
      failures.push(`with ${name} a start took ${tookMs} ms, without ${cleanMs}`);
    figures.cleanMs = Math.max(figures.cleanMs, cleanMs);
    figures.slowestMs = Math.max(figures.slowestMs, tookMs);
  }
  const broken = await livingHost(memd, newPlace(dir, "host", MESSAGES));
  if (broken !== undefined) failures.push(broken);
  return { ...figures, failures };
}

/** Until it is ready, in milliseconds; every message must have been taken in by then. */
async function startOn(
  memd: Program,
  place: Place,
  failures: string[],
  name = "nothing",
): Promise<number | undefined> {
  try {
    drop(place);
    const daemon = launch(memd, place);
    if (!(await settled(daemon))) {
      failures.push(`with ${name} left, memd does not start: ${JSON.stringify(daemon.ended())}`);
      return undefined;
    }
    const journal = [...filesOf(place.root)]
      .filter(([file]) => file.startsWith("journal"))
      .map(([, text]) => text);
    const lost = Array.from({ length: MESSAGES }, (_, n) => `"m${n}"`).filter(
      (id) => !journal.join().includes(id),
    );
    if (!fs.readFileSync(path.join(place.root, "history.json"), "utf8").includes(DROPPED))
      lost.push("the drop");
    if (lost.length > 0) failures.push(`with ${name} left, ${lost.join(" ")} are not where they belong`);
    return Math.round(daemon.readyAt()! - daemon.startedAt);
  } finally {
    await endAll(place);
  }
}

/** The owner died long ago with the lock; a host has broken it since, and holds it now. */
async function livingHost(memd: Program, place: Place): Promise<string | undefined> {
  const history = path.join(place.root, "history.json");
  drop(place);
  leaveLock(place, "history.json");
  const longAgo = new Date(Date.now() - 60_000);
  for (const left of [`${history}.lock`, path.join(place.root, ".memd", "lock")])
    fs.utimesSync(left, longAgo, longAgo);
  try {
    return await fileLocks.withLock(history, async (lock) => {
      launch(memd, place);
      // It wants the lock for the drop, and waits.
      await comesTrue(() => isOwned(place));
      await pause(HOST_HOLDS_MS);
      try {
        lock.assertHeld();
        return undefined;
      } catch {
        return "a start broke the lock that a living host holds";
      }
    });
  } finally {
    await endAll(place);
  }
}

/** A drop has to go into both lists, so a start needs both locks. */
function drop(place: Place): void {
  fs.mkdirSync(path.join(place.root, "inbox.d"));
  const message = { role: "user", text: DROPPED, createdAt: new Date().toISOString() };
  fs.writeFileSync(path.join(place.root, "inbox.d", "one.json"), JSON.stringify(message));
}

function leaveLock(place: Place, file: string): void {
  fs.mkdirSync(path.join(place.root, `${file}.lock`));
  fs.mkdirSync(path.join(place.root, ".memd"), { recursive: true });
  fs.writeFileSync(path.join(place.root, ".memd", "lock"), path.join(place.root, file));
}

function note(place: Place, text: string): void {
  fs.mkdirSync(path.join(place.root, ".memd"), { recursive: true });
  fs.writeFileSync(path.join(place.root, ".memd", "owner"), `${text}\n`);
}

/** Under the very name that the next owner will want. */
async function leaveSocket(place: Place): Promise<string> {
  const before = process.env["XDG_RUNTIME_DIR"];
  process.env["XDG_RUNTIME_DIR"] = place.runtimes[0];
  const socket = await socketPath(place.root);
  if (before === undefined) delete process.env["XDG_RUNTIME_DIR"];
  else process.env["XDG_RUNTIME_DIR"] = before;
  fs.mkdirSync(path.dirname(socket), { recursive: true, mode: 0o700 });
  await deadSocket(socket);
  return socket;
}
