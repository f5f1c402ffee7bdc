/**
 * All workspaces below a root, served by one process: one socket and one port, one set of index threads, and so many
 * workers in all. Who asks names the workspace by the socket that is its own, under which the root listens too, or in
 * the path: `/w/red%2Flin/status` is `/status` of `red/lin`. Each has its own door, with its own tokens.
 */
import { MemdError, messageOf, troubleOf } from "../model/errors.js";
import type { Settings } from "../model/settings.js";
import { MINUTE_MS, SECOND_MS } from "../model/time.js";
import { Places } from "../llm/places.js";
import { Mutex } from "../platform/background.js";
import { type Clock, Timers } from "../platform/clock.js";
import { basename, join } from "../platform/files.js";
import { serverFor } from "../platform/http-server.js";
import { nodeDisk } from "../platform/node-disk.js";
import { listenFor, type Listener, type Ownership, socketPath } from "../platform/owner.js";
import { indexThreads } from "../platform/package-root.js";
import { processId } from "../platform/process.js";
import { readSettings } from "../protocol/settings.js";
import { ownerSocket } from "../protocol/owner-note.js";
import { isOwnFolder } from "../protocol/workspace.js";
import { openWorkspaceAt } from "../protocol/workspace-file.js";
import { threadsIn } from "../recall/index/open.js";
import type { Door } from "../serve/door.js";
import { workspacesBelow } from "./finding.js";
import { type Loopback, openLoopback } from "./loopback.js";
import { Room, type RoomState } from "./room.js";
import { Routes } from "./routes.js";

const DISCOVERS_MS = MINUTE_MS;
const LOOKS_MS = SECOND_MS;
/** Within so long each that rests has been looked at. */
const ROUND_MS = 5 * MINUTE_MS;
/** Those that are open are asked whether they may rest so often. */
const REST_LOOK_MS = 10 * SECOND_MS;
/** Opened at once for what is owed there; who asks is not kept waiting by them. */
const LOOKED_AFTER_AT_ONCE = 2;

export interface FleetParts {
  root: string;
  clock: Clock;
  /** Of 127.0.0.1, beside the socket. */
  port?: number | undefined;
  /** Told of what is found, taken and lost, in a line each. */
  tell: (line: string) => void;
}

export interface RoomLine {
  name: string;
  folder: string;
  state: RoomState;
  /** Why it is faulty. */
  reason?: string;
  /** Tables of its settings that do not count below a root. */
  ignored?: readonly string[];
}

export interface FleetStatus {
  root: string;
  pid: number;
  socket: string;
  port?: number;
  workspaces: RoomLine[];
}

export class Fleet {
  readonly #rooms = new Map<string, Room>();
  readonly #bySocket = new Map<string, Room>();
  readonly #timers: Timers;
  readonly #discovering = new Mutex();
  readonly #routes: Routes;
  readonly #threads = threadsIn(indexThreads(), true);
  #places = new Places(1);
  #listener: Listener | undefined;
  #ownership: Ownership | undefined;
  #loopback: Loopback | undefined;
  /** Rooms whose turn it is to be looked after. */
  readonly #owed = new Set<Room>();
  #lookedAfter = 0;
  #round: Room[] = [];
  #restLooks = 0;
  #isStopping = false;
  #askStop: () => void = () => undefined;
  /** Settles when somebody asks over the root's socket to stop. */
  readonly stopAsked: Promise<void>;
  #allLookedAfter: (() => void)[] = [];

