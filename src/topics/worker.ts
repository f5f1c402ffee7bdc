/**
 * Topics beside the ticks: takes in messages, has what is due done by workers,
 * counts each turn once, and knows what the prompt shows of them.
 *
 * Nothing here must survive: each set reads its own files and ends what a crash
 * had begun.
 */
import { type Address, idOfKey, inConversation, type ListedMessage, type Lists } from "../model/address.js";
import { groupBy } from "../model/collections.js";
import { messageOf } from "../model/errors.js";
import type { FiledMessage, MessageId } from "../model/message.js";
import { MINUTE_MS, type EpochMs } from "../model/time.js";
import type { TopicEvent, TopicId, TopicsInput, TopicsOf } from "../model/topic.js";
import { type Background, Jobs, type Listed, type Loop, type Tick } from "../platform/background.js";
import { topicsDir } from "../protocol/workspace.js";
import { isReminder } from "./activation.js";
import { TopicSet } from "./set.js";
import { Failures, FAILED_OFTEN } from "./failures.js";
import { AskedWindows } from "./asked-windows.js";
import { isNobody, isPrivate, ofAddress, ofMessage } from "./whose.js";
import { shownIn, statusOf, type TopicsStatus } from "./shown.js";
import type { Said } from "./turns.js";
import { byWords, dueWork, type TopicWork, type WorkKind } from "./work.js";
import { tellTopicEvents } from "./log.js";
import { askedIn, type AskingParts, askTopicWindows, recentOf } from "./windows.js";

interface TopicsWorkerParts extends AskingParts {
  /** Whether windows and the index are asked of a model. */
  asksModels: boolean;
}

export class TopicsWorker implements Background {
  readonly name = "topics";
  readonly #sets = new Map<string, TopicSet>();
  /** By folder. */
  readonly #jobs: Jobs;
  readonly #asked = new AskedWindows();
  readonly #failures: Failures;
  /** Sets whose windows are being asked: their turn is counted once these have answered. */
  readonly #asking = new Map<string, number>();
  /** Under which id each message counts, whatever a list calls it. */
  readonly #ids = new WeakMap<FiledMessage, MessageId>();
  /** Messages of the history when this memd began. */
  #before: ReadonlySet<MessageId> | undefined;
  #taken: Listed | undefined;

  constructor(
    readonly parts: TopicsWorkerParts,
    readonly loop: Loop,
  ) {
    const failed = (dir: string, error: unknown): void => {
      this.#failures.failed(dir, "topic", messageOf(error));
    };
    this.#jobs = new Jobs(parts, loop, { restMs: MINUTE_MS, failed });
    this.#failures = new Failures(this.#jobs.resting, parts.log);
  }

  get isOn(): boolean {
    return this.parts.settings.topics.enabled;
  }

  get asksModels(): boolean {
    return this.isOn && this.parts.asksModels;
  }

