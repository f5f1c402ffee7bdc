/**
 * Keeps what is made of the conversation up to date: the index of search, and
 * the prompts, which come first. New input is answered from the index as it
 * stands, and never made to wait; a thousand files are looked at after that, and
 * where this finds more, the prompt is written again. And what keeps memd from getting
 * on, told once.
 */
import { versionHash } from "../archive/identity.js";
import { keyOfMessage, type Lists } from "../model/address.js";
import { type MemdError, troubleOf } from "../model/errors.js";
import { MINUTE_MS, SECOND_MS } from "../model/time.js";
import { Histogram } from "../model/histogram.js";
import { listsOf } from "../platform/background.js";
import type { Clock } from "../platform/clock.js";
import type { Log } from "../platform/log.js";
import { PromptPace, REST_TIMES } from "../prompt/writer.js";
import type { Stages } from "./ports.js";

/** What it has the loop do. */
interface Ticks {
  /** Runs when no tick does. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
  /** Whether something has come that this tick has not looked at. Not for longer than ticks may be cut short for. */
  hasNews(): boolean;
  /** Whether work is under way that changes more files yet. */
  isWorking(): boolean;
  /** Whether somebody waits for this tick to be over, with what they bring or want to write. */
  isWanted(): boolean;
  /** A tick again after so long, and not where it rests before. */
  wakeAfter(ms: number): void;
  rest(): void;
  fault(error: unknown): void;
}