  constructor(readonly parts: FleetParts) {
    this.#timers = new Timers(parts.clock);
    this.#routes = new Routes({
      clock: parts.clock,
      named: (name) => this.#rooms.get(name),
      behind: (socket) => this.#bySocket.get(socket),
      own: () => basename(this.#ownership?.socket ?? ""),
      status: () => this.status(),
      stop: () => this.#askStop(),
    });
    this.stopAsked = new Promise((resolve) => {
      this.#askStop = resolve;
    });
  }

  get port(): number | undefined {
    return this.#loopback?.port;
  }

  /** Throws `busy` where another process serves this root, and what is wrong with its settings. */
  async start(): Promise<void> {
    const { root, port } = this.parts;
    const { worker } = await this.#outer();
    this.#places = new Places(worker.max_processes);
    const socket = await socketPath(root);
    const door: Door = (request, place) => this.#routes.answer(request, place);
    const server = serverFor((request) => door(request, { kind: "socket" }));
    this.#listener = await listenFor(socket, server);
    try {
      this.#ownership = await this.#listener.take(socket);
      if (this.#ownership === undefined) throw new MemdError("busy", `memd serves ${root} already.`);
      if (port !== undefined) this.#loopback = await openLoopback(door, port);
      await this.discover();
    } catch (error) {
      await this.stop();
      throw error;
    }
    this.#discoverSoon();
    this.#lookSoon();
  }

  /** Takes the workspaces that have come below the root, and lets go of those that are gone. */
  discover(): Promise<void> {
    return this.#discovering.run(() => this.#discover());
  }

  async #discover(): Promise<void> {
    const { root, tell } = this.parts;
    const { names, unread } = await workspacesBelow(nodeDisk, root);
    for (const { name, reason } of unread) tell(`Cannot be read: ${name === "" ? root : name}: ${reason}`);
    const isUnread = (name: string): boolean =>
      unread.some((folder) => folder.name === "" || `${name}/`.startsWith(`${folder.name}/`));
    for (const [name, room] of this.#rooms)
      if (!names.includes(name) && !isUnread(name)) void this.#forget(room).catch(() => undefined);
    for (const name of names) {
      const room = this.#rooms.get(name) ?? (await this.#met(name));
      if (room === undefined || room.state !== "elsewhere" || this.#isStopping) continue;
      if (!(await room.take().catch(() => false))) continue;
      this.#owed.add(room);
    }
    this.#lookAfterOwed();
  }

  /** Once what was owed when they were found is done. */
  async settled(): Promise<void> {
    if (this.#owed.size === 0 && this.#lookedAfter === 0) return;
    await new Promise<void>((resolve) => this.#allLookedAfter.push(resolve));
  }

  status(): FleetStatus {
    const workspaces = [...this.#rooms.values()].map(
      ({ name, workspace, state, fault, ignored }): RoomLine => ({
        name,
        folder: workspace.root,
        state,
        ...(fault !== undefined && state !== "open" && { reason: fault.message }),
        ...(ignored.length > 0 && { ignored }),
      }),
    );
    const { port } = this;
    const socket = this.#ownership?.socket ?? "";
    return {
      root: this.parts.root,
      pid: processId(),
      socket,
      ...(port !== undefined && { port }),
      workspaces,
    };
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#timers.close();
    this.#loopback?.close();
    await Promise.all([...this.#rooms.values()].map((room) => room.close()));
    await this.#threads.end();
    await this.#ownership?.release();
    await this.#listener?.close();
  }

  async #met(name: string): Promise<Room | undefined> {
    const { root, clock, tell } = this.parts;
    const listener = this.#listener;
    if (listener === undefined) return undefined;
    try {
      const workspace = await openWorkspaceAt(nodeDisk, join(root, name));
      // Which links of its own are followed is decided when it is opened.
      nodeDisk.enclose(workspace.root, { isOwn: isOwnFolder, linked: () => Promise.resolve([]) });
      const shared = { threads: this.#threads, places: this.#places, outer: () => this.#outer() };
      const socket = await socketPath(workspace.root);
      // Another memd, which has its sockets in another folder, is noted there and lives.
      if ((await ownerSocket(workspace)) !== socket) return undefined;
      const room = new Room({ root, name, workspace, clock, listener, ...shared }, socket);
      this.#rooms.set(name, room);
      this.#bySocket.set(basename(socket), room);
      return room;
    } catch (error) {
      tell(`${name}: ${messageOf(error)}`);
      return undefined;
    }
  }

  async #forget(room: Room): Promise<void> {
    this.#rooms.delete(room.name);
    this.#bySocket.delete(basename(room.socket));
    await room.close();
  }

  /** Settings that count for all: of `memd.toml` in the root itself. */
  #outer(): Promise<Settings> {
    return readSettings(nodeDisk, { root: this.parts.root });
  }

  #discoverSoon(): void {
    const discover = (): Promise<void> => this.discover().catch(() => undefined);
    this.#timers.once("discover", DISCOVERS_MS, () => void discover().finally(() => this.#discoverSoon()));
  }

  #lookSoon(): void {
    this.#timers.once(
      "look",
      LOOKS_MS,
      () =>
        void this.#look()
          .catch(() => undefined)
          .finally(() => this.#lookSoon()),
    );
  }

  /** Each second: who has been silent for long rests, and a few of those that rest are looked at. */
  async #look(): Promise<void> {
    this.#restLooks += LOOKS_MS;
    const rooms = [...this.#rooms.values()];
    if (this.#restLooks >= REST_LOOK_MS) {
      this.#restLooks = 0;
      for (const room of rooms) void room.restIfSilent().catch(() => undefined);
    }
    if (this.#round.length === 0) this.#round = rooms;
    const share = Math.ceil((rooms.length * LOOKS_MS) / ROUND_MS);
    for (const room of this.#round.splice(0, share))
      if (room.state !== "elsewhere" && (await room.isWanted())) this.#owed.add(room);
    this.#lookAfterOwed();
  }

  #lookAfterOwed(): void {
    while (this.#lookedAfter < LOOKED_AFTER_AT_ONCE && !this.#isStopping) {
      const [room] = this.#owed;
      if (room === undefined) break;
      this.#owed.delete(room);
      this.#lookedAfter += 1;
      void room
        .lookAfter()
        .catch((error: unknown) => this.parts.tell(`${room.name}: ${troubleOf(error).message}`))
        .finally(() => {
          this.#lookedAfter -= 1;
          this.#lookAfterOwed();
        });
    }
    if (this.#owed.size === 0 && this.#lookedAfter === 0)
      for (const tell of this.#allLookedAfter.splice(0)) tell();
  }
}
