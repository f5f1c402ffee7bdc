/**
 * `memory/topics/{id}.jsonl` and `unsplit.jsonl`: messages word for word, one
 * line each, oldest first. The last line of an id counts.
 *
 * Pure. Appending is protocol/jsonl.ts.
 */
import type { FiledMessage, MessageId } from "../model/message.js";
import { isoOf, parseInstant } from "../model/time.js";
import { hasId } from "../model/message.js";
import { parseLines } from "./jsonl.js";
import { parseMessage, printMessage } from "./message.js";

export interface TopicMessages {
  /** In the order of their first lines. */
  messages: Map<MessageId, FiledMessage>;
  /** Lines stand there that are no messages: somebody's, or torn. */
  hasOthers: boolean;
}

export function parseTopicMessages(text: string): TopicMessages {
  const messages = new Map<MessageId, FiledMessage>();
  const values = parseLines(text);
  let read = 0;
  for (const { value } of values) {
    const filed = filedIn(value);
    if (filed === undefined) continue;
    messages.set(filed.message.id, filed);
    read += 1;
  }
  return { messages, hasOthers: read < text.split("\n").filter((each) => each.trim() !== "").length };
}

export function printTopicMessage({ message, filedAt, belongsTo }: FiledMessage): string {
  return JSON.stringify({ filedAt: isoOf(filedAt), for: belongsTo, message: printMessage(message) });
}

function filedIn(value: unknown): FiledMessage | undefined {
  const line = value as { filedAt?: unknown; for?: unknown; message?: unknown } | null;
  const message = parseMessage(line?.message);
  const at = typeof line?.filedAt === "string" ? parseInstant(line.filedAt) : undefined;
  if (message === undefined || !hasId(message) || at === undefined) return undefined;
  const whose = typeof line?.for === "string" ? { belongsTo: line.for } : {};
  return { message, filedAt: at, ...whose };
}
