/**
 * The files of messages in a folder of topics, one for each place: a topic, or
 * `unsplit` for what is in none. Brings them in line with what the topics hold;
 * each step is whole or not done, and every message stands somewhere all along.
 */
import { groupBy } from "../model/collections.js";
import type { FiledMessage, MessageId } from "../model/message.js";
import { monthOf, type Zone } from "../model/time.js";
import type { Topic, TopicId } from "../model/topic.js";
import { dirname } from "../platform/files.js";
import { setAside } from "../protocol/conflicts.js";
import { appendLines, NotSynced } from "../protocol/jsonl.js";
import { type FileWriter, publish, removeFile, sweepTemps, textIn } from "../protocol/publish.js";
import { parseTopicMessages, printTopicMessage, type TopicMessages } from "../protocol/topic-events.js";
import { at, type Workspace } from "../protocol/workspace.js";
import type { Topics } from "./events.js";

export interface TopicStoreParts {
  writer: FileWriter;
  workspace: Workspace;
  zone: Zone;
}

/** A file of messages as it stands. Paths are relative. */
export interface MessagesFile extends TopicMessages {
  path: string;
}

/** Where a message may stand. No topic is called so: their names are longer. */
export const UNSPLIT = "unsplit" as TopicId;
export const EVENTS = "events";
const TOPIC_NAME = /^[a-z0-9]{1,40}$/;

/** Where the messages of a topic or, with `md`, its brief stand: archived ones under their month. Relative. */
export function topicPath(
  dir: string,
  { id, state, since }: Pick<Topic, "id" | "state" | "since">,
  ending: "jsonl" | "md",
  zone: Zone,
): string {
  const month = state === "archived" ? `archived/${monthOf(zone.dayOf(since))}/` : "";
  return `${dir}/${month}${id}.${ending}`;
}

export class PlaceFiles {
  #files = new Map<TopicId, MessagesFile>();
  /** Another number whenever messages came, went or changed places. */
  revision = 0;
  /** Nobody knows what the disk has of these: they are written anew. */
  readonly #unsure = new Set<string>();

  constructor(
    readonly parts: TopicStoreParts,
    /** Relative. */
    readonly dir: string,
  ) {}

  get(place: TopicId): MessagesFile | undefined {
    return this.#files.get(place);
  }

  all(): Iterable<MessagesFile> {
    return this.#files.values();
  }

