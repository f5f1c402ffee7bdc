/**
 * A session of pi, and of OpenClaw, which took over its entries: a tree of which the
 * branch of the last leaf is the conversation.
 *
 * Pure.
 */
import { defined } from "../../model/collections.js";
import { type Fields, fieldsOf, objectsIn, stringOf, timeOf, wordsOf } from "../fields.js";
import { type Conversation, type Skipped, type ToldMessage } from "../told.js";

export function readPi(entries: Iterable<Fields>, name: string, skipped: Skipped): Conversation[] {
  const byId = new Map<string, Fields>();
  let head: Fields | undefined;
  let leaf: string | undefined;
  for (const entry of entries) {
    if (entry["type"] === "session") {
      head ??= entry;
      continue;
    }
    const id = stringOf(entry["id"]) ?? `entry-${byId.size + 1}`;
    // Older ones have no tree: each follows the one before.
    byId.set(id, entry["parentId"] === undefined ? { ...entry, parentId: leaf ?? null } : entry);
    leaf = id;
  }
  const branch = branchOf(byId, leaf);
  skipped.note("other branches", byId.size - branch.length);
  const messages = withoutSilent(
    branch.flatMap(([id, entry]) => messageOf(id, entry, skipped)),
    skipped,
  );
  if (messages.length === 0) return [];
  const id = stringOf(head?.["id"]) ?? name.replace(/\.jsonl.*$/, "");
  return [defined({ id, project: stringOf(head?.["cwd"]), messages })];
}

/** What OpenClaw's agent answers where it has nothing to say, or was only asked whether it lives. */
const SILENT: ReadonlySet<string> = new Set(["NO_REPLY", "HEARTBEAT_OK"]);

/** Without the turns in which it was. */
export function withoutSilent<T extends Pick<ToldMessage, "role" | "text">>(
  messages: readonly T[],
  skipped: Skipped,
): T[] {
  const heard: T[] = [];
  for (const message of messages) {
    if (message.role === "user" || !SILENT.has(message.text)) {
      heard.push(message);
      continue;
    }
    while (heard.at(-1)?.role === "agent") heard.pop();
    heard.pop();
    skipped.note("turns without an answer");
  }
  return heard;
}

function branchOf(byId: ReadonlyMap<string, Fields>, leaf: string | undefined): [string, Fields][] {
  const branch: [string, Fields][] = [];
  const seen = new Set<string>();
  for (let id = leaf; id !== undefined && !seen.has(id);) {
    seen.add(id);
    const entry = byId.get(id);
    if (entry === undefined) break;
    branch.unshift([id, entry]);
    id = stringOf(entry["parentId"]);
  }
  return branch;
}

function messageOf(id: string, entry: Fields, skipped: Skipped): ToldMessage[] {
  if (entry["type"] !== "message") {
    if (entry["type"] === "compaction" || entry["type"] === "branch_summary")
      skipped.note("summaries of compaction");
    return [];
  }
  const { role, content, timestamp } = fieldsOf(entry["message"]);
  const text = wordsOf(content).trim();
  const at = timeOf(entry["timestamp"]) ?? timeOf(timestamp);
  if (role !== "user" && role !== "assistant") return [];
  const tools = objectsIn(content).flatMap(({ type, id: callId, name, arguments: input }) =>
    type === "toolCall" && typeof callId === "string" && typeof name === "string"
      ? [defined({ name, callId, input })]
      : [],
  );
  if (text === "" && tools.length === 0) return [];
  return [
    defined({
      id,
      role: role === "user" ? ("user" as const) : ("agent" as const),
      text,
      at,
      tools: tools.length > 0 ? tools : undefined,
    }),
  ];
}
