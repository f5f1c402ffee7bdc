/**
 * `memory/topics/{id}.md`: what a topic is about, for people and for the prompt.
 *
 * Pure. The head is printed from the events but for the name; name and body are
 * a person's to change, and what they wrote stays.
 */
import * as z from "zod";
import { contentHash } from "../platform/files.js";
import type { MessageId } from "../model/message.js";
import type { Topic, TopicId, TopicsOf } from "../model/topic.js";
import { parseFrontMatter, printFrontMatter } from "./front-matter.js";

/** Messages of a day. */
export interface Span {
  date: string;
  messages: number;
}

export interface Brief {
  id: TopicId;
  name: string;
  /** Below the head, without blanks around it. */
  text: string;
  /** The messages that it rests on. */
  refs: readonly MessageId[];
  spans: readonly Span[];
  /** As its head says: where the topic stands. */
  state: string;
  /** When the messages came last that the text knows of: ISO 8601, empty where it knows of none. */
  filled: string;
  /** A person has changed the text since memd wrote it. */
  edited: boolean;
}

const LONGEST_NAME_CHARS = 80;
/** Enough to find the conversation again by. */
const MOST_REFS = 20;

const head = z.looseObject({
  kind: z.literal("topic"),
  id: z.string(),
  name: z.string(),
  state: z.string().catch(""),
  filled: z.string().catch(""),
  refs: z.array(z.string()).catch([]),
  spans: z.array(z.object({ date: z.string(), messages: z.number() })).catch([]),
  hash: z.string().catch(""),
});

/** Undefined when the text is no brief; throws SyntaxError when its head cannot be read. */
export function parseBrief(text: string): Brief | undefined {
  const { data, body } = parseFrontMatter(text);
  const known = head.safeParse(data).data;
  if (known === undefined) return undefined;
  const { id, name, state, filled, refs, spans, hash } = known;
  return {
    id: id as TopicId,
    name: topicNameOf(name),
    text: body.trim(),
    refs: refs as MessageId[],
    spans,
    state,
    filled,
    edited: body.trim() !== "" && hash !== contentHash(body.trim()),
  };
}

/** `hash` stays that of what memd wrote where a person has changed the text. */
export function printBrief(
  of: TopicsOf,
  topic: Pick<Topic, "id" | "state" | "parent" | "into">,
  brief: Pick<Brief, "name" | "text" | "refs" | "spans" | "filled" | "edited">,
): string {
  const text = brief.text.trim();
  const { id, state, parent } = topic;
  const known = {
    kind: "topic",
    id,
    ...of,
    name: brief.name,
    state,
    parent,
    into: topic.into && [...topic.into],
  };
  const refs = brief.refs.slice(0, MOST_REFS);
  const hash = brief.edited ? "edited" : contentHash(text);
  return printFrontMatter(
    { ...known, filled: brief.filled, refs, spans: [...brief.spans], hash },
    `\n${text}\n`,
  );
}

/** Whatever a model or a person calls it: one line, no longer than a heading. */
export function topicNameOf(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .replace(/^[\s#>*-]+/, "")
    .trim();
  return [...line].slice(0, LONGEST_NAME_CHARS).join("").trim();
}
