/**
 * One workspace of those below a root: its memd is there while something happens in it, and ends after minutes of
 * silence. It stays this process's all the while, and whoever asks for it then, or writes its files, has it opened
 * again. What it costs at rest is two watches and a look at its files every few minutes.
 */
import { MemdError, troubleOf } from "../model/errors.js";
import type { Settings } from "../model/settings.js";
import { HOUR_MS, MINUTE_MS } from "../model/time.js";
import type { Places } from "../llm/places.js";
import { Mutex } from "../platform/background.js";
import type { Clock } from "../platform/clock.js";
import type { Disk } from "../platform/disk.js";
import { stampOf } from "../platform/files.js";
import { diskBelow, nodeDisk } from "../platform/node-disk.js";
import type { Listener, Ownership } from "../platform/owner.js";
import { at, FILES, isOwnFolder, type Workspace } from "../protocol/workspace.js";
import type { IndexThreads } from "../recall/index/sqlite/index-threads.js";
import type { Place } from "../serve/guard.js";
import { problem } from "../serve/problem.js";
import { openMemd, type OpenedMemd } from "./open.js";
import { settingsBelow } from "./settings-below.js";
import { watchWritten, writtenStamps } from "./written.js";

/** Of a talk with pauses to think nobody waits for it to be opened. */
const RESTS_AFTER_MS = 3 * MINUTE_MS;
/** What is due by the hour, such as a pass, needs no more. */
const OPENS_AFTER_MS = 6 * HOUR_MS;
const OPENS_SOON_MS = HOUR_MS;
/** Longer than a start of one that has much to look through. */
const IDLE_MS = MINUTE_MS;
/** What is written on and on is talk. */
const MOST_LOOKS = 3;

export interface RoomParts {
  root: string;
  /** Relative to the root, with `/`. */
  name: string;
  workspace: Workspace;
  clock: Clock;
  listener: Listener;
  threads: IndexThreads;
  places: Places;
  /** Of the root, whose settings count for what leaves a workspace. */
  outer: () => Promise<Settings>;
}

export type RoomState = "resting" | "open" | "elsewhere" | "faulty";

export class Room {
  readonly workspace: Workspace;
  readonly name: string;
  #ownership: Ownership | undefined;
  #opened: OpenedMemd | undefined;
  /** Opening and closing, one after the other. */
  readonly #turns = new Mutex();
  #watch: { close: () => void } | undefined;
  #asking = 0;
  #lastMs = -Infinity;
  #stamps = "";
  #opensAtMs = 0;
  #isClosed = false;
  /** Folders in whose place a link is followed. */
  #linked: readonly string[] = [];
  /** Settings that do not count here. */
  ignored: readonly string[] = [];
  fault: MemdError | undefined;

  constructor(
    readonly parts: RoomParts,
    /** Its own socket, under which the root listens too. */
    readonly socket: string,
  ) {
    this.workspace = parts.workspace;
    this.name = parts.name;
  }

