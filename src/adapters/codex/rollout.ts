/**
 * A rollout of Codex: one thread in JSON lines.
 *
 * Pure. The same words may stand up to three times: as an item that was completed, as
 * an event, and as what was sent to the model, among much that nobody typed. The
 * first of these that a thread has is read.
 */
import { addAll, defined } from "../../model/collections.js";
import type { ToolUse } from "../../model/message.js";
import { type Fields, fieldsOf, stringOf, timeOf, wordsOf } from "../fields.js";
import type { Line } from "../lines.js";
import { type Conversation, type Skipped, type ToldMessage } from "../told.js";

type Copy = "item" | "event" | "response";
const COPIES: readonly Copy[] = ["item", "event", "response"];

interface Said {
  copy: Copy;
  turn: number;
  message: ToldMessage;
}

const TEXTS = ["text", "Text", "input_text", "output_text"];
/** What is put into a person's place for the model. */
const NOT_TYPED =
  /^\s*(?:<(?:environment_context|user_instructions|hook_prompt|turn_aborted|user_shell_command|permissions|skill|subagent_notification)|# AGENTS\.md instructions)/;

/** A line of what a tool gave: it holds nothing that was said, and most of a rollout's bytes. */
export function isResultOfCodex(line: string): boolean {
  return RESULTS.some((beginning) => line.includes(beginning)) && line.includes('"type":"response_item"');
}

/** Where it stands inside of a text its quotes are escaped. */
const RESULTS = [
  '"payload":{"type":"function_call_output","',
  '"payload":{"type":"custom_tool_call_output","',
];

export function readCodex(lines: Iterable<Line>, skipped: Skipped): Conversation[] {
  let head: Fields | undefined;
  let project: string | undefined;
  let turn = 0;
  const said: Said[] = [];
  const calls = new Map<string, ToolUse>();
  const summaries = new Set<string>();
  for (const { number, fields } of lines) {
    const payload = fieldsOf(fields["payload"]);
    const place = { number, at: timeOf(fields["timestamp"]), turn };
    switch (fields["type"]) {
      case "session_meta":
        // What a fork copied names the thread that it came from.
        head ??= payload;
        project ??= stringOf(payload["cwd"]);
        break;
      case "turn_context":
        turn++;
        project ??= stringOf(payload["cwd"]);
        break;
      case "event_msg":
        if (payload["type"] === "task_started" || payload["type"] === "turn_started") turn++;
        else addAll(said, saidIn(payload, place));
        break;
      case "response_item":
        noteCall(payload, calls, said);
        addAll(said, sentIn(payload, place, skipped));
        break;
      case "compacted":
        summaries.add((stringOf(payload["message"]) ?? "").trim());
        break;
      default:
        break;
    }
  }
  if (head === undefined && said.length === 0) return [];
  if (isSubagent(head)) {
    skipped.note("talk of subagents");
    return [];
  }
  const id = stringOf(head?.["id"]) ?? stringOf(head?.["session_id"]) ?? "thread";
  const typed = said.filter(({ message }) => message.role === "agent" || !summaries.has(message.text));
  skipped.note("summaries of compaction", said.length - typed.length);
  const messages = ofOneCopy(typed, skipped).map((message) => ({ ...message, id: `${id}:${message.id}` }));
  return messages.length === 0
    ? []
    : [defined({ id, project, forkOf: stringOf(head?.["forked_from_id"]), messages })];
}

interface Place {
  number: number;
  at: string | undefined;
  turn: number;
}

function saidIn(payload: Fields, { number, at, turn }: Place): Said[] {
  const { type } = payload;
  const item = fieldsOf(payload["item"]);
  const [copy, role, text] =
    type === "item_completed"
      ? (["item", roleOfItem(item["type"]), wordsOf(item["content"], TEXTS)] as const)
      : (["event", roleOfEvent(type), stringOf(payload["message"]) ?? ""] as const);
  if (role === undefined || text.trim() === "") return [];
  const id = stringOf(item["id"]) ?? String(number);
  return [{ copy, turn, message: defined({ id, role, text: text.trim(), at }) }];
}

function roleOfItem(type: unknown): ToldMessage["role"] | undefined {
  return type === "UserMessage" ? "user" : type === "AgentMessage" ? "agent" : undefined;
}

function roleOfEvent(type: unknown): ToldMessage["role"] | undefined {
  return type === "user_message" ? "user" : type === "agent_message" ? "agent" : undefined;
}

function sentIn(payload: Fields, { number, at, turn }: Place, skipped: Skipped): Said[] {
  if (payload["type"] !== "message") return [];
  const role = payload["role"] === "user" ? "user" : payload["role"] === "assistant" ? "agent" : undefined;
  const text = wordsOf(payload["content"], TEXTS).trim();
  if (role === undefined || text === "") return [];
  if (role === "user" && NOT_TYPED.test(text)) {
    skipped.note("lines that nobody typed");
    return [];
  }
  return [{ copy: "response", turn, message: defined({ id: String(number), role, text, at }) }];
}

/** The copy that a role has most faithfully; where a turn lacks it, the next best. */
function ofOneCopy(said: readonly Said[], skipped: Skipped): ToldMessage[] {
  const best = new Map<string, Copy>();
  const keyOf = ({ turn, message }: Said): string => `${turn} ${message.role}`;
  for (const copy of COPIES)
    for (const one of said) if (one.copy === copy && !best.has(keyOf(one))) best.set(keyOf(one), copy);
  const kept = said.filter((one) => best.get(keyOf(one)) === one.copy);
  skipped.note("copies", said.length - kept.length);
  return kept.map(({ message }) => message);
}

function noteCall(payload: Fields, calls: Map<string, ToolUse>, said: readonly Said[]): void {
  const { type, name, call_id: callId } = payload;
  if (typeof callId !== "string") return;
  const isCall = type === "function_call" || type === "custom_tool_call";
  if (isCall && typeof name === "string") {
    const call: ToolUse = { name, callId, input: payload["arguments"] ?? payload["input"] };
    calls.set(callId, call);
    const last = said.at(-1)?.message;
    if (last?.role === "agent") last.tools = [...(last.tools ?? []), call];
  }
  const known = calls.get(callId);
  if (known !== undefined && payload["output"] !== undefined) known.result = payload["output"];
}

function isSubagent(head: Fields | undefined): boolean {
  const { source } = head ?? {};
  return stringOf(head?.["parent_thread_id"]) !== undefined || fieldsOf(source)["subagent"] !== undefined;
}
