/**
 * The topics of one user in one place, as their folder holds them: what
 * happened in `events.jsonl`, the messages of each topic in a file of its own,
 * and those that are in none yet in `unsplit.jsonl`.
 *
 * The events are the truth. A line that says who holds a message comes first;
 * then each message is added where it belongs, durably, and only then taken
 * away from where it was. Killed anywhere between, or after a fault, the same
 * step is done from the files as they stand. A message that no event knows of
 * is unsplit, whichever file it stands in.
 */
import type { FiledMessage, MessageId } from "../model/message.js";
import type { EpochMs } from "../model/time.js";
import type { Topic, TopicEvent, TopicId } from "../model/topic.js";
import { syncLines } from "../protocol/jsonl.js";
import { publish } from "../protocol/publish.js";
import { parseTopicEvents, printTopicEvent, printTopicMessage } from "../protocol/topic-events.js";
import { at } from "../protocol/workspace.js";
import { afterEvent, afterEvents, holdersOf, NO_TOPICS, reviewedAtIn, type Topics } from "./events.js";
import { EVENTS, PlaceFiles, topicPath, type TopicStoreParts, UNSPLIT } from "./place-files.js";

/** Beyond it what happened is told as what stands. */
const LONG_EVENTS_BYTES = 1024 * 1024;

export class TopicStore {
  #topics: Topics = NO_TOPICS;
  readonly #files: PlaceFiles;
  #isLoaded = false;
  #reviewedAt: EpochMs | undefined;
  #holders: { of: Topics; holders: ReadonlyMap<MessageId, TopicId> } | undefined;
  constructor(
    readonly parts: TopicStoreParts,
    /** Relative. */
    readonly dir: string,
  ) {
    this.#files = new PlaceFiles(parts, dir);
  }

