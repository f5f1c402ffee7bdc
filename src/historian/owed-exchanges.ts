/**
 * What is owed of an import: exchanges that were said before memd was there, looked at as
 * any others are, in the background. A cursor for each conversation tells how far that is, and
 * only what is about to be worked stands in the queue as jobs, however many years wait.
 *
 * First the jobs of a stretch, under names that follow from what they are about, then its cursor:
 * killed between the two, the jobs that stand show how far it was.
 */
import type { ModelWorkParts } from "../llm/job-context.js";
import { idOfKey, type MessageKey } from "../model/address.js";
import { addAll, defined, entryOf } from "../model/collections.js";
import type { FiledMessage, Role } from "../model/message.js";
import { type EpochMs, later, SECOND_MS } from "../model/time.js";
import { pacer } from "../platform/clock.js";
import type { Cursor } from "../protocol/cursors.js";
import type { ExchangesJob } from "../protocol/queue-job.js";
import { BESIDE_MESSAGES } from "../text/redact.js";
import { type CursorStore, placeOf, type Whose } from "./cursor-store.js";
import { nextExchangesAt, planExchanges, throughLook } from "./exchanges.js";
import { handedOver, handOver } from "./hand-over.js";
import { isOfPast, laneOf, TODAY_MS, type Waiting } from "./queue-reader.js";
import { shownOf } from "./shown.js";

/** What came with an import. */
export interface Past {
  /** In the order in which they came in; more come behind those that stand there. */
  conversations(): Iterable<Pick<Whose, "scope" | "session" | "user"> & { messages: readonly PastMessage[] }>;
  has(key: MessageKey): boolean;
  /** As they stand now; those that are gone are left out. */
  read(messages: readonly PastMessage[]): Promise<FiledMessage[]>;
}

interface PastMessage {
  key: MessageKey;
  role: Role;
  filedAt: EpochMs;
}

/** How far it is. */
export interface OwedProgress {
  /** That were imported. */
  exchanges: number;
  /** That have not been looked at. */
  left: number;
  /** When the oldest of these was said. */
  oldestAt?: EpochMs;
}

/** Handed over together: a whole conversation, as most are, and of a long one a few stretches. */
const MOST_EXCHANGES = 64;
/** One of them may have thousands of calls. */
const MOST_MESSAGES = 1000;
/** Of one feeding: in some conversations nothing is to be looked for. */
const MOST_TURNS = 20;
interface Lane {
  whose: Whose;
  /** As of the queue. */
  lane: string;
  messages: readonly PastMessage[];
  /** The first that has not been looked at. */
  next: number;
  /** So many of the messages are counted in `exchanges`. */
  counted: number;
  exchanges: number;
  /** Before `next`. */
  done: number;
}

export class OwedExchanges {
  readonly #lanes = new Map<string, Lane>();
  /** Of which a fault left some jobs without the cursor behind them: it is gone on with before any of them is worked. */
  #open: Lane | undefined;
  /** Jobs that stood at the start, by conversation. */
  #standing = new Map<string, { job: ExchangesJob; moment: EpochMs }[]>();

  constructor(
    readonly parts: Pick<ModelWorkParts, "writer" | "workspace" | "clock" | "zone" | "settings">,
    readonly cursors: CursorStore,
    readonly past: Past,
    readonly mayAsk: () => boolean,
  ) {}

