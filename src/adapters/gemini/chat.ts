/**
 * A chat of Gemini CLI: JSON lines of which the last of an id counts, with changes of
 * the head and rewinds between them; in older versions one JSON object.
 *
 * Pure.
 */
import { defined } from "../../model/collections.js";
import { type Fields, fieldsOf, listOf, objectsIn, stringOf, timeOf } from "../fields.js";
import type { Conversation, Skipped, ToldMessage } from "../told.js";

export function readGemini(lines: Iterable<Fields>, skipped: Skipped): Conversation[] {
  let head: Fields = {};
  const byId = new Map<string, Fields>();
  const put = (entry: Fields): void => {
    const id = stringOf(entry["id"]);
    if (id !== undefined) byId.set(id, entry);
  };
  for (const line of lines) {
    if (line["$set"] !== undefined) {
      const set = fieldsOf(line["$set"]);
      if (Array.isArray(set["messages"])) {
        byId.clear();
        for (const entry of objectsIn(set["messages"])) put(entry);
      }
      head = { ...head, ...set };
    } else if (typeof line["$rewindTo"] === "string") rewind(byId, line["$rewindTo"], skipped);
    else if (stringOf(line["sessionId"]) !== undefined && line["type"] === undefined) {
      head = { ...head, ...line };
      for (const entry of objectsIn(line["messages"])) put(entry);
    } else put(line);
  }
  if (head["kind"] === "subagent") {
    skipped.note("talk of subagents");
    return [];
  }
  const messages = [...byId.values()].flatMap(messageOf);
  if (messages.length === 0) return [];
  return [defined({ id: stringOf(head["sessionId"]) ?? "chat", messages })];
}

/** To what stood when that one was said; itself goes too. */
function rewind(byId: Map<string, Fields>, to: string, skipped: Skipped): void {
  if (!byId.has(to)) return;
  let isBehind = false;
  for (const id of [...byId.keys()]) {
    isBehind ||= id === to;
    if (!isBehind) continue;
    byId.delete(id);
    skipped.note("turns that were taken back");
  }
}

function messageOf(entry: Fields): ToldMessage[] {
  const { type, content } = entry;
  const role = type === "user" ? "user" : type === "gemini" ? "agent" : undefined;
  const text = (typeof content === "string" ? content : partsOf(content)).trim();
  if (role === undefined || text === "") return [];
  return [defined({ id: String(entry["id"]), role, text, at: timeOf(entry["timestamp"]) } as const)];
}

function partsOf(content: unknown): string {
  const parts = Array.isArray(content) ? listOf(content) : [content];
  return parts
    .flatMap((part) => (typeof part === "string" ? part : (stringOf(fieldsOf(part)["text"]) ?? [])))
    .join("\n\n");
}
