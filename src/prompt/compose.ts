/**
 * The prompt of a conversation, put together from what was said, what recall
 * finds for what waits, the files of memory and the topics. Writes nothing.
 */
import { versionHash } from "../archive/identity.js";
import type { Found, Inquiry, Prompt } from "../context/inputs.js";
import { inquiriesOf, isAskedAlone, meantIn } from "../context/query.js";
import { composePrompt } from "../context/render.js";
import { inConversation, viewerAt } from "../model/access.js";
import type { Address } from "../model/address.js";
import { conversationsIn, mainConversation, type Lists } from "../model/conversations.js";
import type { FiledMessage } from "../model/message.js";
import type { Settings } from "../model/settings.js";
import type { Zone } from "../model/time.js";
import type { TopicsInput } from "../model/topic-shown.js";
import type { Clock } from "../platform/clock.js";
import { contentHash } from "../platform/hash.js";
import type { RecallOptions } from "../recall/recall.js";
import type { RecallService } from "../recall/service.js";
import { DECAY } from "../recall/weights.js";
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
/** The prompt has a deadline: no endpoint may hold it up. */
const BY_WORDS: RecallOptions = { mode: "keyword", rerank: false };

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

export interface ComposerParts {
  clock: Clock;
  zone: Zone;
  settings: Settings;
  search: RecallService;
  sources: PromptSources;
  lastSaid: LastSaid;
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
    const { sources, zone, clock } = this.parts;
    const waiting = lists.inbox.filter((filed) => inConversation(viewer, filed));
    // What no longer waits says the same where it has been said: the two are told apart.
    const versions = [await this.#saidIn(viewer, lists), waiting].map((said) =>
      said.map(({ message }) => [message.id, versionHash(message)]),
    );
    const today = zone.dayOf(clock.now());
    const topics = await this.topics?.versionFor(viewer);
    return contentHash(JSON.stringify([viewer, today, versions, await sources.versionFor(viewer), topics]));
  }

  /** `asking`: what must be over before topics are looked at. */
  async #compose(
    viewer: Address,
    lists: Lists,
    options: RecallOptions,
    asking?: Promise<void>,
  ): Promise<Prompt> {
    const { clock, zone, settings, sources } = this.parts;
    const inbox = lists.inbox.filter((filed) => inConversation(viewer, filed));
    const history = await this.#saidIn(viewer, lists);
    const waiting = new Set(inbox.map(({ message }) => message.id));
    const found = await Promise.all(
      inquiriesOf(inbox, history).map((inquiry) =>
        this.#found(viewer, inquiry, { except: waiting, ...options }),
      ),
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

  #saidIn(viewer: Address, lists: Lists): Promise<readonly FiledMessage[]> {
    const { lastSaid, settings } = this.parts;
    return lastSaid.of(viewer, lists, settings.context.history_max_messages);
  }

  async #found(viewer: Address, inquiry: Inquiry, options: RecallOptions): Promise<Found> {
    const { settings, search } = this.parts;
    const { text, context, breadth } = inquiry;
    const limit = Math.min(settings.context.memory_hits, MOST_SHOWN[breadth]) + SPARE_HITS;
    const halfLifeDays = DECAY.injectionHalfLifeDays;
    const asked = { limit, halfLifeDays, context, paraphrased: true, minScore: INJECTION_FLOOR, ...options };
    const { hits } = await search.find(text, viewerAt(viewer), asked);
    if (!isAskedAlone(inquiry)) return { inquiry, hits };
    const own = await search.find(text, viewerAt(viewer), { ...asked, context: [], limit: OWN_HITS });
    // What waits is in the journal, and lends its words to what was said before it.
    const best = own.hits.find(({ parts }) => (parts["words"] ?? 0) + (parts["vector"] ?? 0) > 0);
    return { inquiry, hits, ownScore: best?.score ?? 0 };
  }
}
