/**
 * `teller/`: the prompt of every conversation, written again when what it says
 * changes. First a version by words alone, which nothing holds up; then, where
 * models have their say in recall, a better one, if it comes in time.
 */
import type { Prompt } from "../context/inputs.js";
import type { ModelWorkParts } from "../llm/job-context.js";
import {
  type Address,
  conversationsIn,
  inConversation,
  isSameSeat,
  type Lists,
  mainConversation,
} from "../model/address.js";
import type { FiledMessage } from "../model/message.js";
import { SECOND_MS } from "../model/time.js";
import { placeDerived, settleDerived } from "../protocol/publish.js";
import { at, tellerDir } from "../protocol/workspace.js";
import { type BriefingRoom, type ComposerParts, PromptComposer, type TopicSource } from "./compose.js";

type PromptParts = ComposerParts & Pick<ModelWorkParts, "writer" | "workspace">;

interface Written {
  /** As it stands. */
  prompt: Prompt;
  /** The version by words alone that it is, or is better than. */
  byWords: Prompt;
  /** What it was made of, so far as that tells whether it is made anew. */
  from: string;
}

export class PromptWriter {
  readonly #composer: PromptComposer;
  /** By folder; `teller` itself for the main conversation. */
  readonly #written = new Map<string, Written>();
  #lists: Lists = { history: [], inbox: [] };

  constructor(readonly parts: PromptParts) {
    this.#composer = new PromptComposer(parts);
  }

  set topics(topics: TopicSource | undefined) {
    this.#composer.topics = topics;
  }

  get current(): Prompt | undefined {
    return this.#written.get(MAIN)?.prompt;
  }

  /** What is written from now on is made of the files as they are now. */
  look(): void {
    this.parts.sources.look();
  }

  /** As it would be written now. */
  compose(viewer: Address): Promise<Prompt> {
    this.look();
    return this.#composer.byWords(viewer, this.#lists);
  }

  /** What an agent is told that keeps its conversation itself. */
  briefing(viewer: Address, asked: FiledMessage | undefined, room: BriefingRoom): Promise<string> {
    this.look();
    return this.#composer.briefing(viewer, asked, room);
  }

  rehearse(lists: Lists, mayGoOn: () => Promise<boolean>): Promise<void> {
    return this.#composer.rehearse(lists, mayGoOn);
  }