  /** Ends what a killed memd, or a fault of the disk, has left unfinished. */
  async sweep(): Promise<void> {
    const { disk } = this.parts.writer;
    for (const folder of [this.dir, ...(await this.#months())]) await sweepTemps(disk, this.#at(folder));
    for (const path of [...this.#unsure]) {
      const bytes = await disk.read(this.#at(path));
      if (bytes !== undefined) await publish(this.parts.writer, this.#at(path), bytes);
      this.#unsure.delete(path);
    }
  }

  /** Reads every file but those of archived topics, which are known by their names. */
  async gather(): Promise<void> {
    this.#files = new Map();
    this.revision += 1;
    for (const { kind, name } of await this.parts.writer.disk.list(this.#at(this.dir))) {
      const place = placeIn(name);
      if (kind === "file" && place !== undefined) await this.#read(place, `${this.dir}/${name}`);
    }
  }

  /** Of a topic wherever it stands; a file that is nowhere is empty. */
  async open(place: TopicId, topics: Topics): Promise<MessagesFile> {
    const topic = topics.get(place);
    const path = topic === undefined ? `${this.dir}/${place}.jsonl` : this.#pathOf(topic, "jsonl");
    return this.#files.get(place) ?? (await this.#read(place, path));
  }

  /** Moves files and messages to where the topics say. */
  async settle(topics: Topics, holderOf: (id: MessageId) => TopicId | undefined): Promise<void> {
    this.revision += 1;
    const placeOf = (id: MessageId): TopicId => holderOf(id) ?? UNSPLIT;
    await this.#moveFiles(topics);
    const strayed = [...this.#files].flatMap(([place, { messages }]) =>
      [...messages].filter(([id]) => placeOf(id) !== place).map(([, filed]) => filed),
    );
    for (const [place, filed] of groupBy(strayed, ({ message }) => placeOf(message.id))) {
      const file = await this.open(place, topics);
      const missing = new Map(filed.map((each) => [each.message.id, each]));
      for (const id of file.messages.keys()) missing.delete(id);
      const ordered = (topics.get(place)?.ids ?? [...missing.keys()]).flatMap((id) => missing.get(id) ?? []);
      await this.#append(file, ordered);
    }
    for (const place of [...this.#files.keys()])
      await this.#without(place, (id) => placeOf(id) !== place, !isKept(place, topics));
  }

  async take(filed: readonly FiledMessage[], topics: Topics): Promise<void> {
    await this.#append(await this.open(UNSPLIT, topics), filed);
  }

  /** The files without some of their messages. */
  async without(isGone: (id: MessageId) => boolean): Promise<void> {
    for (const place of this.#files.keys()) await this.#without(place, isGone);
  }

  async remove(path: string): Promise<void> {
    await removeFile(this.parts.writer, this.#at(path));
  }

  async append(path: string, lines: readonly string[]): Promise<void> {
    const { writer, workspace } = this.parts;
    try {
      await appendLines(writer, workspace, this.#at(path), lines);
    } catch (error) {
      if (error instanceof NotSynced) this.#unsure.add(path);
      throw error;
    }
  }

  async #append(file: MessagesFile, filed: readonly FiledMessage[]): Promise<void> {
    if (filed.length === 0) return;
    await this.append(file.path, filed.map(printTopicMessage));
    for (const each of filed) file.messages.set(each.message.id, each);
    this.revision += 1;
  }

  /** `ends`: it goes once it is empty. */
  async #without(place: TopicId, isGone: (id: MessageId) => boolean, ends = false): Promise<void> {
    const file = this.#files.get(place);
    if (file === undefined) return;
    const kept = new Map([...file.messages].filter(([id]) => !isGone(id)));
    if (ends && kept.size === 0) {
      // A person's own lines are kept, beside.
      if (file.hasOthers) await writeMessages(this.parts, file, kept);
      await this.remove(file.path);
      this.#files.delete(place);
    } else if (kept.size < file.messages.size) {
      await writeMessages(this.parts, file, kept);
      this.revision += 1;
    }
  }

  async #moveFiles(topics: Topics): Promise<void> {
    const { disk } = this.parts.writer;
    const here = new Set((await disk.list(this.#at(this.dir))).map(({ name }) => name));
    const archived = await this.#archivedNames();
    for (const topic of topics.values()) {
      const folders = topic.state === "archived" ? [this.dir] : (archived.get(topic.id) ?? []);
      for (const folder of folders)
        for (const ending of ["jsonl", "md"] as const)
          if (folder !== this.dir || here.has(`${topic.id}.${ending}`))
            await this.#moveFile(`${folder}/${topic.id}.${ending}`, this.#pathOf(topic, ending));
      const standing = this.#files.get(topic.id);
      const wanted = this.#pathOf(topic, "jsonl");
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

  /** One that is nowhere is empty. */
  async #read(place: TopicId, path: string): Promise<MessagesFile> {
    const bytes = (await this.parts.writer.disk.read(this.#at(path))) ?? new Uint8Array();
    const { messages, hasOthers } = parseTopicMessages(new TextDecoder().decode(bytes));
    // Bytes that are no text stand in the copy that is made before any of it is written again.
    const file = { path, messages, hasOthers: hasOthers || textIn(bytes) === undefined };
    this.#files.set(place, file);
    return file;
  }

  /**
   * It stands under its new name before the old one goes. Where both stand, that
   * was cut off in between; what another hand put there is kept, beside.
   */
  async #moveFile(from: string, to: string): Promise<void> {
    const { disk, guard } = this.parts.writer;
    const [old, wanted] = [this.#at(from), this.#at(to)];
    const stat = await disk.stat(old);
    if (from === to || stat?.kind !== "file") return;
    await disk.makeDir(dirname(wanted));
    await guard();
    const isFree = await disk.link(old, wanted);
    if (!isFree && (await disk.stat(wanted))?.ino !== stat.ino)
      await keepBeside(this.parts, from, "a second copy");
    await disk.syncDir(dirname(wanted));
    await disk.unlink(old);
    await disk.syncDir(dirname(old));
  }

  #pathOf(topic: Topic, ending: "jsonl" | "md"): string {
    return topicPath(this.dir, topic, ending, this.parts.zone);
  }

  #at(path: string): string {
    return at(this.parts.workspace, path);
  }
}

/** The file with these messages alone; of lines that are no messages a copy is kept. */
async function writeMessages(
  parts: TopicStoreParts,
  file: MessagesFile,
  kept: Map<MessageId, FiledMessage>,
): Promise<void> {
  if (file.hasOthers) await keepBeside(parts, file.path, "lines that are no messages");
  file.hasOthers = false;
  const lines = [...kept.values()].map((each) => `${printTopicMessage(each)}\n`);
  await publish(parts.writer, at(parts.workspace, file.path), lines.join(""));
  file.messages = kept;
}

async function keepBeside({ writer, workspace }: TopicStoreParts, path: string, why: string): Promise<void> {
  const bytes = await writer.disk.read(at(workspace, path));
  if (bytes !== undefined) await setAside(writer, workspace, path, bytes, why);
}

function isKept(place: TopicId, topics: Topics): boolean {
  const state = topics.get(place)?.state;
  return place === UNSPLIT || (state !== undefined && state !== "divided" && state !== "merged");
}

/** Undefined for what is no file of messages. */
function placeIn(name: string): TopicId | undefined {
  const place = name.slice(0, -".jsonl".length);
  const isOne = name.endsWith(".jsonl") && place !== EVENTS && TOPIC_NAME.test(place);
  return isOne ? (place as TopicId) : undefined;
}
