/**
 * The topics of one user in one place, with what their files, people and the
 * last turns say of each. Asks no model; the work that is due is work.ts.
 */
import type { FiledMessage } from "../model/message.js";
import type { Settings } from "../model/settings.js";
import type { Topic, TopicId, TopicsOf } from "../model/topic.js";
import type { StandingTopic } from "../llm/jobs/topic-split.js";
import { topicsDir } from "../protocol/workspace.js";
import type { ActivationBounds } from "./activation.js";
import { Briefs } from "./briefs.js";
import { isPresent, stretchesOf } from "./events.js";
import type { TopicStoreParts } from "./place-files.js";
import { isOf, type Relevance, relevanceIn, type WordIndex, wordIndexOf } from "./relevance.js";
import { TopicStore } from "./store.js";
import { textOf, tokensOf } from "./text-of.js";
import { TopicTurns, type Said } from "./turns.js";

/** Of a topic, so much tells what else belongs to it. */
const MOST_STRETCHES = 24;

/** A topic with what people call it. */
export interface NamedTopic {
  topic: Topic;
  name: string;
  brief: string;
  /** Relative. */
  file: string;
}

export class TopicSet {
  readonly store: TopicStore;
  readonly briefs: Briefs;
  readonly turns: TopicTurns;
  /** What was said of each topic when its head was looked at last. */
  readonly #settled = new Map<TopicId, string>();
  /** Of those that are held against every turn, and of those that somebody looked through last. */
  readonly #words: { present?: WordIndex; lookedThrough?: WordIndex } = {};

  constructor(
    readonly parts: TopicStoreParts & { settings: Settings["topics"] },
    readonly of: TopicsOf,
  ) {
    this.store = new TopicStore(parts, topicsDir(of));
    this.briefs = new Briefs(parts, of);
    this.turns = new TopicTurns(this);
  }

  /** Until the first split there is nothing to show. */
  get isSplit(): boolean {
    return this.store.topics.size > 0;
  }

  get bounds(): ActivationBounds {
    const { least_active: least, target_active: target, most_active: most } = this.parts.settings;
    return { least, target, most };
  }

  async load(): Promise<void> {
    await this.store.load();
    await this.readBriefs();
  }

  /** What people changed in names and briefs is seen from now on; archived ones only where asked for. */
  async readBriefs(archivedToo = false): Promise<void> {
    for (const topic of this.store.topics.values())
      if (archivedToo || topic.state !== "archived") await this.briefs.read(this.fileOf(topic));
  }

  fileOf(topic: Topic): string {
    return this.store.pathOf(topic, "md");
  }

  named(topic: Topic): NamedTopic {
    const file = this.fileOf(topic);
    const brief = this.briefs.known(file);
    return { topic, name: brief?.name || topic.name || topic.id, brief: brief?.text ?? "", file };
  }

  nameOf(id: TopicId): string {
    const topic = this.store.topics.get(id);
    return topic === undefined ? "" : this.named(topic).name;
  }

  /** Whatever changes it changes what a turn makes of it. */
  get revision(): string {
    const briefs = [...this.store.topics.values()].map((topic) => this.briefs.known(this.fileOf(topic)));
    return JSON.stringify([
      this.store.revision,
      briefs.map((brief) => [brief?.name, brief?.filled, brief?.edited === true ? brief.text : ""]),
      this.turns.revision,
    ]);
  }

  /** Of active and sleeping topics to what is said. */
  relevanceIn({ text, before }: Pick<Said, "text" | "before">): Map<TopicId, Relevance> {
    return relevanceIn(this.#wordsOf("present", this.present()), text, before);
  }

  /** Of these topics to what somebody looks for. */
  relevanceTo(text: string, topics: readonly Topic[]): Map<TopicId, Relevance> {
    return relevanceIn(this.#wordsOf("lookedThrough", topics), text);
  }

  present(): Topic[] {
    return [...this.store.topics.values()].filter(isPresent);
  }

  /** Those whose messages are still at hand. */
  archived(): Topic[] {
    return [...this.store.topics.values()].filter(
      ({ id, state }) => state === "archived" && this.store.messagesOf(id).length > 0,
    );
  }

  /** With archived ones, opened. */
  async all(): Promise<Topic[]> {
    const all = [...this.store.topics.values()];
    for (const { id, state } of all) if (state === "archived") await this.store.open(id);
    await this.readBriefs(true);
    return all.filter((topic) => isPresent(topic) || topic.state === "archived");
  }

  /** By id, or by a name that one topic alone has. */
  find(name: string): NamedTopic | undefined {
    const all = [...this.store.topics.values()].map((topic) => this.named(topic));
    const wanted = name.trim().toLowerCase();
    const byId = all.find(({ topic }) => topic.id === wanted);
    const living = all.filter(({ topic }) => topic.state !== "divided" && topic.state !== "merged");
    const called = living.filter((each) => each.name.toLowerCase() === wanted);
    return byId ?? (called.length === 1 ? called[0] : undefined);
  }

  /** Days on which something was said; of archived topics as their briefs say. */
  talkedOn(): Set<string> {
    const { topics, unsplit } = this.store;
    const held = [...topics.keys()].flatMap((id) => this.store.messagesOf(id));
    const told = [...topics.values()].flatMap((topic) => this.briefs.known(this.fileOf(topic))?.spans ?? []);
    return new Set([
      ...[...unsplit, ...held].map(({ filedAt }) => this.parts.zone.dayOf(filedAt)),
      ...told.map(({ date }) => date),
    ]);
  }

  tokensOf(messages: readonly FiledMessage[]): number {
    return tokensOf(messages, this.parts.zone);
  }

  standing(topic: Topic): StandingTopic {
    const { name, brief } = this.named(topic);
    const messages = new Map(this.store.messagesOf(topic.id).map((filed) => [filed.message.id, filed]));
    const last = stretchesOf(topic).slice(-MOST_STRETCHES);
    const held = last.map((ids) => ids.flatMap((id) => messages.get(id) ?? []));
    const stretches = held.map((said) => textOf(said, this.parts.zone));
    return { id: topic.id, name, brief, tokens: this.tokensOf([...messages.values()]), stretches };
  }

  /** Heads that no longer say where their topics stand are printed again; looked at once for each change. */
  async settleHeads(): Promise<void> {
    for (const topic of this.store.topics.values()) {
      const { id, state, name, into } = topic;
      const stands = JSON.stringify([state, name, into]);
      if (this.#settled.get(id) === stands) continue;
      const file = this.fileOf(topic);
      if ((await this.briefs.read(file))?.state !== state || into !== undefined) {
        await this.briefs.write(file, topic, {});
        await this.briefs.read(file);
      }
      this.#settled.set(id, stands);
    }
  }

  #wordsOf(which: "present" | "lookedThrough", topics: readonly Topic[]): WordIndex {
    const sought = topics.map((topic) => {
      const { name, brief } = this.named(topic);
      return { id: topic.id, about: `${name}\n${brief}`, messages: this.store.messagesOf(topic.id) };
    });
    const known = this.#words[which];
    return known !== undefined && isOf(known, sought) ? known : (this.#words[which] = wordIndexOf(sought));
  }
}
