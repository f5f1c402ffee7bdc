/**
 * The prompt of a conversation, put together from what was said, what recall finds for what waits, the
 * files of memory and the topics. Writes nothing.
 */
import { versionHash } from "../archive/identity.js";
import {
  type ContextInputs,
  type Found,
  inquiriesOf,
  type Inquiry,
  isAskedAlone,
  meantIn,
  type Prompt,
} from "../context/inputs.js";
import { plain } from "../context/quote.js";
import { composeInSteps } from "../context/render.js";
import { inSteps } from "../model/steps.js";
import type { ModelWorkParts } from "../llm/job-context.js";
import {
  type Address,
  conversationsIn,
  inConversation,
  type Lists,
  mainConversation,
  viewerAt,
} from "../model/address.js";
import type { FiledMessage } from "../model/message.js";
import type { Settings } from "../model/settings.js";
import type { SectionName } from "../model/settings/prompt.js";
import type { TopicsInput } from "../model/topic.js";
import { pacer } from "../platform/clock.js";
import { contentHash } from "../platform/files.js";
import type { RecallOptions } from "../recall/recall.js";
import type { RecallService } from "../recall/service.js";
import type { Breadth } from "../text/asking.js";
import type { LastSaid } from "./last-said.js";
import type { PromptSources } from "./sources.js";

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
/** Shorter passages cost next to nothing where they are quoted. */
const LONG_CHARS = 2000;
/** The prompt has a deadline: no endpoint may hold it up. */
const BY_WORDS: RecallOptions = { mode: "keyword", rerank: false };

/** What an agent is told at the beginning, and before it answers. */
const KNOWN_SECTIONS = ["pinned", "profiles", "daily_log"] as const;
const FOUND_SECTIONS = ["memory"] as const;
/** Of English; of other languages a section of so many tokens has fewer characters. */
const LEAST_CHARS_PER_TOKEN = 3;
/** What does not fit is made once more for less room. */
const MOST_TRIES = 5;
const SPARE = 0.98;

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

export interface ComposerParts extends Pick<ModelWorkParts, "clock" | "zone" | "settings"> {
  search: RecallService;
  sources: PromptSources;
  lastSaid: LastSaid;
}

export interface BriefingRoom {
  mostChars: number;
  /** So many of the newest messages of the conversation stand before the agent already; as many as a prompt shows where that is not told. */
  shown?: number;
}

export class PromptComposer {
  topics: TopicSource | undefined;

  constructor(readonly parts: ComposerParts) {}

  /** Whether a model could make a prompt better than words alone do. */
  get asksModels(): boolean {
    return this.parts.search.asksModels || this.topics?.asksModels === true;
  }

  /** By words alone, as it would be written now. */
  async byWords(viewer: Address, lists: Lists): Promise<Prompt> {
    return this.#compose(viewer, lists, BY_WORDS);
  }