  get state(): RoomState {
    if (this.#opened !== undefined) return "open";
    if (this.#ownership === undefined) return "elsewhere";
    return this.fault === undefined ? "resting" : "faulty";
  }

  /** Takes the workspace, unless another memd has it. */
  async take(): Promise<boolean> {
    return (await this.#turns.run(() => this.#owned())) !== undefined;
  }

  async answer(request: Request, place: Place): Promise<Response> {
    this.#asking += 1;
    try {
      const { door } = await this.open();
      return await door(request, place);
    } catch (error) {
      return problem(troubleOf(error));
    } finally {
      this.#asking -= 1;
      this.#lastMs = this.parts.clock.monotonicMs();
    }
  }

  /** Something happens in it. Throws what keeps it from being opened. */
  open(): Promise<OpenedMemd> {
    this.#lastMs = this.parts.clock.monotonicMs();
    const opened = this.#opened;
    if (opened !== undefined && !opened.memd.isStopping) return Promise.resolve(opened);
    return this.#turns.run(() => this.#open());
  }

  /** Has it do what is owed since it was last open, and rest then unless something happens. */
  async lookAfter(): Promise<void> {
    const { memd } = await this.#turns.run(() => this.#open());
    // What is written while it is looked at may not be taken in yet.
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      const before = await writtenStamps(this.workspace);
      const idle = memd.settled().then(() => memd.idle());
      await Promise.race([idle.catch(() => undefined), this.parts.clock.sleep(IDLE_MS)]);
      if ((await writtenStamps(this.workspace)) !== before) continue;
      this.#stamps = before;
      return this.restIfSilent();
    }
    this.#lastMs = this.parts.clock.monotonicMs();
  }

  /** At rest: whether something was written, or is due. Every few minutes: what was written is told by the watch too. */
  async isWanted(): Promise<boolean> {
    if (this.#opened !== undefined || this.#isClosed) return false;
    if (this.parts.clock.monotonicMs() >= this.#opensAtMs) return true;
    // Its socket's name may have been swept away: whoever opens it takes it again.
    if ((await this.#ownership?.stillMine()) === false) return true;
    return (await writtenStamps(this.workspace)) !== this.#stamps;
  }

  async restIfSilent(): Promise<void> {
    const opened = this.#opened;
    if (opened === undefined || this.#isBusy(opened)) return;
    const stamps = await writtenStamps(this.workspace);
    const now = this.parts.clock.monotonicMs();
    if (stamps !== this.#stamps) this.#lastMs = now;
    this.#stamps = stamps;
    const lastMs = Math.max(this.#lastMs, opened.visitors.lastMs);
    if (now - lastMs >= RESTS_AFTER_MS) await this.#turns.run(() => this.#rest(opened));
  }

  /** For good. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turns.run(async () => {
      await this.#end();
      await this.#ownership?.release();
      this.#ownership = undefined;
    });
  }

  async #open(): Promise<OpenedMemd> {
    if (this.#isClosed) throw new MemdError("not_running", "memd was stopped.");
    if (this.#opened !== undefined && !this.#opened.memd.isStopping) return this.#opened;
    await this.#end();
    try {
      this.#opened = await this.#begun();
      this.fault = undefined;
      return this.#opened;
    } catch (error) {
      this.fault = troubleOf(error);
      this.#stamps = await writtenStamps(this.workspace);
      this.#waitFor(OPENS_SOON_MS);
      throw error;
    }
  }

  async #begun(): Promise<OpenedMemd> {
    const { parts, workspace } = this;
    const { clock, threads, places } = parts;
    const ownership = await this.#owned();
    if (ownership === undefined)
      throw new MemdError("busy", `Another memd runs in ${workspace.root} by now.`);
    const disk = diskBelow(workspace.root);
    this.#linked = [];
    // Also for what is read beside its own disk, such as who has a token.
    for (const each of [disk, nodeDisk]) this.#enclose(each);
    const settingsStamp = stampOf(await disk.stat(at(workspace, FILES.settings)));
    const { settings, environment, ignored } = await settingsBelow(disk, workspace, await parts.outer());
    this.ignored = ignored;
    this.#linked = settings.files.linked;
    await disk.list(workspace.root);
    const stop = (): void => {
      const together = `${workspace.root} is served with all below ${parts.root}`;
      throw new MemdError("usage", `${together}: \`memd stop --root ${parts.root}\` stops that.`);
    };
    const opened = await openMemd({
      ...{ workspace, ownership, settings, settingsStamp, disk, clock, threads, places, stop },
      ...{ environment, untrusted: ignored, withToken: true },
    });
    if (opened === undefined) {
      await ownership.release();
      this.#ownership = undefined;
      throw new MemdError("busy", `Another memd runs in ${workspace.root} by now.`);
    }
    this.#unwatch();
    await opened.memd.start({ watch: true, work: true }).catch(async (error: unknown) => {
      await opened.close();
      throw error;
    });
    void opened.memd.ended.then((why) => this.#lost(opened, why));
    return opened;
  }

  /** One after another, so that nobody takes what this process has just taken for another's. */
  async #owned(): Promise<Ownership | undefined> {
    if (this.#isClosed) return undefined;
    if ((await this.#ownership?.stillMine()) === false) this.#ownership = undefined;
    if (this.#ownership !== undefined) return this.#ownership;
    const taken = await this.parts.listener.take(this.socket);
    this.#ownership = taken;
    return taken;
  }

  /** The disk outlives what is opened here: it keeps nothing of that. */
  #enclose(disk: Disk): void {
    const linked = (): Promise<readonly string[]> => Promise.resolve(this.#linked);
    disk.enclose(this.workspace.root, { isOwn: isOwnFolder, linked });
  }

  /** Another memd has taken the workspace, or it is gone from its place. */
  #lost(opened: OpenedMemd, why: MemdError): void {
    const letGo = async (): Promise<void> => {
      if (this.#opened !== opened) return;
      await this.#end();
      await this.#ownership?.release();
      this.#ownership = undefined;
      this.fault = why;
    };
    // What is not closed is met again by who opens it next.
    void this.#turns.run(letGo).catch(() => undefined);
  }

  #isBusy({ memd, visitors }: OpenedMemd): boolean {
    if (this.#asking > 0 || visitors.inside > 0 || memd.trouble !== undefined || memd.upkeep.isWaiting)
      return true;
    return memd.stages.background.some(({ running }) => running > 0) || dueInMs(memd) < RESTS_AFTER_MS;
  }

  async #rest(opened: OpenedMemd): Promise<void> {
    if (this.#opened !== opened || this.#isBusy(opened)) return;
    const next = dueInMs(opened.memd);
    const latest = opened.memd.archive.unsettled > 0 ? OPENS_SOON_MS : OPENS_AFTER_MS;
    await this.#end();
    this.#waitFor(Math.min(next, latest));
    // What was written while it ended may not be taken in.
    if ((await writtenStamps(this.workspace)) !== this.#stamps) this.#opensAtMs = 0;
  }

  /** Opened by what is written, or at the latest then. */
  #waitFor(ms: number): void {
    this.#unwatch();
    if (this.#isClosed) return;
    this.#opensAtMs = this.parts.clock.monotonicMs() + ms;
    this.#watch = watchWritten(this.workspace, () => this.#seen());
  }

  #seen(): void {
    void writtenStamps(this.workspace).then((stamps) => {
      if (stamps !== this.#stamps && !this.#isClosed) void this.open().catch(() => undefined);
    });
  }

  async #end(): Promise<void> {
    this.#unwatch();
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.close();
  }

  #unwatch(): void {
    this.#watch?.close();
    this.#watch = undefined;
  }
}

/** After how long some of its work is due; infinite where none is. */
function dueInMs({ stages }: OpenedMemd["memd"]): number {
  return Math.min(...stages.background.map(({ nextMs }) => nextMs ?? Infinity));
}