  /** How many prompts were written; what is the same stays as it is. `hasFound`: other things may be found than the last time. */
  async refresh(lists: Lists, hasFound = true, isTaken: IsTaken = TAKEN): Promise<number> {
    this.#lists = lists;
    const main = mainConversation(lists);
    const material = await this.#composer.materialOf(main, lists);
    const isSame = !hasFound && this.#written.get(MAIN)?.from === material && (await this.#stands(MAIN));
    const prompt = isSame ? undefined : await this.#composer.byWords(main, lists);
    let written = prompt !== undefined && (await this.#write(MAIN, prompt, material, isTaken)) ? 1 : 0;
    for (const viewer of waitingFirst(lists)) {
      const folder = tellerDir(viewer.scope, viewer.session);
      const isMain = isSameSeat(viewer, main);
      const shared = isMain ? prompt : undefined;
      const from = isMain ? material : await this.#composer.materialOf(viewer, lists);
      const isOld = shared !== undefined || this.#written.get(folder)?.from !== from;
      if (!isOld && (await this.#stands(folder))) continue;
      if (await this.#write(folder, shared ?? (await this.#composer.byWords(viewer, lists)), from, isTaken))
        written += 1;
    }
    return written;
  }

  /**
   * What publishes the prompts of those who wait, with all that models add to
   * recall; undefined where there are none, or where they come too late.
   */
  async better(): Promise<(() => Promise<boolean>) | undefined> {
    const { clock, settings } = this.parts;
    const waiting = this.#composer.asksModels ? this.#foldersWaiting() : [];
    if (waiting.length === 0) return undefined;
    let tellLate: (late: undefined) => void = () => undefined;
    const late = new Promise<undefined>((resolve) => (tellLate = resolve));
    const timer = clock.after(settings.context.deadline_seconds * SECOND_MS, () => tellLate(undefined));
    const composing = waiting.map(async ({ viewer, folders }) => {
      const bases = folders.map((folder) => this.#written.get(folder)?.byWords);
      const prompt = await Promise.race([this.#composer.byModels(viewer, this.#lists), late]);
      return folders.map((folder, at) => ({ folder, basis: bases[at], prompt }));
    });
    const composed = (await Promise.all(composing).finally(() => timer.cancel())).flat();
    if (composed.every(({ prompt }) => prompt === undefined)) return undefined;
    return async () => {
      let isBetter = false;
      for (const { folder, basis, prompt } of composed)
        if (prompt !== undefined && (await this.#improve(folder, basis, prompt))) isBetter = true;
      return isBetter;
    };
  }

  /** The conversations in which somebody waits, each with where its prompt stands: the main one has two places. */
  #foldersWaiting(): { viewer: Address; folders: string[] }[] {
    const { inbox } = this.#lists;
    const main = mainConversation(this.#lists);
    const places = conversationsIn(this.#lists).map((viewer) => {
      const folder = tellerDir(viewer.scope, viewer.session);
      return { viewer, folders: isSameSeat(viewer, main) ? [MAIN, folder] : [folder] };
    });
    // Where another one waits in the main place too, the main prompt is not of a place's newest sender.
    if (!places.some(({ folders }) => folders.includes(MAIN))) places.push({ viewer: main, folders: [MAIN] });
    return places.filter(({ viewer }) => inbox.some((filed) => inConversation(viewer, filed)));
  }

  /** False where it says what the last one by words said, and that or a better one stands. */
  async #write(folder: string, byWords: Prompt, from: string, isTaken: IsTaken): Promise<boolean> {
    const before = this.#written.get(folder);
    if (before !== undefined && saysTheSame(before.byWords, byWords) && (await this.#stands(folder))) {
      this.#written.set(folder, { ...before, from });
      return false;
    }
    const isPublished = await this.#publish(folder, byWords, isTaken);
    if (isPublished) this.#written.set(folder, { prompt: byWords, byWords, from });
    else this.#written.delete(folder);
    return isPublished;
  }

  /** False where what it is better than is no longer the last one by words. */
  async #improve(folder: string, basis: Prompt | undefined, prompt: Prompt): Promise<boolean> {
    const before = this.#written.get(folder);
    if (before === undefined || before.byWords !== basis || saysTheSame(before.prompt, prompt)) return false;
    await this.#publish(folder, prompt, TAKEN);
    this.#written.set(folder, { ...before, prompt });
    return true;
  }

  /** False where only `prompt.md` stands, and nothing says what it covers. */
  async #publish(folder: string, prompt: Prompt, isTaken: IsTaken): Promise<boolean> {
    const { writer, workspace } = this.parts;
    const markdown = at(workspace, `${folder}/prompt.md`);
    const data = at(workspace, `${folder}/prompt.json`);
    await placeDerived(writer, markdown, prompt.markdown);
    if (!(await isTaken)) return false;
    // Last: who waits for prompt.json to name an id finds prompt.md in place, and may let go of the message.
    await placeDerived(writer, data, `${JSON.stringify(prompt.data, null, 2)}\n`);
    await settleDerived(writer, [markdown, data]);
    return true;
  }

  async #stands(folder: string): Promise<boolean> {
    const { writer, workspace } = this.parts;
    return (await writer.disk.stat(at(workspace, `${folder}/prompt.md`))) !== undefined;
  }
}

/** Of hundreds of conversations, where each takes a look at its files, somebody waits in one. */
function waitingFirst(lists: Lists): Address[] {
  const all = conversationsIn(lists);
  const waiting = new Set(all.filter((viewer) => lists.inbox.some((filed) => inConversation(viewer, filed))));
  return [...waiting, ...all.filter((viewer) => !waiting.has(viewer))];
}

function saysTheSame(one: Prompt, other: Prompt): boolean {
  return one.markdown === other.markdown && one.data.inboxIds.join() === other.data.inboxIds.join();
}

const MAIN = "teller";

/** `isTaken`: whether what waits is in the journal, before which no prompt says that it covers it. */
type IsTaken = Promise<boolean>;
const TAKEN: IsTaken = Promise.resolve(true);

/**
 * How often a prompt that nobody waits for may be written again: one a second,
 * so that a burst of changes costs a few rewrites and the last one counts. Where
 * there are so many that to look at them takes long, as often as leaves the machine to others.
 */
const EACH_MS = SECOND_MS;
/** So many times as long as a look at all of it took, nothing is looked at that nobody waits for. */
export const REST_TIMES = 4;

export class PromptPace {
  #nextAtMs = -Infinity;

  /** Until the next rewrite may be; 0 for now. */
  waitMs(nowMs: number): number {
    return Math.max(0, Math.ceil(this.#nextAtMs - nowMs));
  }

  /** They were looked at, which took so long; some have changed. */
  wrote(nowMs: number, tookMs = 0): void {
    this.looked(nowMs, tookMs);
    this.#nextAtMs = Math.max(this.#nextAtMs, nowMs + EACH_MS);
  }

  /** They were looked at, and say what they said. */
  looked(nowMs: number, tookMs: number): void {
    this.#nextAtMs = nowMs + REST_TIMES * tookMs;
  }
}
