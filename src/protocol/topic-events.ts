/**
 * `memory/topics/events.jsonl`: what happened to topics, one decision a line,
 * in order, and `messages.jsonl` beside it, which message is in which topic. A line
 * that is none is left alone.
 *
 * Pure. Appending is protocol/jsonl.ts.
 */
import * as z from "zod";
import { defined } from "../model/collections.js";
import { type FiledMessage, hasId, type MessageId } from "../model/message.js";
import { isoOf, parseInstant } from "../model/time.js";
import { TOPIC_STATES, type TopicEvent, type TopicId } from "../model/topic.js";
import { parseLines } from "./jsonl.js";
import { parseMessage, printMessage } from "./message.js";
import { instant } from "./records.js";

/** They are names of files: whoever writes this file by hand writes none that leads elsewhere. */
const topicId = z
  .string()
  .regex(/^[a-z0-9]{1,40}$/)
  .transform((id) => id as TopicId);
const messageIds = z.array(z.string().transform((id) => id as MessageId));
const filling = z.object({ id: topicId, ids: messageIds, begins: messageIds.optional() });
const made = filling.extend({ name: z.string() });
const topic = z.object({
  id: topicId,
  name: z.string(),
  state: z.enum(TOPIC_STATES),
  since: instant,
  filledAt: instant,
  scores: z.array(z.number().min(0).max(1)),
  ids: messageIds,
  begins: messageIds,
  parent: topicId.optional(),
  into: z.array(topicId).optional(),
});

const line = z
  .object({ at: instant })
  .and(
    z.discriminatedUnion("is", [
      z.object({ is: z.literal("split"), made: z.array(made), filled: z.array(filling) }),
      z.object({ is: z.literal("scored"), scores: z.array(z.tuple([topicId, z.number()])) }),
      z.object({ is: z.enum(["woken", "slept", "archived"]), topics: z.array(topicId) }),
      z.object({ is: z.literal("divided"), topic: topicId, into: z.array(made) }),
      z.object({ is: z.literal("merged"), topics: z.array(topicId), into: topicId }),
      z.object({ is: z.literal("forgot"), ids: messageIds }),
      z.object({ is: z.literal("reviewed") }),
      z.object({ is: z.literal("standing"), topics: z.array(topic), reviewedAt: instant.optional() }),
    ]),
  );

export function parseTopicEvents(text: string): TopicEvent[] {
  return parseLines(text).flatMap(({ value }) => {
    const { data } = line.safeParse(value);
    return data === undefined ? [] : [withoutUndefined(data) as TopicEvent];
  });
}

export function printTopicEvent(event: TopicEvent): string {
  if (event.is !== "standing") return JSON.stringify({ ...event, at: isoOf(event.at) });
  const topics = event.topics.map((each) => ({
    ...each,
    since: isoOf(each.since),
    filledAt: isoOf(each.filledAt),
  }));
  const reviewedAt = event.reviewedAt === undefined ? undefined : isoOf(event.reviewedAt);
  return JSON.stringify({ ...event, at: isoOf(event.at), topics, reviewedAt });
}

/** zod leaves optional keys out only where they were not there. */
function withoutUndefined<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/**
 * `memory/topics/{id}.jsonl` and `unsplit.jsonl`: messages word for word, one
 * line each, oldest first. The last line of an id counts.
 *
 * Pure. Appending is protocol/jsonl.ts.
 */
export interface TopicMessages {
  /** In the order of their first lines. */
  messages: Map<MessageId, FiledMessage>;
  /** Lines stand there that are no messages: somebody's, or torn. */
  hasOthers: boolean;
}

export function parseTopicMessages(text: string): TopicMessages {
  const read = parseLines(text).flatMap(({ value }) => filedIn(value) ?? []);
  const messages = new Map(read.map((filed) => [filed.message.id, filed]));
  return { messages, hasOthers: read.length < text.split("\n").filter((each) => each.trim() !== "").length };
}

export function printTopicMessage({ message, filedAt, belongsTo }: FiledMessage): string {
  return JSON.stringify({ filedAt: isoOf(filedAt), for: belongsTo, message: printMessage(message) });
}

function filedIn(value: unknown): FiledMessage | undefined {
  const line = value as { filedAt?: unknown; for?: unknown; message?: unknown } | null;
  const message = parseMessage(line?.message);
  const at = typeof line?.filedAt === "string" ? parseInstant(line.filedAt) : undefined;
  if (message === undefined || !hasId(message) || at === undefined) return undefined;
  return defined({ message, filedAt: at, belongsTo: typeof line?.for === "string" ? line.for : undefined });
}
