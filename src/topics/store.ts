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
import { groupBy } from "../model/group.js";
import type { FiledMessage, MessageId } from "../model/message.js";
import { monthOf, type EpochMs } from "../model/time.js";
import type { Topic, TopicEvent, TopicId } from "../model/topic.js";
import { basename } from "../platform/path.js";
import { removeFile } from "../protocol/remove.js";
import { appendLines, NotSynced, syncLines } from "../protocol/jsonl.js";
import { isTempName, sweepTemps } from "../protocol/publish.js";
import { parseTopicEvents, printTopicEvent } from "../protocol/topic-events.js";
import { printTopicMessage } from "../protocol/topic-messages.js";
import { at } from "../protocol/workspace.js";
import { afterEvent, afterEvents, holdersOf, NO_TOPICS, reviewedAtIn, type Topics } from "./events.js";
import {
  latestOf,
  moveFile,
  readMessages,
  writeAnew,
  writeMessages,
  writeStanding,
  type MessagesFile,
  type TopicStoreParts,
} from "./store-files.js";

/** Where a message may stand. No topic is called so: their names are longer. */
const UNSPLIT = "unsplit" as TopicId;
const EVENTS = "events";
const TOPIC_NAME = /^[a-z0-9]{1,40}$/;
/** Beyond it what happened is told as what stands. */
const LONG_EVENTS_BYTES = 1024 * 1024;

export class TopicStore {
  #topics: Topics = NO_TOPICS;
  #files = new Map<TopicId, MessagesFile>();
  #isLoaded = false;
  #revision = 0;
  #reviewedAt: EpochMs | undefined;
  #holders: { of: Topics; holders: ReadonlyMap<MessageId, TopicId> } | undefined;
  /** Nobody knows what the disk has of these: they are written anew. */
  readonly #unsure = new Set<string>();

  constructor(
    readonly parts: TopicStoreParts,
    /** Relative. */
    readonly dir: string,
  ) {}

  /** Another number whenever messages came, went or changed places. */
  get revision(): number {
    return this.#revision;
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
    const { zone } = this.parts;
    const month = topic.state === "archived" ? `archived/${monthOf(zone.dayOf(topic.since))}/` : "";
    return `${this.dir}/${month}${topic.id}.${ending}`;
  }