  /**
   * For an agent that keeps its conversation itself: what the memory holds for what is asked, else what is
   * always known, in no more than so many characters; empty where that is nothing.
   */
  async briefing(
    viewer: Address,
    asked: FiledMessage | undefined,
    { mostChars, shown }: BriefingRoom,
  ): Promise<string> {
    const printed = new Set<SectionName>(asked === undefined ? KNOWN_SECTIONS : FOUND_SECTIONS);
    const lists: Lists = { history: [], inbox: asked === undefined ? [] : [asked] };
    let most = Math.floor(mostChars / LEAST_CHARS_PER_TOKEN);
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const { markdown, data } = await this.#compose(viewer, lists, BY_WORDS, undefined, {
        printed,
        most,
        shown,
      });
      if (!data.sections.some(({ name, tokens }) => printed.has(name) && tokens > 0)) return "";
      if (markdown.length <= mostChars) return markdown;
      const tokens = data.sections.reduce((sum, one) => sum + (printed.has(one.name) ? one.tokens : 0), 0);
      most = Math.floor((Math.min(most, tokens) * mostChars * SPARE) / markdown.length);
    }
    return "";
  }

  /** With what models say, of recall and of topics at one time. */
  async byModels(viewer: Address, lists: Lists): Promise<Prompt> {
    const asking = this.topics?.ask(viewer, lists);
    const meant = meantIn(lists.inbox.filter((filed) => inConversation(viewer, filed)));
    return this.#compose(viewer, lists, this.parts.search.asksModels ? { meant } : BY_WORDS, asking);
  }

  /**
   * Makes the prompts for what was said last as if it waited, and keeps none: who
   * comes first need not wait until all that they take was used a few times. One
   * after another, for as long as `mayGoOn` says so.
   */
  async rehearse(lists: Lists, mayGoOn: () => Promise<boolean>): Promise<void> {
    const { history } = lists;
    for (const filed of await this.parts.lastSaid.byUser(mainConversation(lists), MOST_REHEARSED)) {
      const [viewer] = conversationsIn({ history: [], inbox: [filed] });
      if (viewer === undefined || !(await mayGoOn())) return;
      await this.byWords(viewer, { history, inbox: [filed] });
    }
  }

  /** Hash of all that a prompt is made of but what is found for it. */
  async materialOf(viewer: Address, lists: Lists): Promise<string> {
    const { sources, zone, clock, settings } = this.parts;
    const waiting = lists.inbox.filter((filed) => inConversation(viewer, filed));
    // What no longer waits says the same where it has been said: the two are told apart.
    const versions = [await this.#saidIn(viewer, lists), waiting].map((said) =>
      said.map(({ message }) => [message.id, versionHash(message)]),
    );
    const today = zone.dayOf(clock.now());
    const topics = await this.topics?.versionFor(viewer);
    const files = await sources.versionFor(viewer);
    const { context, recall } = settings;
    return contentHash(JSON.stringify([viewer, today, versions, files, topics, context, recall]));
  }

  /** `asking`: what must be over before topics are looked at. `only`: sections that are printed, in so many tokens each. */
  async #compose(
    viewer: Address,
    lists: Lists,
    options: RecallOptions,
    asking?: Promise<void>,
    only?: { printed: ReadonlySet<SectionName>; most: number; shown: number | undefined },
  ): Promise<Prompt> {
    const { clock, zone, settings, sources } = this.parts;
    const inbox = lists.inbox.filter((filed) => inConversation(viewer, filed));
    const history = await this.#saidIn(viewer, lists, only?.shown);
    const waiting = new Set(inbox.map(({ message }) => message.id));
    const pace = pacer(clock);
    const inquiries = inquiriesOf(inbox, history);
    await pace();
    const found = await Promise.all(
      inquiries.map((inquiry) => this.#found(viewer, inquiry, { except: waiting, ...options })),
    );
    await asking;
    await this.#lookThrough(found);
    const inputs: ContextInputs = {
      viewer,
      zone,
      now: clock.now(),
      settings: only === undefined ? settings.context : within(settings.context, only.most),
      printed: only?.printed,
      ...(await sources.forConversation(viewer)),
      topics: await this.topics?.forConversation(viewer, lists, history),
      found,
      history,
      inbox,
    };
    return inSteps(composeInSteps(inputs), pace);
  }

  /** Ahead, text by text: of long ones it takes a while, and what was found is chosen at one go. */
  async #lookThrough(found: readonly Found[]): Promise<void> {
    const pace = pacer(this.parts.clock);
    for (const { passage } of found.flatMap(({ hits }) => hits)) {
      if (passage.text.length <= LONG_CHARS) continue;
      plain(passage.text);
      await pace();
    }
  }

  /** `shown`: so many at most. */
  async #saidIn(viewer: Address, lists: Lists, shown?: number): Promise<readonly FiledMessage[]> {
    const { lastSaid, settings } = this.parts;
    const most = Math.min(settings.context.history_max_messages, shown ?? Infinity);
    return most === 0 ? [] : lastSaid.of(viewer, lists, most);
  }

  async #found(viewer: Address, inquiry: Inquiry, options: RecallOptions): Promise<Found> {
    const { settings, search } = this.parts;
    const { text, context, breadth } = inquiry;
    const limit = Math.min(settings.context.memory_hits, MOST_SHOWN[breadth]) + SPARE_HITS;
    const halfLifeDays = settings.recall.half_life_prompt_days;
    const asked = { limit, halfLifeDays, context, paraphrased: true, minScore: INJECTION_FLOOR, ...options };
    const [{ hits }, own] = await Promise.all([
      search.find(text, viewerAt(viewer), asked),
      isAskedAlone(inquiry)
        ? search.find(text, viewerAt(viewer), { ...asked, context: [], limit: OWN_HITS })
        : undefined,
    ]);
    if (own === undefined) return { inquiry, hits };
    // What waits is in the journal, and lends its words to what was said before it.
    const best = own.hits.find(({ parts }) => (parts["words"] ?? 0) + (parts["vector"] ?? 0) > 0);
    return { inquiry, hits, ownScore: best?.score ?? 0 };
  }
}

function within(context: Settings["context"], most: number): Settings["context"] {
  const tokens = { ...context.tokens };
  for (const name of [...KNOWN_SECTIONS, ...FOUND_SECTIONS]) tokens[name] = Math.min(tokens[name], most);
  return { ...context, tokens, fixed_tokens: Math.min(context.fixed_tokens, most) };
}
