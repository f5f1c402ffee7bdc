/**
 * `teller/`: the prompt of every conversation, written again when what it says
 * changes. First a version by words alone, which nothing holds up; then, where
 * models have their say in recall, a better one, if it comes in time.
 */
import type { Address } from "../model/address.js";
import { inConversation, viewerAt } from "../model/access.js";
import type { FiledMessage } from "../model/message.js";
import type { Settings } from "../model/settings.js";
import { SECOND_MS, type Zone } from "../model/time.js";
import { composePrompt } from "../context/render.js";
import type { Found, Inquiry, Prompt } from "../context/inputs.js";
import type { TopicsInput } from "../model/topic-shown.js";
import { inquiriesOf, meantIn } from "../context/query.js";
import { versionHash } from "../archive/identity.js";
import type { Clock } from "../platform/clock.js";
import { contentHash } from "../platform/hash.js";
import { placeDerived, settleDerived, type FileWriter } from "../protocol/publish.js";
import { at, tellerDir, type Workspace } from "../protocol/workspace.js";
import type { RecallOptions } from "../recall/recall.js";
import { DECAY } from "../recall/weights.js";
import { conversationsIn, mainConversation, type Lists } from "../model/conversations.js";
import type { LastSaid } from "./last-said.js";
import type { PromptSources } from "./sources.js";
import { saysThatItPointsBack, type Breadth } from "../text/asking.js";
import type { RecallService } from "../recall/service.js";

/** More hits than are shown, since those that stand in the history fall away. */
const SPARE_HITS = 30;
/** Lines of one question; what stands behind them in the order has no room. */
const MOST_SHOWN: Readonly<Record<Breadth, number>> = { narrow: 60, open: 80, list: 120, wide: 120 };
/** What is shown of weak ones beside good ones is decided where the section is filled. */
const INJECTION_FLOOR = 0.05;
/** Among so many is one that holds some of the words itself, where there is any. */
const OWN_HITS = 10;
/** After so many what is used again and again is as fast as it gets. */
const MOST_REHEARSED = 16;

interface PromptParts {
  writer: FileWriter;
  workspace: Workspace;
  clock: Clock;
  zone: Zone;
  settings: Settings;
  search: RecallService;
  sources: PromptSources;
  lastSaid: LastSaid;
}

interface Written {
  /** As it stands. */
  prompt: Prompt;
  /** The version by words alone that it is, or is better than. */
  byWords: Prompt;
  /** What it was made of, so far as that tells whether it is made anew. */
  from: string;
}

/** What the prompt shows of topics, where there are any. */
export interface TopicSource {
  readonly asksModels: boolean;
  /** `said`: the conversation, also what the lists no longer hold of it. */
  forConversation(
    viewer: Address,
    lists: Lists,
    said: readonly FiledMessage[],
  ): Promise<TopicsInput | undefined>;
  versionFor(viewer: Address): Promise<unknown>;
  /** Never throws. */
  ask(viewer: Address, lists: Lists): Promise<void>;
}

export class PromptWriter {
  topics: TopicSource | undefined;
  /** By folder; `teller` itself for the main conversation. */
  readonly #written = new Map<string, Written>();
  #lists: Lists = { history: [], inbox: [] };

  constructor(readonly parts: PromptParts) {}

  get current(): Prompt | undefined {
    return this.#written.get(MAIN)?.prompt;
  }

  /** What is written from now on is made of the files as they are now. */
  look(): void {
    this.parts.sources.look();
  }