  /** Reads what stands, and ends what a killed memd had begun. Nothing where it is known. */
  async load(): Promise<void> {
    if (this.#isLoaded) return;
    const { disk } = this.parts.writer;
    await sweepTemps(disk, this.#at(this.dir));
    for (const folder of await this.#months()) await sweepTemps(disk, this.#at(folder));
    await this.#mend();
    const events = this.#at(`${this.dir}/${EVENTS}.jsonl`);
    const text = new TextDecoder().decode((await disk.read(events)) ?? new Uint8Array());
    if (text !== "") await syncLines(disk, events);
    const happened = parseTopicEvents(text);
    this.#topics = afterEvents(happened);
    this.#reviewedAt = reviewedAtIn(happened);
    this.#files = new Map();
    this.#revision += 1;
    await this.#gather();
    await this.#settle();
    this.#isLoaded = true;
    if (text.length > LONG_EVENTS_BYTES) await this.#condense();
  }

  /** Those that are seen for the first time, and new versions of what is in no topic. Private ones never get here. */
  async take(messages: readonly FiledMessage[]): Promise<void> {
    await this.load();
    const known = this.#files.get(UNSPLIT)?.messages;
    const fresh = messages.filter((filed) => {
      const { id } = filed.message;
      const before = known?.get(id);
      if (this.holderOf(id) !== undefined) return false;
      return before === undefined || printTopicMessage(before) !== printTopicMessage(filed);
    });
    if (fresh.length > 0) await this.#careful(() => this.#add(UNSPLIT, fresh));
  }

  /** False, with nothing changed, for what cannot happen. */
  async happen(event: TopicEvent): Promise<boolean> {
    await this.load();
    const next = afterEvent(this.#topics, event);
    if (next === this.#topics && event.is !== "reviewed") return false;
    await this.#careful(async () => {
      await this.#append(`${this.dir}/${EVENTS}.jsonl`, [printTopicEvent(event)]);
      this.#topics = next;
      if (event.is === "reviewed") this.#reviewedAt = event.at;
      if (event.is !== "scored" && event.is !== "reviewed") await this.#settle();
    });
    return true;
  }

  /** So that `messagesOf` gives what an archived one holds. */
  async open(id: TopicId): Promise<void> {
    await this.load();
    await this.#fileOf(id);
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
    for (const { messages } of this.#files.values())
      for (const [id, filed] of messages) if (isGone(id, filed)) gone.add(id);
    for (const { id: place, ids } of this.#topics.values())
      for (const id of ids)
        if (this.#files.get(place)?.messages.has(id) !== true && isGone(id, undefined)) gone.add(id);
    if (gone.size === 0) return;
    const touched = this.#kinOf(
      [...this.#topics.values()].filter(({ ids }) => ids.some((id) => gone.has(id))),
    );
    await this.#careful(async () => {
      for (const place of this.#files.keys()) await this.#without(place, (id) => gone.has(id));
      for (const topic of touched) await this.#remove(this.pathOf(topic, "md"));
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
    return writeStanding(this.parts, `${this.dir}/${EVENTS}.jsonl`, topics, this.#reviewedAt);
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

  async #mend(): Promise<void> {
    for (const path of [...this.#unsure]) {
      await writeAnew(this.parts, path);
      this.#unsure.delete(path);
    }
  }

  /** Every file of messages but those of archived topics, which are known by their names. */
  async #gather(): Promise<void> {
    const { disk } = this.parts.writer;
    for (const { kind, name } of await disk.list(this.#at(this.dir))) {
      const place = placeIn(name);
      if (kind !== "file" || place === undefined) continue;
      await this.#read(place, `${this.dir}/${name}`);
    }
  }

  /** Of a topic wherever it stands; a file that is nowhere is empty. */
  async #fileOf(place: TopicId): Promise<MessagesFile> {
    const known = this.#files.get(place);
    if (known !== undefined) return known;
    return this.#read(place, this.#wantedPath(place));
  }

  async #read(place: TopicId, path: string): Promise<MessagesFile> {
    const file = await readMessages(this.parts, path);
    this.#files.set(place, file);
    return file;
  }

  #wantedPath(place: TopicId): string {
    const topic = this.#topics.get(place);
    return topic === undefined ? `${this.dir}/${place}.jsonl` : this.pathOf(topic, "jsonl");
  }

  /** Brings the files in line with the events. */
  async #settle(): Promise<void> {
    this.#revision += 1;
    const placeOf = (id: MessageId): TopicId => this.holderOf(id) ?? UNSPLIT;
    await this.#moveFiles();
    const strayed = [...this.#files].flatMap(([place, { messages }]) =>
      [...messages].filter(([id]) => placeOf(id) !== place).map(([, filed]) => filed),
    );
    for (const [place, filed] of groupBy(strayed, ({ message }) => placeOf(message.id))) {
      const { messages } = await this.#fileOf(place);
      const missing = new Map(filed.map((each) => [each.message.id, each]));
      for (const id of messages.keys()) missing.delete(id);
      const order = this.#topics.get(place)?.ids ?? [...missing.keys()];
      await this.#add(
        place,
        order.flatMap((id) => missing.get(id) ?? []),
      );
    }
    for (const place of [...this.#files.keys()])
      await this.#without(place, (id) => placeOf(id) !== place, !this.#isKept(place));
  }

  #isKept(place: TopicId): boolean {
    const state = this.#topics.get(place)?.state;
    return place === UNSPLIT || (state !== undefined && state !== "divided" && state !== "merged");
  }

  /** Archived ones stand under their month. */
  async #moveFiles(): Promise<void> {
    const { disk } = this.parts.writer;
    const here = new Set((await disk.list(this.#at(this.dir))).map(({ name }) => name));
    const archived = await this.#archivedNames();
    for (const topic of this.#topics.values()) {
      const folders = topic.state === "archived" ? [this.dir] : (archived.get(topic.id) ?? []);
      for (const folder of folders)
        for (const ending of ["jsonl", "md"] as const)
          if (folder !== this.dir || here.has(`${topic.id}.${ending}`))
            await moveFile(this.parts, `${folder}/${topic.id}.${ending}`, this.pathOf(topic, ending));
      const standing = this.#files.get(topic.id);
      const wanted = this.pathOf(topic, "jsonl");
      const isElsewhere =
        standing === undefined ? topic.state !== "archived" && folders.length > 0 : standing.path !== wanted;
      if (isElsewhere && (await disk.stat(this.#at(wanted)))?.kind === "file")
        await this.#read(topic.id, wanted);
    }
  }

  /** Folders of months by the names of the topics in them. */
  async #archivedNames(): Promise<Map<string, string[]>> {
    const names = new Map<string, string[]>();
    for (const folder of await this.#months())
      for (const { name } of await this.parts.writer.disk.list(this.#at(folder))) {
        const id = name.replace(/\.(?:jsonl|md)$/, "");
        names.set(id, [...new Set([...(names.get(id) ?? []), folder])]);
      }
    return names;
  }

  /** Folders of what was archived. */
  async #months(): Promise<string[]> {
    const archived = `${this.dir}/archived`;
    const entries = await this.parts.writer.disk.list(this.#at(archived));
    return entries.flatMap(({ kind, name }) => (kind === "dir" ? [`${archived}/${name}`] : []));
  }

  async #add(place: TopicId, filed: readonly FiledMessage[]): Promise<void> {
    if (filed.length === 0) return;
    const standing = await this.#fileOf(place);
    await this.#append(standing.path, filed.map(printTopicMessage));
    for (const each of filed) standing.messages.set(each.message.id, each);
    this.#revision += 1;
  }

  /** The file without some of its messages. `ends`: it goes once it is empty. */
  async #without(place: TopicId, isGone: (id: MessageId) => boolean, ends = false): Promise<void> {
    const file = this.#files.get(place);
    if (file === undefined) return;
    const kept = new Map([...file.messages].filter(([id]) => !isGone(id)));
    if (ends && kept.size === 0) {
      // A person's own lines are kept, beside.
      if (file.hasOthers) await writeMessages(this.parts, file, kept);
      await this.#remove(file.path);
      this.#files.delete(place);
    } else if (kept.size < file.messages.size) {
      await writeMessages(this.parts, file, kept);
      this.#revision += 1;
    }
  }

  async #remove(path: string): Promise<void> {
    await removeFile(this.parts.writer, at(this.parts.workspace, path));
  }

  async #append(path: string, lines: readonly string[]): Promise<void> {
    const { writer, workspace } = this.parts;
    try {
      await appendLines(writer, workspace, this.#at(path), lines);
    } catch (error) {
      if (error instanceof NotSynced) this.#unsure.add(path);
      throw error;
    }
  }

  #at(path: string): string {
    return at(this.parts.workspace, path);
  }
}

/** Undefined for what is no file of messages. */
function placeIn(name: string): TopicId | undefined {
  const place = basename(name).replace(/\.jsonl$/, "");
  if (!name.endsWith(".jsonl") || isTempName(name) || place === EVENTS) return undefined;
  return TOPIC_NAME.test(place) ? (place as TopicId) : undefined;
}
