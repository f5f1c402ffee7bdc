/**
 * Keeps what is made of the conversation up to date: the index of search, and
 * the prompts, which come first. New input is answered from the index as it
 * stands, and never made to wait; a thousand files are looked at after that, and
 * where this finds more, the prompt is written again.
 */
import type { Archive } from "../archive/archive.js";
import type { Clock } from "../platform/clock.js";
import { versionHash } from "../archive/identity.js";
import { keyOfMessage, MAIN_SCOPE } from "../model/address.js";
import { scopesOf, type ForgetTarget } from "../protocol/forgotten.js";
import { tellerDir } from "../protocol/workspace.js";
import { conversationsIn, type Lists } from "../model/conversations.js";
import { clearStalePrompts } from "../forget/other-files.js";
import { PromptPace } from "../prompt/pace.js";
import type { PromptWriter } from "../prompt/writer.js";
import type { RecallService } from "../recall/service.js";

interface UpkeepParts {
  archive: Archive;
  search: RecallService;
  prompt: PromptWriter;
  clock: Clock;
}

/** What it asks of the rounds that drive it. */
interface Rounds {
  /** Runs when no round does. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
  /** Whether something has come that this round has not looked at. Not for longer than rounds may be cut short for. */
  hasNews(): boolean;
  /** A round again after so long. */
  wakeAfter(ms: number): void;
  fault(error: unknown): void;
}

export class Upkeep {
  readonly #pace = new PromptPace();
  #isOld = true;
  /** Whether prompts may say something else than when they were written last. */
  #isOwed = false;
  /** What waited, each in its version, when they were. */
  #told: ReadonlySet<string> = new Set();
  #hasIndex = false;
  /** Whether other things may be found than when prompts were written last. */
  #hasFound = true;
  /** Who waits for the prompt, whatever its pace. */
  #hurried = 0;

  constructor(
    readonly parts: UpkeepParts,
    readonly rounds: Rounds,
  ) {}

  /** Something has changed. */
  stale(): void {
    this.#isOld = true;
  }

  get isOld(): boolean {
    return this.#isOld;
  }

  /** Whether a prompt waits for its pace. */
  get isWaiting(): boolean {
    return this.#isOwed;
  }

  lists(): Lists {
    const { history, inbox } = this.parts.archive;
    return {
      history: history.messages.map(({ filed }) => filed),
      inbox: inbox.messages.map(({ filed }) => filed),
    };
  }

  /** Index and prompts without what the files no longer say: the old ones are gone, with their bytes, when this returns. */
  async forget(target: ForgetTarget): Promise<void> {
    const { search, archive, prompt } = this.parts;
    const { writer, workspace } = archive.context;
    const scopes: string[] = target.is === "record" ? [target.scope ?? MAIN_SCOPE] : scopesOf(target);
    // What is of user level may have been said anywhere.
    await search.drop(({ level, scope }) => level === "user" || scopes.includes(scope));
    await search.refresh(archive.context.ledger.unfiled());
    const lists = this.lists();
    const living = conversationsIn(lists).map(({ scope, session }) => tellerDir(scope, session));
    await clearStalePrompts(writer, workspace, new Set(living));
    await prompt.refresh(lists, true);
    this.#hasIndex = true;
  }

  /** While this lasts no prompt waits. */
  async hurry(until: Promise<void>): Promise<void> {
    this.#hurried += 1;
    await until.finally(() => (this.#hurried -= 1));
  }

  /** The prompts for what waits, which is being taken in meanwhile; they say so once it is. */
  async ahead(inbox: Lists["inbox"], taking: Promise<void>): Promise<void> {
    if (!this.#hasIndex) return;
    this.#isOwed = true;
    const wanted = idsIn(inbox);
    // A host may have changed it since.
    const isTaken = taking.then(() => idsIn(this.lists().inbox) === wanted);
    // Where nothing is to be written nobody asks, and the round tells what went wrong.
    isTaken.catch(() => undefined);
    await this.#writePrompts({ ...this.lists(), inbox }, isTaken);
  }

  async refresh(): Promise<void> {
    const { search, archive } = this.parts;
    if (this.#isOld) {
      this.#isOld = false;
      this.#isOwed = true;
      // The first time there is nothing yet to be found.
      if (this.#hasIndex) await this.#writePrompts();
      // Whoever has come meanwhile need not wait until every file is looked at.
      if (this.#hasIndex && this.rounds.hasNews()) {
        this.#isOld = true;
        return;
      }
      if (await search.refresh(archive.context.ledger.unfiled())) this.#hasFound = true;
      this.#hasIndex = true;
      this.#isOwed = true;
    }
    await this.#writePrompts();
  }

  async #writePrompts(lists = this.lists(), isTaken: Promise<boolean> = TAKEN): Promise<void> {
    if (!this.#isOwed) return;
    const { prompt, clock } = this.parts;
    const waiting = new Set(lists.inbox.map(versionOf));
    const isAwaited = this.#hurried > 0 || [...waiting].some((version) => !this.#told.has(version));
    // The round that looks at what has come writes this with it.
    if (!isAwaited && this.rounds.hasNews()) return;
    const waitMs = isAwaited ? 0 : this.#pace.waitMs(clock.monotonicMs());
    if (waitMs > 0) return this.rounds.wakeAfter(waitMs);
    this.#isOwed = false;
    const hasFound = this.#hasFound;
    this.#hasFound = false;
    const written = await prompt.refresh(lists, hasFound, isTaken);
    if (await isTaken) this.#told = waiting;
    if (written === 0) return;
    if (!isAwaited) this.#pace.wrote(clock.monotonicMs());
    void this.#improve().catch((error: unknown) => this.rounds.fault(error));
  }

  /** What models add comes beside the rounds, and only while it is still about the same. */
  async #improve(): Promise<void> {
    const { prompt, archive } = this.parts;
    const { forgotten } = archive.context.ledger;
    const { epoch } = forgotten;
    const write = await prompt.better();
    if (write === undefined) return;
    // What it found may have been forgotten meanwhile.
    await this.rounds.exclusive(async () => epoch === forgotten.epoch && (await write()));
  }
}

const TAKEN = Promise.resolve(true);

function versionOf(filed: Lists["inbox"][number]): string {
  return JSON.stringify([keyOfMessage(filed.message), versionHash(filed.message)]);
}

function idsIn(inbox: Lists["inbox"]): string {
  return JSON.stringify(inbox.map(({ message }) => message.id));
}