  /**
   * How many prompts were written; what is the same stays as it is. `hasFound`:
   * other things may be found than the last time. `isTaken`: whether what waits
   * is in the journal, before which no prompt is said to cover it.
   */
  async refresh(lists: Lists, hasFound = true, isTaken: IsTaken = TAKEN): Promise<number> {
    this.#lists = lists;
    const main = mainConversation(lists);
    const material = await this.#materialOf(main);
    const isSame = !hasFound && this.#written.get(MAIN)?.from === material && (await this.#stands(MAIN));
    const prompt = isSame ? undefined : await this.#compose(main);
    let written = prompt !== undefined && (await this.#write(MAIN, prompt, material, isTaken)) ? 1 : 0;
    for (const viewer of conversationsIn(lists)) {
      const folder = tellerDir(viewer.scope, viewer.session);
      const isMain = isSameAddress(viewer, main);
      const shared = isMain ? prompt : undefined;
      const from = isMain ? material : await this.#materialOf(viewer);
      const isOld = shared !== undefined || this.#written.get(folder)?.from !== from;
      if (!isOld && (await this.#stands(folder))) continue;
      if (await this.#write(folder, shared ?? (await this.#compose(viewer)), from, isTaken)) written += 1;
    }
    return written;
  }

  /** Hash of all that a prompt is made of but what is found for it. */
  async #materialOf(viewer: Address): Promise<string> {
    const { sources, zone, clock } = this.parts;
    const waiting = this.#lists.inbox.filter((filed) => inConversation(viewer, filed));
    // What no longer waits says the same where it has been said: the two are told apart.
    const versions = [await this.#saidIn(viewer), waiting].map((said) =>
      said.map(({ message }) => [message.id, versionHash(message)]),
    );
    const today = zone.dayOf(clock.now());
    const topics = await this.topics?.versionFor(viewer);
    return contentHash(JSON.stringify([viewer, today, versions, await sources.versionFor(viewer), topics]));
  }

  #saidIn(viewer: Address, lists: Lists = this.#lists): Promise<readonly FiledMessage[]> {
    const { lastSaid, settings } = this.parts;
    return lastSaid.of(viewer, lists, settings.context.history_max_messages);
  }

  async #stands(folder: string): Promise<boolean> {
    const { writer, workspace } = this.parts;
    return (await writer.disk.stat(at(workspace, `${folder}/prompt.md`))) !== undefined;
  }

  /**
   * What publishes the prompts of those who wait, with all that models add to
   * recall; undefined where there are none, or where they come too late.
   */
  async better(): Promise<(() => Promise<boolean>) | undefined> {
    const { search, clock, settings } = this.parts;
    if (!search.asksModels && this.topics?.asksModels !== true) return undefined;
    const waiting = this.#foldersWaiting();
    if (waiting.length === 0) return undefined;
    let tellLate: (late: undefined) => void = () => undefined;
    const late = new Promise<undefined>((resolve) => (tellLate = resolve));
    const timer = clock.after(settings.context.deadline_seconds * SECOND_MS, () => tellLate(undefined));
    const composing = waiting.map(async ({ viewer, folders }) => {
      const bases = folders.map((folder) => this.#written.get(folder)?.byWords);
      const { inbox } = this.#lists;
      const meant = meantIn(inbox.filter((filed) => inConversation(viewer, filed)));
      const prompt = await Promise.race([this.#asked(viewer, { meant }), late]);
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

  /** With what models say, of recall and of topics at one time. */
  async #asked(viewer: Address, options: RecallOptions): Promise<Prompt> {
    const asking = this.topics?.ask(viewer, this.#lists);
    return this.#compose(viewer, this.parts.search.asksModels ? options : BY_WORDS, asking);
  }

  /** The conversations in which somebody waits, each with where its prompt stands: the main one has two places. */
  #foldersWaiting(): { viewer: Address; folders: string[] }[] {
    const { inbox } = this.#lists;
    const main = mainConversation(this.#lists);
    const places = conversationsIn(this.#lists).map((viewer) => {
      const folder = tellerDir(viewer.scope, viewer.session);
      return { viewer, folders: isSameAddress(viewer, main) ? [MAIN, folder] : [folder] };
    });
    // Where another one waits in the main place too, the main prompt is not of a place's newest sender.
    if (!places.some(({ folders }) => folders.includes(MAIN))) places.push({ viewer: main, folders: [MAIN] });
    return places.filter(({ viewer }) => inbox.some((filed) => inConversation(viewer, filed)));
  }

  /**
   * Makes the prompts for what was said last as if it waited, and writes none: who
   * comes first need not wait until all that they take was used a few times. One
   * after another, for as long as `mayGoOn` says so.
   */
  async rehearse(lists: Lists, mayGoOn: () => Promise<boolean>): Promise<void> {
    const { history } = lists;
    for (const filed of await this.parts.lastSaid.byUser(mainConversation(lists), MOST_REHEARSED)) {
      const [viewer] = conversationsIn({ history: [], inbox: [filed] });
      if (viewer === undefined || !(await mayGoOn())) return;
      await this.#compose(viewer, BY_WORDS, undefined, { history, inbox: [filed] });
    }
  }

  /** As it would be written now. */
  async compose(viewer: Address): Promise<Prompt> {
    this.look();
    return this.#compose(viewer);
  }

  /** `asking`: what must be over before topics are looked at. */
  async #compose(
    viewer: Address,
    options: RecallOptions = BY_WORDS,
    asking?: Promise<void>,
    lists: Lists = this.#lists,
  ): Promise<Prompt> {
    const { clock, zone, settings, sources } = this.parts;
    const mine = (filed: FiledMessage): boolean => inConversation(viewer, filed);
    const [history, inbox] = [await this.#saidIn(viewer, lists), lists.inbox.filter(mine)];
    const inquiries = inquiriesOf(inbox, history);
    const waiting = new Set(inbox.map(({ message }) => message.id));
    const found = await Promise.all(
      inquiries.map((inquiry) => this.#found(viewer, inquiry, { except: waiting, ...options })),
    );
    await asking;
    return composePrompt({
      viewer,
      zone,
      now: clock.now(),
      settings: settings.context,
      ...(await sources.forConversation(viewer)),
      topics: await this.topics?.forConversation(viewer, lists, history),
      found,
      history,
      inbox,
    });
  }

  async #found(viewer: Address, inquiry: Inquiry, options: RecallOptions): Promise<Found> {
    const { settings, search } = this.parts;
    const { text, context, breadth } = inquiry;
    const limit = Math.min(settings.context.memory_hits, MOST_SHOWN[breadth]) + SPARE_HITS;
    const halfLifeDays = DECAY.injectionHalfLifeDays;
    const asked = { limit, halfLifeDays, context, paraphrased: true, minScore: INJECTION_FLOOR, ...options };
    const { hits } = await search.find(text, viewerAt(viewer), asked);
    if (breadth !== "open" || context.length === 0 || saysThatItPointsBack(text)) return { inquiry, hits };
    // What was said before it makes no question of what is none.
    const own = await search.find(text, viewerAt(viewer), { ...asked, context: [], limit: OWN_HITS });
    // What waits is in the journal, and lends its words to what was said before it.
    const best = own.hits.find(({ parts }) => (parts["words"] ?? 0) + (parts["vector"] ?? 0) > 0);
    return { inquiry, hits, ownScore: best?.score ?? 0 };
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

  /** False where only the prompt stands, and nothing says what it covers. */
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
}

type IsTaken = Promise<boolean>;
const TAKEN: IsTaken = Promise.resolve(true);

function isSameAddress(one: Address, other: Address): boolean {
  return one.user === other.user && one.scope === other.scope && one.session === other.session;
}

function saysTheSame(one: Prompt, other: Prompt): boolean {
  return one.markdown === other.markdown && one.data.inboxIds.join() === other.data.inboxIds.join();
}

const MAIN = "teller";

/** The prompt has a deadline: no endpoint may hold it up. */
const BY_WORDS: RecallOptions = { mode: "keyword", rerank: false };
