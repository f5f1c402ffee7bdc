/**
 * Foreign text made safe to stand in the prompt.
 *
 * The rule that keeps it from posing as a section, a message or a source: a
 * line that begins in the first column is memd's own; whatever people, models,
 * tools and documents wrote follows a head on its line or is indented by four,
 * where Markdown knows no heading, fence or quotation. Files of the owner keep
 * their shape, with headings below those of the sections.
 */
import {
  type FiledMessage,
  type Message,
  type Role,
  TOOL_CHARS,
  toolsOf,
  type ToolUse,
} from "../model/message.js";
import { minuteOf, type Zone } from "../model/time.js";
import { redacted, redactSecrets, type Secret, withoutValues } from "../text/redact.js";
import { shown } from "../text/shown.js";
import { characterBorder, fenceAfter } from "../text/sentences.js";

const INDENT = "    ";
const NAME_CHARS = 60;

/** The text without secrets, control characters and half characters, with `\n` for whatever ends a line. */
export function plain(text: string): string {
  return redactSecrets(cleaned(text));
}

function cleaned(text: string): string {
  return shown(text.toWellFormed().replace(/\r\n?|[\u000b\u000c\u0085\u2028\u2029]/g, "\n"))
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+/, "")
    .trimEnd();
}

/** All on one line, heading marks gone; where a line ended stands a blank, in Chinese too. */
export function oneLine(text: string): string {
  return plain(text)
    .replace(/^[ \t]*#{1,6}[ \t]+/gm, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** `head: text`, or the head with the lines of the text below it, indented. */
export function said(head: string, text: string): string {
  if (!text.includes("\n")) return text === "" ? `${head}:` : `${head}: ${text}`;
  return `${head}:\n${eachLine(text, INDENT)}`;
}

/** The lines of a quotation: never anybody's own voice. */
export function quoted(text: string): string {
  return eachLine(text, `${INDENT}> `);
}

/** A name as a head shows it: short, on one line, and no user can be called the agent. */
export function nameOf(from: {
  role?: Role | undefined;
  speaker?: string | undefined;
  user?: string | undefined;
}): string {
  const speaker = shortLine(from.speaker ?? "");
  switch (from.role) {
    case "user":
    case undefined: {
      const user = from.user === "local" ? "" : shortLine(from.user ?? "");
      const name = speaker || user || "user";
      return /\b(?:agent|assistant|system|tool)\b/i.test(name) ? `${name} (user)` : name;
    }
    case "agent":
      return speaker === "" ? "agent" : `${speaker} (agent)`;
    case "system":
    case "tool":
      return from.role;
    default:
      return from.role satisfies never;
  }
}

/** A file name, tool name or label: on one line and not longer than a name. */
export function shortLine(text: string): string {
  const line = oneLine(text.slice(0, 4 * NAME_CHARS));
  return line.slice(0, characterBorder(line, NAME_CHARS));
}

/** A file of the owner below a section's heading: its headings one level down, three at least, an open fence closed. */
export function belowHeading(text: string, sectionTitles: ReadonlySet<string>): string {
  let open: string | undefined;
  const lines = plain(text)
    .split("\n")
    .map((line) => {
      const fenced = open !== undefined;
      open = fenceAfter(line, open);
      const [, marks = "", rest = ""] = /^ {0,3}(#{1,6})((?:[ \t].*)?)$/.exec(line) ?? [];
      if (marks === "") return line;
      // In a code block a heading is not one; only what reads as a section of ours is moved out of the first column.
      if (fenced) return marks.length < 3 && sectionTitles.has(rest.trim()) ? `${INDENT}${line}` : line;
      return `${"#".repeat(Math.min(6, Math.max(3, marks.length + 1)))}${rest}`;
    });
  if (open !== undefined) lines.push(open);
  return lines.join("\n");
}

function eachLine(text: string, prefix: string): string {
  return text
    .split("\n")
    .map((line) => (line.trim() === "" ? prefix.trimEnd() : `${prefix}${line}`))
    .join("\n");
}

const known = new WeakMap<Message, { secrets: readonly Secret[]; chars: number }>();

/** Of a message's words and tools, which nobody reads beside it either; of each text the first `chars` are looked through. */
export function secretsOf(message: Message, chars: number): readonly Secret[] {
  const before = known.get(message);
  if (before !== undefined && before.chars >= chars) return before.secrets;
  const texts = [
    message.text,
    ...toolsOf(message).flatMap(({ input, result }) => [printed(input), printed(result)]),
  ];
  const secrets = texts.flatMap((text) => redacted(cleaned(text.slice(0, chars))).secrets);
  known.set(message, { secrets, chars });
  return secrets;
}

/** `maxChars` limits what people and the agent say; `beside` are the secrets of the messages around it. */
export function partsOf(
  filed: FiledMessage,
  zone: Zone,
  maxChars: number,
  beside: readonly Secret[],
): Part[] {
  return wholePartsOf(filed, zone, maxChars).map((part) => ({
    ...part,
    fields: part.fields.map(({ label, text, maxChars: most }) => {
      const clean = withoutValues(text, beside);
      return { label, text: clean, maxChars: most < text.length ? Math.min(most, clean.length - 1) : most };
    }),
  }));
}

function wholePartsOf({ message, filedAt }: FiledMessage, zone: Zone, maxChars: number): Part[] {
  const stamp = minuteOf(filedAt, zone);
  const [first, ...more] = toolsOf(message);
  if (message.role !== "tool") {
    const spoken = first !== undefined && isSilent(message) ? [] : [speech(message, stamp, maxChars)];
    return [...spoken, ...toolsOf(message).map((tool) => record(tool, stamp, ""))];
  }
  if (first === undefined) return [output(message.text, stamp)];
  // What a message says beside several results is what they say.
  const text = more.length === 0 ? message.text : "";
  return [record(first, stamp, text), ...more.map((tool) => record(tool, stamp, ""))];
}

function speech(message: Message, stamp: string, maxChars: number): Part {
  const head = `${stamp} ${nameOf(message)}`;
  const marks = (message.attachments ?? []).map(
    ({ kind, path }) => `[${shortLine(kind)}${path === undefined ? "" : ` ${path}`}]`,
  );
  const text = [message.text, ...marks].filter((part) => part.trim() !== "").join("\n");
  const fields = [field("", text, maxChars)];
  if (message.scene === "document") return { head: `${head}, text of a document`, voice: "quoted", fields };
  return { head, voice: "spoken", fields };
}

/** Neither in words nor by what is attached. */
export function isSilent({ text, attachments = [] }: Message): boolean {
  return attachments.length === 0 && !/\S/.test(text);
}

/** A part of a message, ready to be cut: whose it is, how it is told, and its texts with what each may have. */
export interface Part {
  /** Date, time and whose it is. */
  head: string;
  voice: "spoken" | "quoted";
  fields: Field[];
  /** Of a record: the call it is of, and what was called. */
  call?: { id: string; name: string };
}

export interface Field {
  label: string;
  text: string;
  maxChars: number;
}

/** The line above or before what a part says, without its colon. */
export function headOf({ head, call }: Part): string {
  return call === undefined ? head : `${head}, ${call.name === "" ? "tool" : call.name}`;
}

/** A huge text is not gone through for its first lines: more is taken than can be shown, and as much where a little less can. */
function field(label: string, text: string, maxChars: number): Field {
  const looked = text.slice(0, 2 ** Math.ceil(Math.log2(2 * maxChars + 64)));
  const clean = plain(looked);
  // Whatever cleaning took away, what was not looked at must show as cut.
  return {
    label,
    text: clean,
    maxChars: looked.length < text.length ? Math.min(maxChars, clean.length - 1) : maxChars,
  };
}

/** What a tool was asked and gave, as a quoted record: never the agent's own voice, since models imitate what they see. */
function output(text: string, stamp: string): Part {
  const fields = [field("", text, TOOL_CHARS.result)];
  return { head: `${stamp} record of a tool's output`, voice: "quoted", fields };
}

/** `text` is what a tool message says beside its fields: its result where it has no other. */
function record(tool: ToolUse, stamp: string, text: string): Part {
  const name = shortLine(tool.name);
  const fields = [
    field("input", printed(tool.input), TOOL_CHARS.input),
    field("result", tool.result === undefined ? text : printed(tool.result), TOOL_CHARS.result),
  ];
  const result = fields[1]?.text;
  const note = field("note", text, TOOL_CHARS.input);
  if (note.text !== result?.slice(0, note.text.length)) fields.push(note);
  return {
    head: `${stamp} record of a tool call`,
    voice: "quoted",
    fields: fields.filter((each) => each.text !== ""),
    call: { id: tool.callId, name },
  };
}

/** A call and its result as one record, at the time of the result. */
export function joined(begun: Part, ended: Part): Part {
  const known = new Set(begun.fields.map((field) => field.label));
  const fields = [...begun.fields, ...ended.fields.filter((field) => !known.has(field.label))];
  // Of most APIs the name stands with the call alone.
  const [{ id, name } = { id: "", name: "" }, { name: called } = { name: "" }] = [ended.call, begun.call];
  return { ...ended, fields, call: { id, name: name === "" ? called : name } };
}

function printed(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