  /** Before the first look, and once what a killed memd had under way waits again. */
  async load(): Promise<void> {
    this.#lanes.clear();
    this.#open = undefined;
    this.#standing = new Map();
    for (const { whose, ...standing } of await handedOver(this.parts, "import"))
      entryOf(this.#standing, placeOf(whose), () => []).push(standing);
  }

  /** Looks at what has come in since, and at what stood before a cursor was kept. */
  look(): void {
    this.#all();
  }

  /** When the next of it is due, whatever is said; undefined where nothing is, or may be. */
  get nextAt(): EpochMs | undefined {
    if (!this.parts.settings.historian.extract || !this.mayAsk()) return undefined;
    return earliest(this.#all().flatMap((lane) => this.#dueAt(lane) ?? []));
  }

  get progress(): OwedProgress {
    const lanes = this.#all();
    const sum = (of: (lane: Lane) => number): number => lanes.reduce((total, lane) => total + of(lane), 0);
    const waiting = lanes.flatMap(({ messages, next }) => messages[next]?.filedAt ?? []);
    return defined({
      exchanges: sum(({ exchanges }) => exchanges),
      left: sum(({ exchanges, done }) => exchanges - done),
      oldestAt: earliest(waiting),
    });
  }

  /** Messages that are still to be looked at. */
  keys(): Set<MessageKey> {
    return new Set(this.#all().flatMap(({ messages, next }) => messages.slice(next).map(({ key }) => key)));
  }

  /**
   * No more stands in the queue than can be worked soon: so many conversations at once, one that
   * waits behind them, and of each the next few exchanges, those of today before the oldest.
   * `waiting`, `busy`: jobs that wait, and conversations of which one is being worked. The new jobs.
   */
  async feed(
    waiting: readonly Waiting[],
    busy: ReadonlySet<string>,
    most: number,
  ): Promise<readonly Waiting[]> {
    const fed: Waiting[] = [];
    const mayBegin = this.parts.settings.historian.extract && this.mayAsk();
    if (!mayBegin && this.#open === undefined) return fed;
    await this.cursors.keep();
    const taken = new Set([
      ...busy,
      ...waiting.flatMap(({ id, job }) => (isOfPast(id) ? [laneOf(job)] : [])),
    ]);
    if (this.#open !== undefined) addAll(fed, await this.#advance(this.#open, this.parts.clock.now()));
    for (let turns = 0; mayBegin && taken.size <= most && turns < MOST_TURNS; turns++) {
      const now = this.parts.clock.now();
      const lane = this.#first(taken, now);
      if (lane === undefined) break;
      const jobs = await this.#advance(lane, now);
      if (jobs.length > 0) taken.add(lane.lane);
      addAll(fed, jobs);
    }
    return fed;
  }

  async #advance(lane: Lane, now: EpochMs): Promise<Waiting[]> {
    const { settings, zone } = this.parts;
    const { whose } = lane;
    this.#open = lane;
    const { messages, isCut } = nextOf(lane, now - settings.historian.round_idle_seconds * SECOND_MS);
    const cursor = this.cursors.get(whose);
    const before = await this.past.read(
      lane.messages.slice(Math.max(0, lane.next - BESIDE_MESSAGES), lane.next),
    );
    const filed = await this.past.read(messages);
    const shown = await shownOf([...before, ...filed], zone, pacer(this.parts.clock));
    const plan = planExchanges(filed, cursor, { now, goesOn: isCut, shown }, settings.historian);
    const { of: _import, ...said } = whose;
    const closedAt = this.cursors.get(said)?.closedAt;
    const jobs: Waiting[] = [];
    for (const look of plan?.looks ?? []) {
      const job = await handOver(this.parts, { ...whose, closedAt }, look);
      if (job !== undefined) jobs.push(job);
    }
    const last = messages.at(-1);
    // What is gone from its day is past as well.
    const through = last === undefined ? cursor?.through : { id: idOfKey(last.key), at: last.filedAt };
    const stretch = plan?.cursor.stretch ?? cursor?.stretch ?? { rounds: 0, said: [] };
    if (through !== undefined) this.#move(lane, { through, stretch });
    await this.cursors.keep();
    this.#open = undefined;
    return jobs;
  }

  #move(lane: Lane, cursor: Cursor): void {
    this.cursors.move({ ...lane.whose, ...cursor });
    const index = placeIn(lane, cursor.through.id);
    if (index === undefined) return;
    for (; lane.next <= index; lane.next++) if (begins(lane.messages, lane.next)) lane.done += 1;
  }

  /** One of today before the oldest. */
  #first(busy: ReadonlySet<string>, now: EpochMs): Lane | undefined {
    const due = this.#all().filter((lane) => !busy.has(lane.lane) && (this.#dueAt(lane) ?? Infinity) <= now);
    const ofToday = due.filter((lane) => whenOf(lane) >= now - TODAY_MS);
    const first = ofToday.length > 0 ? ofToday : due;
    return first.length === 0
      ? undefined
      : first.reduce((one, other) => (whenOf(other) < whenOf(one) ? other : one));
  }

  #dueAt(lane: Lane): EpochMs | undefined {
    const { messages, next, exchanges, done, whose } = lane;
    const [first, last] = [messages[next], messages.at(-1)];
    const { historian } = this.parts.settings;
    if (first === undefined || last === undefined)
      return nextExchangesAt([], this.cursors.get(whose), historian);
    return exchanges - done > 1
      ? first.filedAt
      : later(last.filedAt, historian.round_idle_seconds * SECOND_MS);
  }

  /** With what has come in since the last look. */
  #all(): Lane[] {
    for (const { messages, scope, session, user } of this.past.conversations()) {
      const whose: Whose = { scope, session, user, of: "import" };
      const place = placeOf(whose);
      const known = this.#lanes.get(place);
      const lane = known?.messages === messages ? known : this.#begun(whose, messages);
      if (lane !== known) this.#lanes.set(place, lane);
      for (; lane.counted < messages.length; lane.counted++)
        if (begins(messages, lane.counted)) lane.exchanges += 1;
    }
    return [...this.#lanes.values()];
  }

  /** As far as its cursor says, and the jobs that stood before it was kept. */
  #begun(whose: Whose, messages: readonly PastMessage[]): Lane {
    const { scope, session, user } = whose;
    const lane: Lane = {
      whose,
      lane: laneOf({ scope, session, user }),
      messages,
      next: 0,
      counted: 0,
      exchanges: 0,
      done: 0,
    };
    const cursor = this.cursors.get(whose);
    if (cursor !== undefined) this.#skip(lane, cursor.through);
    const standing = (this.#standing.get(placeOf(whose)) ?? [])
      .map((one) => ({ ...one, index: placeIn(lane, one.job.said.at(-1)?.id) ?? -1 }))
      .sort((one, other) => one.index - other.index);
    for (const { job, moment, index } of standing) {
      const next = index < lane.next ? undefined : throughLook(this.cursors.get(whose), job, moment);
      if (next !== undefined) this.#move(lane, next);
    }
    return lane;
  }

  /** A message that was forgotten is told by its time; one of a journal that was pruned by nothing, and all that is left came behind it. */
  #skip(lane: Lane, { id, at }: Cursor["through"]): void {
    const found = placeIn(lane, id);
    const isForgotten = found === undefined && id === FORGOTTEN;
    const behind = isForgotten ? lane.messages.findLastIndex(({ filedAt }) => filedAt <= at) : found;
    for (; lane.next <= (behind ?? -1); lane.next++) if (begins(lane.messages, lane.next)) lane.done += 1;
  }
}