  get #events(): string {
    return `${this.dir}/${EVENTS}.jsonl`;
  }

  /** Another number whenever messages came, went or changed places. */
  get revision(): number {
    return this.#files.revision;
  }

  /** When they were looked through last. */
  get reviewedAt(): EpochMs | undefined {
    return this.#reviewedAt;
  }

  /** The topic that holds a message; undefined where it is in none. */
  holderOf(id: MessageId): TopicId | undefined {
    if (this.#holders?.of !== this.#topics)
      this.#holders = { of: this.#topics, holders: holdersOf(this.#topics) };
    return this.#holders.holders.get(id);
  }

  /** Whether it is in a topic, or in none yet. */
  knows(id: MessageId): boolean {
    return this.holderOf(id) !== undefined || this.#files.get(UNSPLIT)?.messages.has(id) === true;
  }

  get topics(): Topics {
    return this.#topics;
  }

  /** What is in no topic, in the order in which it was first seen. */
  get unsplit(): FiledMessage[] {
    return [...(this.#files.get(UNSPLIT)?.messages.values() ?? [])];
  }

  /** In the order in which they came to it; none of an archived one that was not opened. */
  messagesOf(id: TopicId): FiledMessage[] {
    const held = this.#files.get(id)?.messages;
    return (this.#topics.get(id)?.ids ?? []).flatMap((each) => held?.get(each) ?? []);
  }

  /** Where its messages or, with `md`, its brief stand. Relative. */
  pathOf(topic: Pick<Topic, "id" | "state" | "since">, ending: "jsonl" | "md"): string {
    return topicPath(this.dir, topic, ending, this.parts.zone);
  }

  /** Reads what stands, and ends what a killed memd had begun. Nothing where it is known. */
  async load(): Promise<void> {
    if (this.#isLoaded) return;
    const { disk } = this.parts.writer;
    await this.#files.sweep();
    const events = at(this.parts.workspace, this.#events);
    const text = new TextDecoder().decode((await disk.read(events)) ?? new Uint8Array());
    if (text !== "") await syncLines(disk, events);
    const happened = parseTopicEvents(text);
    this.#topics = afterEvents(happened);
    this.#reviewedAt = reviewedAtIn(happened);
    await this.#files.gather();
    await this.#files.settle(this.#topics, (id) => this.holderOf(id));
    this.#isLoaded = true;
    if (text.length > LONG_EVENTS_BYTES) await this.#condense();
  }

  /** Those that are seen for the first time, and new versions of what is in no topic. Private ones never get here. */
  async take(messages: readonly FiledMessage[]): Promise<void> {
    await this.load();
    const known = this.#files.get(UNSPLIT)?.messages;
    const fresh = messages.filter((filed) => {
      const { id } = filed.message;
      if (this.holderOf(id) !== undefined) return false;
      const before = known?.get(id);
      return before === undefined || printTopicMessage(before) !== printTopicMessage(filed);
    });
    if (fresh.length > 0) await this.#careful(() => this.#files.take(fresh, this.#topics));
  }

  /** False, with nothing changed, for what cannot happen. */
  async happen(event: TopicEvent): Promise<boolean> {
    await this.load();
    const next = afterEvent(this.#topics, event);
    if (next === this.#topics && event.is !== "reviewed") return false;
    await this.#careful(async () => {
      await this.#files.append(this.#events, [printTopicEvent(event)]);
      this.#topics = next;
      if (event.is === "reviewed") this.#reviewedAt = event.at;
      if (event.is !== "scored" && event.is !== "reviewed")
        await this.#files.settle(this.#topics, (id) => this.holderOf(id));
    });
    return true;
  }

  /** So that `messagesOf` gives what an archived one holds. */
  async open(id: TopicId): Promise<void> {
    await this.load();
    await this.#files.open(id, this.#topics);
  }

  /**
   * Without these messages, and without the names and briefs that were made of
   * them, also of topics that they came from or went into. Files first: killed
   * before the events say so, who asked asks again, and then ids are all there is
   * to know a message by.
   */
  async forget(isGone: (id: MessageId, filed: FiledMessage | undefined) => boolean): Promise<void> {
    await this.load();
    for (const { id, state } of this.#topics.values()) if (state === "archived") await this.open(id);
    const gone = new Set<MessageId>();
    for (const { messages } of this.#files.all())
      for (const [id, filed] of messages) if (isGone(id, filed)) gone.add(id);
    for (const { id: place, ids } of this.#topics.values())
      for (const id of ids)
        if (this.#files.get(place)?.messages.has(id) !== true && isGone(id, undefined)) gone.add(id);
    if (gone.size === 0) return;
    const held = [...this.#topics.values()].filter(({ ids }) => ids.some((id) => gone.has(id)));
    const touched = this.#kinOf(held);
    await this.#careful(async () => {
      await this.#files.without((id) => gone.has(id));
      for (const topic of touched) await this.#files.remove(this.pathOf(topic, "md"));
      const names = new Set(touched.map(({ id }) => id));
      const without = afterEvent(this.#topics, { at: latestOf(touched), is: "forgot", ids: [...gone] });
      this.#topics = new Map(
        [...without].map(([id, topic]) => [id, names.has(id) ? { ...topic, name: "" } : topic]),
      );
      await this.#condense();
    });
  }

  /** With those whose messages they have had. */
  #kinOf(topics: readonly Topic[]): Topic[] {
    const kin = new Set<Topic>();
    const waiting = [...topics];
    for (let topic = waiting.pop(); topic !== undefined; topic = waiting.pop()) {
      if (kin.has(topic)) continue;
      kin.add(topic);
      const { id, parent } = topic;
      for (const other of this.#topics.values())
        if (other.id === parent || other.into?.includes(id) === true) waiting.push(other);
    }
    return [...kin];
  }

  /** What stands says as much as all that led to it. */
  #condense(): Promise<void> {
    const topics = [...this.#topics.values()];
    const standing = { at: latestOf(topics), is: "standing", topics, reviewedAt: this.#reviewedAt } as const;
    return writeStanding(this.parts, this.#events, standing);
  }

  /** After a fault nothing is believed that is not read again. */
  async #careful(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#isLoaded = false;
      throw error;
    }
  }
}

async function writeStanding(
  { writer, workspace }: TopicStoreParts,
  path: string,
  standing: TopicEvent,
): Promise<void> {
  await publish(writer, at(workspace, path), `${printTopicEvent(standing)}\n`);
}

/** No clock is asked: it is as late as what it tells of. */
function latestOf(topics: readonly Topic[]): EpochMs {
  const times = topics.flatMap(({ since, filledAt }) => [since, filledAt]);
  return times.reduce((latest, each) => (each > latest ? each : latest), 0 as EpochMs);
}
