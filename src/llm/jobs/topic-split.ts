/** Messages sorted into topics, some of which stand already. What becomes of it is decided where topics are kept. */
import * as z from "zod";
import { entryOf } from "../../model/collections.js";
import type { TopicId } from "../../model/topic.js";
import type { Utterance } from "../../model/message.js";
import { topicNameOf } from "../../protocol/topic-brief.js";
import { asText, jsonIn, placesOf, shownAs, tagsIn } from "../answers.js";
import { inert, numberedPieces, windowsOf } from "../windows.js";
import { askInTurn, mapAnswer, type Reading } from "../ask.js";
import { branded, chatKind, type JobOf } from "./kind.js";

export interface TopicSplitJob extends JobOf<"topic_split"> {
  utterances: Utterance[];
  topics: StandingTopic[];
  /** No topic is to get larger than this. */
  mostTokens: number;
}

/** A topic as it stands, for whoever sorts messages into it. */
export interface StandingTopic {
  id: TopicId;
  name: string;
  brief: string;
  tokens: number;
  /** What was said in it, each stretch one text, the newest last; not all where there is much. */
  stretches: string[];
}

const group = z.object({
  /** Absent for one that begins. */
  topic: branded<TopicId>().exactOptional(),
  /** Of one that begins. */
  name: z.string(),
  /** Indexes of utterances, in stretches that are about one thing each. */
  stretches: z.array(z.array(z.number().int())),
});
export type TopicGroup = z.infer<typeof group>;

/** Of a brief, so much tells topics apart. */
const BRIEF_CHARS = 300;
/** Of what is asked at once, topics may take so much. */
const TOPICS_SHARE = 1 / 3;

export const topicSplit = chatKind({
  kind: "topic_split",
  prompts: { "topic-split": ["topics", "material"] },
  output: z.object({ groups: z.array(group) }),
  run: async ({ utterances, topics }: TopicSplitJob, { ask, prompts, windowTokens }) => {
    const groups: TopicGroup[] = [];
    const windows = windowsOf(numberedPieces(utterances), windowTokens * (1 - TOPICS_SHARE));
    const reply = await askInTurn(windows, async (window) => {
      const fresh = groups.filter(({ topic }) => topic === undefined);
      const listed = [...topics.map(listingOf), ...fresh.map(({ name }) => name)];
      const shown = windowsOf(
        listed.map((each, index) => `${shownAs(index)} ${each}`),
        windowTokens * TOPICS_SHARE,
      )[0];
      const question = prompts["topic-split"].fill({
        topics: inert(shown ?? "(none)"),
        material: inert(window),
      });
      const sorted = await ask(question, (text) => read(text, utterances.length));
      return mapAnswer(sorted, (parts) => parts.forEach((part) => add(groups, part, topics, fresh)));
    });
    return mapAnswer(reply, () => ({ groups }));
  },
  builtin: async (job) => (await import("../builtin/topic-split.js")).builtinTopicSplit(job),
});

function listingOf({ name, brief }: StandingTopic): string {
  return `${name}: ${brief.slice(0, BRIEF_CHARS).replace(/\s+/g, " ")}`;
}

/** `T1` is the first of `topics`, and behind them come those that began in windows before, `fresh`. */
function add(
  groups: TopicGroup[],
  { id, name, places }: Sorted,
  topics: readonly StandingTopic[],
  fresh: readonly TopicGroup[],
): void {
  const at = numberOf(id);
  const known = at === undefined ? undefined : topics[at]?.id;
  const again = at === undefined ? undefined : fresh[at - topics.length];
  // A topic that was not listed: these messages stay where they are.
  if (id !== "" && known === undefined && again === undefined) return;
  const there = again ?? groups.find(({ topic }) => known !== undefined && topic === known);
  if (there !== undefined) there.stretches.push(places);
  else groups.push({ ...(known === undefined ? {} : { topic: known }), name, stretches: [places] });
}

function numberOf(id: string): number | undefined {
  const [, number] = /^T?(\d{1,6})$/i.exec(id) ?? [];
  return number === undefined ? undefined : Number(number) - 1;
}

interface Sorted {
  /** Empty for a topic that begins. */
  id: string;
  name: string;
  places: number[];
}

/** As a model names it. */
type Named = { id?: unknown; name?: unknown; messages?: unknown } | null;

/** One message a tag, with the topic that it comes to. */
function assignedIn(text: string): Named[] {
  const byTopic = new Map<string, { id: string; name: string; messages: string }>();
  for (const { attributes } of tagsIn(text, "assignment")) {
    const { msg_id: message = "", topic_id: id = "", topic_name: name = "" } = attributes;
    const one = entryOf(byTopic, JSON.stringify([id, name]), () => ({ id, name, messages: "" }));
    one.messages += ` ${message}`;
  }
  return [...byTopic.values()];
}

function read(text: string, count: number): Reading<Sorted[]> {
  const { topics } = (jsonIn(text) ?? {}) as { topics?: unknown };
  const named: readonly Named[] = Array.isArray(topics)
    ? topics
    : [
        ...tagsIn(text, "topic").map(({ attributes, text: messages }) => ({ ...attributes, messages })),
        ...assignedIn(text),
      ];
  const value = named
    .map((each) => ({
      id: asText(each?.id).trim(),
      name: topicNameOf(asText(each?.name)),
      places: placesOf(each?.messages, count),
    }))
    .filter(({ id, name, places }) => places.length > 0 && (id !== "" || name !== ""));
  if (value.length > 0) return { value };
  return {
    problem:
      'Answer with one JSON object {"topics": [{"id": "T2", "messages": [numbers]}, {"name": "…", "messages": [numbers]}]}.',
  };
}