function earliest(times: readonly EpochMs[]): EpochMs | undefined {
  return times.length === 0 ? undefined : times.reduce((one, other) => (one < other ? one : other));
}

/** As forget/ leaves it in a cursor. */
const FORGOTTEN = "forgotten";

function placeIn({ messages }: Lane, id: string | undefined): number | undefined {
  const index = messages.findLastIndex(({ key }) => idOfKey(key) === id);
  return index === -1 ? undefined : index;
}

/** Whether an exchange begins with this one. */
function begins(messages: readonly PastMessage[], index: number): boolean {
  return index === 0 || (messages[index]?.role === "user" && messages[index - 1]?.role !== "user");
}

function whenOf({ messages, next }: Lane): number {
  return messages[next]?.filedAt ?? 0;
}

/** The next exchanges that are over; the last of all is once nothing has come since. `isCut`: more of the conversation is there. */
function nextOf(
  { messages, next }: Lane,
  overBefore: number,
): { messages: readonly PastMessage[]; isCut: boolean } {
  const isLastOver = (messages.at(-1)?.filedAt ?? 0) <= overBefore;
  const most = isLastOver ? messages.length : messages.findLastIndex((_, index) => begins(messages, index));
  let exchanges = 0;
  let end = next;
  for (; end < most && end - next < MOST_MESSAGES; end++)
    if (end === next || begins(messages, end)) {
      if (exchanges === MOST_EXCHANGES) break;
      exchanges += 1;
    }
  return { messages: messages.slice(next, end), isCut: end < messages.length };
}
