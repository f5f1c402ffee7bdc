/**
 * The prompt of a conversation, put together from what was said, what recall finds for what waits, the
 * files of memory and the topics. Writes nothing. What was said is what history.json holds and, so that
 * no trimming, import or fresh host file makes the agent forget the last exchange, what is missing among
 * the newest: from the days, or from the ledger where a message has no block yet.
 */
import type { Archive } from "../archive/archive.js";
import { versionHash } from "../archive/identity.js";
import type { LedgerEntry } from "../archive/ledger.js";
import { Blocks } from "../archive/standing-messages.js";
import { type Standing, unlistedOf } from "../archive/list-state.js";
import { isShown } from "../context/entries.js";
import {
  type ContextInputs,
  type Found,
  inOrder,
  inquiriesOf,
  type Inquiry,
  isAskedAlone,
  meantIn,
  merged,
  type Prompt,
} from "../context/inputs.js";
import { plain } from "../context/quote.js";
import { composeInSteps } from "../context/render.js";
import { inSteps } from "../context/steps.js";
import type { ModelWorkParts } from "../llm/job-context.js";
import {
  type Address,
  conversationsIn,
  idOfKey,
  inConversation,
  keyOfMessage,
  type Lists,
  mainConversation,
  mayRead,
  type MessageKey,
  type ScopeId,
  viewerAt,
} from "../model/address.js";
import { defined, groupBy } from "../model/collections.js";
import { callIdsOf, type FiledMessage } from "../model/message.js";
import type { EpochMs } from "../model/time.js";
import type { TopicsInput } from "../model/topic.js";
import { pacer } from "../platform/clock.js";
import { contentHash } from "../platform/files.js";
import type { RecallOptions } from "../recall/recall.js";
import type { RecallService } from "../recall/service.js";
import { DECAY } from "../recall/weights.js";
import type { Breadth } from "../text/asking.js";
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
      settings: settings.context,
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

/** Private messages and blocks that people took out are looked past, so many times the number wanted. */
const MOST_LOOKS = 10;

interface LastSaidParts {
  archive: Pick<Archive, "context" | "history" | "inbox">;
  /** Until when the conversation was closed; undefined where it never was. */
  closedAt: (viewer: Address) => Promise<EpochMs | undefined>;
}

export class LastSaid {
  readonly #blocks: Blocks;

  constructor(readonly parts: LastSaidParts) {
    const { writer, workspace, catalogue } = parts.archive.context;
    this.#blocks = new Blocks(writer.disk, workspace, catalogue);
  }

  /** Oldest first. Of what is missing no more than it takes for the newest `most` to be whole. */
  async of(viewer: Address, { history, inbox }: Lists, most: number): Promise<readonly FiledMessage[]> {
    const listed = inOrder(history.filter((filed) => inConversation(viewer, filed)));
    const times = listed.filter(({ message }) => isShown(message)).map(({ filedAt }) => filedAt);
    times.sort((one, other) => other - one);
    const closedAt = await this.parts.closedAt(viewer);
    const after = newest(times[most - 1], closedAt);
    const missing: FiledMessage[] = [];
    const isEnough = ({ filedAt }: Pick<FiledMessage, "filedAt">): boolean =>
      missing.length + times.filter((at) => at >= filedAt).length >= most;
    let batch: LedgerEntry[] = [];
    let looks = 0;
    const take = async (): Promise<void> => {
      for (const filed of await this.#texts(viewer.scope, batch))
        if (isShown(filed.message) && inConversation(viewer, filed) && !isEnough(filed)) missing.push(filed);
      batch = [];
    };
    for (const entry of this.#unlisted(viewer, listed, inbox, after)) {
      if (batch.length === most) await take();
      if (isEnough(entry) || ++looks > MOST_LOOKS * most) break;
      batch.push(entry);
    }
    await take();
    return missing.length === 0 ? listed : merged(listed, missing);
  }

  /** What this person said last in the scope, in whatever session. Newest first. */
  async byUser({ user, scope }: Address, most: number): Promise<readonly FiledMessage[]> {
    const theirs = [...this.parts.archive.context.ledger.entries()].filter(
      (entry) => entry.scope === scope && entry.role === "user" && entry.belongsTo === user,
    );
    return this.#texts(scope, theirs.sort((one, other) => other.filedAt - one.filedAt).slice(0, most));
  }

  /** Newest first. */
  *#unlisted(
    viewer: Address,
    listed: readonly FiledMessage[],
    inbox: readonly FiledMessage[],
    after: EpochMs | undefined,
  ): Generator<LedgerEntry> {
    const { history, inbox: waiting, context } = this.parts.archive;
    const { ledger } = context;
    const counted = new Map([...history.messages, ...waiting.messages].map(({ filed, key }) => [filed, key]));
    // What waits is what the list says: it may have been seen ahead of the archive.
    const keyOf = (filed: FiledMessage): MessageKey =>
      counted.get(filed) ?? ledger.resolve(keyOfMessage(filed.message));
    const standing = listed.flatMap((filed): Standing[] => {
      const entry = ledger.get(keyOf(filed));
      return entry === undefined ? [] : [{ entry, callIds: callIdsOf(filed.message) }];
    });
    const keys = new Set([...history.messages.map(({ key }) => key), ...[...listed, ...inbox].map(keyOf)]);
    const entries = ledger.conversation(viewer.scope, viewer.session);
    const hasMet = (key: MessageKey): boolean => ledger.hasMet(key);
    for (const entry of unlistedOf({ entries, standing, listed: keys, hasMet, after })) {
      const { scope, session, belongsTo: user } = entry;
      if (mayRead(viewerAt(viewer), defined({ level: "session", scope, session, user }))) yield entry;
    }
  }

  /** Newest first; without those whose block is gone. */
  async #texts(scope: ScopeId, entries: readonly LedgerEntry[]): Promise<FiledMessage[]> {
    const texts = entries.flatMap(({ held }) => held ?? []);
    const settled = entries.filter(({ held }) => held === undefined);
    for (const [day, group] of groupBy(settled, (entry) => entry.day)) {
      const ids = group.map(({ key }) => idOfKey(key));
      texts.push(...(await this.#blocks.of(scope, day, ids)));
    }
    return texts.sort((one, other) => other.filedAt - one.filedAt);
  }
}

function newest(one: EpochMs | undefined, other: EpochMs | undefined): EpochMs | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}
