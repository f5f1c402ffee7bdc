/**
 * Keeps what is made of the conversation up to date: the index of search, and
 * the prompts, which come first. New input is answered from the index as it
 * stands; a thousand files are looked at after that, and where this finds more,
 * the prompt is written again.
 */
import type { Archive } from "../archive/archive.js";
import type { Clock } from "../platform/clock.js";
import { MAIN_SCOPE } from "../model/message.js";
import { scopesOf, type ForgetTarget } from "../protocol/forgotten.js";
import { tellerDir } from "../protocol/workspace.js";
import { conversationsIn, type Lists } from "./conversations.js";
import { clearStalePrompts } from "./forget-beside.js";
import { PromptPace } from "./prompt-pace.js";
import type { PromptWriter } from "./prompt-writer.js";
import type { Search } from "./search.js";

interface UpkeepParts {
  archive: Archive;
  search: Search;
  prompt: PromptWriter;
  clock: Clock;
}

/** What it asks of the rounds that drive it. */
interface Rounds {
  /** Runs when no round does. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
  /** A round again after so long. */
  wakeAfter(ms: number): void;
  fault(error: unknown): void;
}

export class Upkeep {
  readonly #pace = new PromptPace();
  #isOld = true;
  /** `rest`: the conversation is shown as it is; something else may have changed, or more be found. */
  #owed: "input" | "rest" | undefined;
  /** What the conversation was when it was last looked at. */
  #seen: Pick<Archive, "history" | "inbox"> | undefined;
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
    return this.#owed !== undefined;
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
    const { press, workspace } = archive.context;
    const scopes: string[] = target.is === "record" ? [target.scope ?? MAIN_SCOPE] : scopesOf(target);
    // What is of user level may have been said anywhere.
    await search.drop(({ level, scope }) => level === "user" || scopes.includes(scope));
    await search.refresh(archive);
    const lists = this.lists();
    const living = conversationsIn(lists).map(({ scope, session }) => tellerDir(scope, session));
    await clearStalePrompts(press, workspace, new Set(living));
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
    this.#owed = "input";
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
      // A save is told more than once, and what is told the second time changes nothing.
      if (this.#seen?.history !== archive.history || this.#seen.inbox !== archive.inbox) this.#owed = "input";
      this.#seen = { history: archive.history, inbox: archive.inbox };
      this.#owed ??= "rest";
      // The first time there is nothing yet to be found.
      if (this.#hasIndex) await this.#writePrompts();
      if (await search.refresh(archive)) this.#hasFound = true;
      this.#hasIndex = true;
      this.#owed ??= "rest";
    }
    await this.#writePrompts();
  }

  async #writePrompts(lists = this.lists(), isTaken?: Promise<boolean>): Promise<void> {
    if (this.#owed === undefined) return;
    const { prompt, clock } = this.parts;
    const waitMs = this.#hurried > 0 ? 0 : this.#pace.waitMs(clock.monotonicMs(), this.#owed === "rest");
    if (waitMs > 0) return this.rounds.wakeAfter(waitMs);
    this.#owed = undefined;
    const hasFound = this.#hasFound;
    this.#hasFound = false;
    if ((await prompt.refresh(lists, hasFound, isTaken)) === 0) return;
    this.#pace.wrote(clock.monotonicMs());
    void this.#improve().catch((error: unknown) => this.rounds.fault(error));
  }

  /** What models add comes beside the rounds, and only while it is still about the same. */
  async #improve(): Promise<void> {
    const { prompt, clock, archive } = this.parts;
    const { forgotten } = archive.context.ledger;
    const { epoch } = forgotten;
    const write = await prompt.better();
    if (write === undefined) return;
    // What it found may have been forgotten meanwhile.
    const wrote = await this.rounds.exclusive(async () => epoch === forgotten.epoch && (await write()));
    if (wrote) this.#pace.wrote(clock.monotonicMs());
  }
}

function idsIn(inbox: Lists["inbox"]): string {
  return JSON.stringify(inbox.map(({ message }) => message.id));
}