/** So long files are read one after the other though somebody waits. */
const AT_ONCE_MS = SECOND_MS;
/** So long none is for those who come one after another. */
const MOST_GIVEN_MS = 5 * SECOND_MS;
/** While an import comes in: what it brings is looked at as a whole. */
const MOST_GIVEN_IMPORT_MS = MINUTE_MS;
const LATER_MS = 20;
const PROMPT_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export class Upkeep {
  readonly #pace = new PromptPace();
  #isOld = true;
  /** Whether prompts may say something else than when they were written last. */
  #isOwed = false;
  /** What waited, each in its version, when they were. */
  #shown: ReadonlySet<string> = new Set();
  #hasIndex = false;
  #refreshedAtMs = 0;
  #refreshTookMs = 0;
  /** Counts up with what has changed otherwise than by work here; so much of it every file was looked at for. */
  #brought = 1;
  #lookedAt = 0;
  #unreadSinceMs: number | undefined;
  /** Seconds from when somebody is seen to wait until their prompt stands. */
  readonly promptTimes = new Histogram(PROMPT_SECONDS);
  /** Whether other things may be found than when prompts were written last. */
  #hasFound = true;
  /** Who waits for the prompt, whatever its pace. */
  #hurried = 0;
  /** Who waits for an index that knows every file. */
  #wanted = 0;

  constructor(
    readonly stages: Pick<Stages, "intake" | "index" | "prompts">,
    readonly clock: Clock,
    readonly ticks: Ticks,
  ) {}

  /** Something has changed. `byWork`: what work here has made, and nobody has brought. */
  stale({ byWork = false } = {}): void {
    if (!byWork) {
      this.#brought += 1;
      this.#unreadSinceMs ??= this.clock.monotonicMs();
    }
    this.#isOld = true;
  }

  get isOld(): boolean {
    return this.#isOld;
  }

  /** Whether somebody has brought what no question finds yet. */
  get hasUnread(): boolean {
    return this.#brought > this.#lookedAt || this.stages.index.isBehind;
  }

  /** For how long already. */
  get unreadForMs(): number {
    const nowMs = this.clock.monotonicMs();
    return this.hasUnread ? nowMs - (this.#unreadSinceMs ?? nowMs) : 0;
  }

  /** Whether a prompt waits for its pace, or files for their turn. */
  get isWaiting(): boolean {
    return this.#isOwed || this.#isOld || this.stages.index.isBehind;
  }

  /** While this lasts no prompt waits; `whole`: nor does any file. */
  async hurry(until: Promise<void>, { whole = false } = {}): Promise<void> {
    const wholly = whole ? 1 : 0;
    this.#hurried += 1;
    this.#wanted += wholly;
    await until.finally(() => {
      this.#hurried -= 1;
      this.#wanted -= wholly;
    });
  }

  /** The prompts for what waits, which is being taken in meanwhile; they say so once it is. */
  async ahead(inbox: Lists["inbox"], taking: Promise<void>): Promise<void> {
    if (!this.#hasIndex) return;
    this.#isOwed = true;
    const wanted = idsIn(inbox);
    // A host may have changed it since.
    const isTaken = taking.then(() => idsIn(listsOf(this.stages.intake).inbox) === wanted);
    // Where nothing is to be written nobody asks, and the tick says what went wrong.
    isTaken.catch(() => undefined);
    await this.#writePrompts({ ...listsOf(this.stages.intake), inbox }, isTaken);
  }

  async refresh(): Promise<void> {
    if (this.#isOld) {
      this.#isOld = false;
      this.#isOwed = true;
      // The first time there is nothing yet to be found.
      if (this.#hasIndex) await this.#writePrompts();
      // Whoever has come meanwhile need not wait until every file is looked at.
      if (this.#hasIndex && this.ticks.hasNews()) {
        this.#isOld = true;
        return;
      }
      const givenMs = this.#hasIndex ? this.#givenMs() : 0;
      if (givenMs > 0) return this.#later(givenMs);
      const brought = this.#brought;
      this.#refreshedAtMs = this.clock.monotonicMs();
      if (await this.stages.index.refresh(() => this.#isCalled())) this.#hasFound = true;
      if (!this.stages.index.isBehind) this.#lookedAt = brought;
      if (!this.hasUnread) this.#unreadSinceMs = undefined;
      this.#refreshTookMs = this.clock.monotonicMs() - this.#refreshedAtMs;
      if (this.stages.index.isBehind) this.#later();
      this.#hasIndex = true;
      this.#isOwed = true;
    }
    await this.#writePrompts();
    if (!this.isWaiting) this.ticks.rest();
  }

  /** The rest of the files in another tick. */
  #later(givenMs = LATER_MS): void {
    this.#isOld = true;
    this.ticks.wakeAfter(this.stages.intake.isTakingIn ? SECOND_MS : givenMs);
  }

  /**
   * For how long no file is looked at. An import of years is a thousand pieces, one right behind
   * the other, and so are the summaries of years: between two of them not every file is.
   */
  #givenMs(): number {
    const sinceMs = this.clock.monotonicMs() - this.#refreshedAtMs;
    if (this.#wanted > 0) return 0;
    if (this.stages.intake.isTakingIn) return sinceMs < MOST_GIVEN_IMPORT_MS ? SECOND_MS : 0;
    if (this.#brought === this.#lookedAt && this.ticks.isWorking())
      return Math.max(0, REST_TIMES * this.#refreshTookMs - sinceMs);
    return this.ticks.isWanted() && sinceMs < MOST_GIVEN_MS ? LATER_MS : 0;
  }

  /** Whether files that have changed are left to another tick: somebody has come, or waits for their first prompt. */
  #isCalled(): boolean {
    if (this.#wanted > 0 || this.clock.monotonicMs() - this.#refreshedAtMs < AT_ONCE_MS) return false;
    return !this.#hasIndex || this.ticks.isWanted();
  }

  async #writePrompts(lists = listsOf(this.stages.intake), isTaken: Promise<boolean> = TAKEN): Promise<void> {
    if (!this.#isOwed) return;
    const { clock } = this;
    const waiting = new Set(lists.inbox.map(versionOf));
    // Who waits for the end of all work waits for what they say then.
    const isHurried = this.#wanted > 0 || (this.#hurried > 0 && !this.ticks.isWorking());
    const isAwaited = isHurried || [...waiting].some((version) => !this.#shown.has(version));
    // The tick that looks at what has come writes this with it.
    if (!isAwaited && this.ticks.hasNews()) return;
    const waitMs = isAwaited ? 0 : this.#pace.waitMs(clock.monotonicMs());
    if (waitMs > 0) return this.ticks.wakeAfter(waitMs);
    this.#isOwed = false;
    const hasFound = this.#hasFound;
    this.#hasFound = false;
    const beganMs = clock.monotonicMs();
    const written = await this.stages.prompts.refresh(lists, hasFound, isTaken);
    if (await isTaken) this.#shown = waiting;
    const endedMs = clock.monotonicMs();
    if (isAwaited && written > 0) this.promptTimes.note((endedMs - beganMs) / SECOND_MS);
    if (written === 0) return this.#pace.looked(endedMs, endedMs - beganMs);
    if (!isAwaited) this.#pace.wrote(endedMs, endedMs - beganMs);
    void this.#improve().catch((error: unknown) => this.ticks.fault(error));
  }

  /** What models add comes beside the ticks, and only while it is still about the same. */
  async #improve(): Promise<void> {
    const { prompts, intake } = this.stages;
    const { epoch } = intake;
    const write = await prompts.better();
    if (write === undefined) return;
    // What it found may have been forgotten meanwhile.
    await this.ticks.exclusive(async () => epoch === intake.epoch && (await write()));
  }
}

const TAKEN = Promise.resolve(true);

function versionOf(filed: Lists["inbox"][number]): string {
  return JSON.stringify([keyOfMessage(filed.message), versionHash(filed.message)]);
}

function idsIn(inbox: Lists["inbox"]): string {
  return JSON.stringify(inbox.map(({ message }) => message.id));
}

/** What keeps memd from getting on: logged once, and over when a tick goes well and the disk takes something. */
export class Troubles {
  /** The one there is now. */
  current: MemdError | undefined;

  constructor(
    readonly log: Log,
    readonly probe: () => Promise<void>,
  ) {}

  /** Temporary names differ from try to try: the same trouble is logged once. */
  begin(trouble: MemdError): void {
    const { current, log } = this;
    const { code, message, cause } = trouble;
    this.current = trouble;
    const isKnown = current?.code === code && (code !== "internal" || current.message === message);
    if (isKnown) return;
    const stack = code === "internal" && cause instanceof Error ? { stack: cause.stack } : {};
    log.write({ level: "error", event: "trouble", code, reason: message, ...stack });
  }

  /** After a tick that went well. One that had nothing to write says nothing of the disk: who waits is told what lasts. */
  async end(refuse: (lasting: MemdError) => void): Promise<void> {
    if (this.current === undefined) return;
    const lasting = isOfDisk(this.current) ? await this.#lasting() : undefined;
    if (lasting !== undefined) {
      this.begin(lasting);
      return refuse(lasting);
    }
    this.log.write({ level: "info", event: "trouble_over", code: this.current.code });
    this.current = undefined;
  }

  async #lasting(): Promise<MemdError | undefined> {
    try {
      await this.probe();
      return undefined;
    } catch (error) {
      const trouble = troubleOf(error);
      if (!isOfDisk(trouble)) throw error;
      return trouble;
    }
  }
}

function isOfDisk({ code }: MemdError): boolean {
  return code.startsWith("disk_");
}
