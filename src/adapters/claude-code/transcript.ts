/**
 * A transcript of Claude Code: one conversation in JSON lines.
 *
 * Pure. A person's words are those that were typed; an answer of the model comes
 * in several lines of one `message.id`, a block each. What was resumed, branched or
 * forked begins with copies of the lines before, under the ids that those have.
 */
import { defined } from "../../model/collections.js";
import type { ToolUse } from "../../model/message.js";
import { type Fields, fieldsOf, objectsIn, stringOf, timeOf, wordsOf } from "../fields.js";
import type { Line } from "../lines.js";
import { type Conversation, eachOnce, type Skipped, type Source, type ToldMessage } from "../told.js";

/** What the program writes in a person's place. */
const NOT_TYPED =
  /^\s*(?:<command-name>|<command-message>|<local-command-|<task-notification>|\[Request interrupted)/;
/** Around what it adds to a person's words. */
const REMINDER = { begin: "<system-reminder>", end: "</system-reminder>" };

/** A line whose message begins with what a tool gave: it holds nothing that was said, and most of a transcript's bytes. */
export function isResultOfClaudeCode(line: string): boolean {
  return RESULTS.some((beginning) => line.includes(beginning)) && !line.includes('"type":"assistant"');
}

/** Where it stands inside of a text its quotes are escaped. */
const RESULTS = [
  '"message":{"role":"user","content":[{"tool_use_id":"',
  '"message":{"role":"user","content":[{"type":"tool_result","',
];

export function readClaudeCode(lines: Iterable<Line>, source: Source, skipped: Skipped): Conversation[] {
  const answers = new Map<string, ToldMessage>();
  const calls = new Map<string, ToolUse>();
  const messages: ToldMessage[] = [];
  const uuids = new Set<string>();
  const titles = new Map<string, string>();
  const named: { session?: string | undefined; project?: string | undefined } = {};
  for (const { fields } of lines) {
    noteTitle(fields, titles);
    const uuid = stringOf(fields["uuid"]);
    if (uuid !== undefined && uuids.has(uuid)) {
      skipped.note("copies");
      continue;
    }
    if (uuid !== undefined) uuids.add(uuid);
    named.session ??= stringOf(fields["sessionId"]);
    named.project ??= stringOf(fields["cwd"]);
    noteResults(fields, calls);
    const said = typedIn(fields, skipped) ?? answeredIn(fields, answers, calls, skipped);
    if (said !== undefined) messages.push(said);
  }
  const told = eachOnce(
    messages.filter(({ text, tools }) => text !== "" || tools !== undefined),
    skipped,
  );
  if (told.length === 0) return [];
  // Its name is the session's; lines that were copied into it still name the one before.
  const id = source.name.replace(/\.jsonl$/, "") || named.session || "session";
  const title = titles.get("custom") ?? titles.get("ai") ?? titleByLeaf(titles, uuids);
  return [defined({ id, title, project: named.project, messages: told })];
}

function typedIn(fields: Fields, skipped: Skipped): ToldMessage | undefined {
  if (fields["type"] === "attachment") return queuedIn(fields);
  if (fields["type"] !== "user") return undefined;
  const { content } = fieldsOf(fields["message"]);
  const isResult =
    fields["toolUseResult"] !== undefined || objectsIn(content).some(({ type }) => type === "tool_result");
  if (isResult) return undefined;
  const why = notAPersonsBecause(fields);
  const text = withoutReminders(wordsOf(content));
  if (why !== undefined || text === "" || NOT_TYPED.test(text)) {
    skipped.note(why ?? "lines that nobody typed");
    return undefined;
  }
  return messageOf(fields, "user", text);
}

/** One that nobody ended was typed. */
function withoutReminders(text: string): string {
  let typed = "";
  let from = 0;
  for (let at = text.indexOf(REMINDER.begin); at !== -1; at = text.indexOf(REMINDER.begin, from)) {
    const end = text.indexOf(REMINDER.end, at);
    if (end === -1) break;
    typed += text.slice(from, at);
    from = end + REMINDER.end.length;
  }
  return (typed + text.slice(from)).trim();
}

function notAPersonsBecause(fields: Fields): string | undefined {
  if (fields["isSidechain"] === true) return "talk of subagents";
  if (fields["isCompactSummary"] === true) return "summaries of compaction";
  if (fields["isMeta"] === true || fields["isVisibleInTranscriptOnly"] === true)
    return "lines that nobody typed";
  const { kind } = fieldsOf(fields["origin"]);
  return kind === undefined || kind === "human" ? undefined : "lines that nobody typed";
}

/** Typed while the agent worked. */
function queuedIn(fields: Fields): ToldMessage | undefined {
  const attachment = fieldsOf(fields["attachment"]);
  if (attachment["type"] !== "queued_command" || attachment["commandMode"] !== "prompt") return undefined;
  if (fields["isSidechain"] === true) return undefined;
  const text = withoutReminders(wordsOf(attachment["prompt"]));
  return text === "" ? undefined : messageOf(fields, "user", text);
}

/** The first line of an answer gives its message; the others go into it. */
function answeredIn(
  fields: Fields,
  answers: Map<string, ToldMessage>,
  calls: Map<string, ToolUse>,
  skipped: Skipped,
): ToldMessage | undefined {
  if (fields["type"] !== "assistant") return undefined;
  if (fields["isSidechain"] === true || fields["isApiErrorMessage"] === true) {
    skipped.note(fields["isSidechain"] === true ? "talk of subagents" : "errors of the model's service");
    return undefined;
  }
  const message = fieldsOf(fields["message"]);
  const text = wordsOf(message["content"]).trim();
  const tools = callsIn(message["content"]);
  for (const tool of tools) calls.set(tool.callId, tool);
  const id = stringOf(message["id"]);
  const before = id === undefined ? undefined : answers.get(id);
  if (before !== undefined) {
    // Its time is that of its first words.
    if (text !== "" && before.text === "")
      Object.assign(before, defined({ text, at: timeOf(fields["timestamp"]) }));
    else if (text !== "") before.text = `${before.text}\n\n${text}`;
    if (tools.length > 0) before.tools = [...(before.tools ?? []), ...tools];
    return undefined;
  }
  const answer = messageOf(fields, "agent", text);
  if (id !== undefined) {
    answer.id = id;
    answers.set(id, answer);
  }
  if (tools.length > 0) answer.tools = tools;
  return answer;
}

function callsIn(content: unknown): ToolUse[] {
  return objectsIn(content).flatMap(({ type, id, name, input }) =>
    type === "tool_use" && typeof name === "string" && typeof id === "string"
      ? [defined({ name, callId: id, input })]
      : [],
  );
}

/** What a call gave stands in a line behind it, in a person's place. */
function noteResults(fields: Fields, calls: ReadonlyMap<string, ToolUse>): void {
  for (const { type, tool_use_id: callId, content } of objectsIn(fieldsOf(fields["message"])["content"])) {
    const call = type === "tool_result" ? calls.get(String(callId)) : undefined;
    if (call !== undefined) call.result = wordsOf(content);
  }
}

function messageOf(fields: Fields, role: ToldMessage["role"], text: string): ToldMessage {
  const at = timeOf(fields["timestamp"]);
  // A fork may give its copies ids of their own.
  const own = stringOf(fields["uuid"]);
  const original = stringOf(fieldsOf(fields["forkedFrom"])["messageUuid"]);
  const id = original ?? own ?? `${at ?? ""} ${role} ${text}`;
  return defined({ id, copyId: own === id ? undefined : own, role, text, at });
}

/** A summary names the line that it ends with: it may be another conversation's. */
function noteTitle(fields: Fields, titles: Map<string, string>): void {
  const { type, summary, leafUuid, aiTitle, customTitle } = fields;
  if (type === "summary" && typeof summary === "string") titles.set(`leaf ${String(leafUuid)}`, summary);
  if (type === "ai-title" && typeof aiTitle === "string") titles.set("ai", aiTitle);
  if (type === "custom-title" && typeof customTitle === "string") titles.set("custom", customTitle);
}

function titleByLeaf(titles: ReadonlyMap<string, string>, uuids: ReadonlySet<string>): string | undefined {
  const ours = [...titles].filter(([leaf]) => uuids.has(leaf.slice("leaf ".length)));
  return ours.at(-1)?.[1];
}