  /** How many there are; undefined where topics are off. */
  status(): TopicsStatus | undefined {
    if (!this.isOn) return undefined;
    return statusOf([...this.#sets.values()], this.#failures.reason);
  }

  get running(): number {
    return this.#jobs.running;
  }

  /** The set of a conversation, read. */
  async setFor(of: TopicsOf): Promise<TopicSet> {
    const dir = topicsDir(of);
    const known = this.#sets.get(dir);
    const { writer, workspace, zone, settings } = this.parts;
    const set = known ?? new TopicSet({ writer, workspace, zone, settings: settings.topics }, of);
    await set.load();
    this.#sets.set(dir, set);
    return set;
  }

  /** Keeps what is new: before the archive may let go of it in history.json. */
  async take({ history, inbox }: Listed): Promise<void> {
    if (!this.isOn || (this.#taken?.history === history && this.#taken.inbox === inbox)) return;
    const listed = [...history.messages, ...inbox.messages];
    this.#before ??= new Set(history.messages.map(({ key }) => idOfKey(key)));
    await this.#takeAll(listed.map((each) => this.#counted(each)));
    this.#taken = { history, inbox };
  }

  /** What was imported belongs to topics as what is said here does. */
  async takeImported(messages: readonly Pick<ListedMessage, "filed" | "key">[]): Promise<void> {
    if (this.isOn) await this.#takeAll(messages.map((each) => this.#counted(each)));
  }

  async #takeAll(counted: readonly FiledMessage[]): Promise<void> {
    for (const messages of groupBy(counted, (filed) => topicsDir(ofMessage(filed))).values()) {
      const { store } = await this.setFor(ofMessage(messages[0] as FiledMessage));
      const hidden = new Set(messages.filter(isPrivate).map(({ message }) => message.id));
      // What has become private since it was taken is nobody's to read any more.
      if ([...hidden].some((id) => store.knows(id))) await store.forget((id) => hidden.has(id));
      await store.take(messages.filter((filed) => !isPrivate(filed)));
    }
  }

  /** Turns are counted, and what is due is begun. */
  async poll({ inbox }: Pick<Tick, "inbox">): Promise<void> {
    if (!this.isOn || this.#jobs.isStopping) return;
    const waiting = new Set(inbox.messages.map(({ key }) => idOfKey(key)));
    for (const [dir, set] of this.#sets) {
      if ((this.#asking.get(dir) ?? 0) === 0) this.tell(set, await set.turns.count());
      await set.load();
      await set.settleHeads();
      this.#begin(dir, set, waiting);
    }
  }

  /** What the prompt shows of topics; undefined where it shows the history. */
  async forConversation(
    viewer: Address,
    lists: Lists,
    history: readonly FiledMessage[],
  ): Promise<TopicsInput | undefined> {
    if (!this.isOn || isNobody(viewer)) return undefined;
    const set = await this.setFor(ofAddress(viewer));
    if (!set.isSplit) return undefined;
    const { settings, clock } = this.parts;
    const said = this.saidIn(viewer, lists);
    return {
      ...shownIn(set, said, clock.now()),
      recent: this.#recent(set, viewer, { ...lists, history }),
      windowTokens: settings.topics.window_tokens,
    };
  }

  /** Serialises to another text whenever `forConversation` may give something else. */
  async versionFor(viewer: Address): Promise<unknown> {
    if (!this.isOn || isNobody(viewer)) return undefined;
    const set = await this.setFor(ofAddress(viewer));
    return set.isSplit ? set.revision : undefined;
  }

  /** Has the active topics of a conversation say what they know; what they said counts from then on. Never throws. */
  async ask(viewer: Address, lists: Lists): Promise<void> {
    const dir = topicsDir(ofAddress(viewer));
    const set = this.#sets.get(dir);
    const said = this.saidIn(viewer, lists);
    if (!this.asksModels || set?.isSplit !== true || said.key === undefined) return;
    const { topics } = set.turns.turn(said, this.parts.clock.now());
    const active = [...topics.values()].filter(({ state }) => state === "active").map(({ id }) => id);
    this.#asking.set(dir, (this.#asking.get(dir) ?? 0) + 1);
    try {
      await this.askWindows(set, viewer, lists, active, said);
    } finally {
      this.#asking.set(dir, (this.#asking.get(dir) ?? 0) - 1);
      if (!this.#jobs.isStopping) this.loop.done(true);
    }
  }

  /** Of these topics, each once a turn, for as long as the turn's tokens last. What they said counts in it from then on. */
  async askWindows(
    set: TopicSet,
    viewer: Address,
    lists: Lists,
    ids: readonly TopicId[],
    { key, text }: Pick<Said, "key" | "text">,
  ): Promise<void> {
    const of = JSON.stringify([key, text]);
    const { turn_tokens: turnTokens } = this.parts.settings.topics;
    await this.#asked.ask(topicsDir(set.of), of, ids, turnTokens, (fresh, left) =>
      this.#askFresh(set, viewer, lists, fresh, { key, left }),
    );
  }

  async #askFresh(
    set: TopicSet,
    viewer: Address,
    lists: Lists,
    ids: readonly TopicId[],
    { key, left }: { key: string | undefined; left: number },
  ): Promise<number> {
    const { epoch } = this.parts.forgotten;
    const waiting = lists.inbox.filter((filed) => inConversation(viewer, filed));
    const recent = [...this.#recent(set, viewer, lists), ...waiting];
    const { relevance, tokens, failed } = await askTopicWindows(this.parts, set, recent, ids, left);
    const work = `${topicsDir(set.of)} windows`;
    if (failed === undefined) this.#failures.went(work, "topic_windows");
    else this.#failures.failed(work, "topic_windows", failed);
    // What they were told may have been forgotten meanwhile.
    if (epoch === this.parts.forgotten.epoch) set.turns.answered(key, relevance);
    return tokens;
  }

  /** Runs one piece of work to its end; what happened because of it. Throws what the disk refuses; undefined where there was no answer to use. */
  async work(set: TopicSet, due: TopicWork, put = this.#jobs.put()): Promise<TopicEvent[] | undefined> {
    const { pool, clock, onUsage } = this.parts;
    const { job, is } = due;
    const outcome = await pool.run(job);
    onUsage(outcome.usage);
    const key = `${topicsDir(set.of)} ${is}`;
    if (outcome.to !== "done" && !this.#jobs.isStopping) this.#failures.failed(key, job.kind, outcome.reason);
    const result = outcome.to === "done" ? outcome.result : undefined;
    const settle = result === undefined ? due.without : (at: EpochMs) => due.settle(result, at);
    if (settle === undefined) return undefined;
    let happened: TopicEvent[] = [];
    await put(async () => {
      happened = await settle(clock.now());
      await set.settleHeads();
      this.tell(set, happened, result?.by);
    });
    const isSplit = is === "split" || is === "division";
    if (result === undefined) return happened;
    if (isSplit && happened.length === 0)
      this.#failures.failed(key, job.kind, "the answer named no message that can be moved");
    else if (job.byWords === true) this.#failures.didWithout(key);
    else this.#failures.went(key, job.kind);
    return happened;
  }

  /** Nothing that was read before is believed. */
  forget(): void {
    this.#sets.clear();
    this.#asked.forget();
    this.#taken = undefined;
  }

  /** Settles when nothing is being worked. */
  over(): Promise<void> {
    return this.#jobs.over();
  }

  stop(): Promise<void> {
    return this.#jobs.stop();
  }

  /** Writes down in the log what happened. */
  tell(set: TopicSet, events: readonly TopicEvent[], by?: string): void {
    tellTopicEvents(this.parts.log, set.of.scope, events, by);
  }

  /** The message under the id it counts under. */
  #counted({ filed, key }: Pick<ListedMessage, "filed" | "key">): FiledMessage {
    const id = idOfKey(key);
    this.#ids.set(filed, id);
    return filed.message.id === id ? filed : { ...filed, message: { ...filed.message, id } };
  }

  #idOf(filed: FiledMessage): MessageId {
    return this.#ids.get(filed) ?? filed.message.id;
  }

  #recent(set: TopicSet, viewer: Address, lists: Lists): FiledMessage[] {
    const { keep_messages: kept } = this.parts.settings.topics;
    return recentOf(set.store, viewer, lists, kept, (filed) => this.#idOf(filed));
  }

  /** What is said now in a conversation. */
  saidIn(viewer: Address, lists: Lists): Said {
    const asked = askedIn(viewer, lists);
    const { forgetting_signs: signs } = this.parts.settings.topics;
    if (asked === undefined) return { text: "", before: "", isReminder: false };
    const id = this.#idOf(asked.newest);
    const isOld = !asked.waits && this.#before?.has(id) !== false;
    return {
      // What had been said before the start was counted then.
      ...(isOld ? {} : { key: JSON.stringify([viewer.session, id]) }),
      text: asked.words,
      before: asked.before,
      isReminder: isReminder(asked.words, signs),
    };
  }

  #begin(dir: string, set: TopicSet, waiting: ReadonlySet<MessageId>): void {
    if (!this.#jobs.isFree(dir)) return;
    const mayBegin = (kind: WorkKind): boolean => this.#failures.isRested(`${dir} ${kind}`);
    const due = dueWork(set, this.parts.clock.now(), (id) => waiting.has(id), mayBegin);
    if (due === undefined) return;
    const key = `${dir} ${due.is}`;
    const isSplit = due.is === "split" || due.is === "division";
    const work = isSplit && this.#failures.times(key) >= FAILED_OFTEN ? byWords(due) : due;
    this.#jobs.start(dir, async (put) => {
      await this.work(set, work, put);
      this.#failures.went(dir, "topic");
    });
  }
}
