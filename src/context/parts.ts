/**
 * What a message says, ready to be cut: spoken words under a name, or a quoted
 * record of what a tool or a document said, which is nobody's voice (models
 * imitate what they see).
 */
import { toolsOf, type FiledMessage, type Message, type ToolUse } from "../model/message.js";
import type { Zone } from "../model/time.js";
import { nameOf, plain, shortLine } from "./quote.js";

/** Seed 004. */
const TOOL_INPUT_CHARS = 500;
const TOOL_RESULT_CHARS = 1000;

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

/** `maxChars` limits what people and the agent say. */
export function partsOf({ message, filedAt }: FiledMessage, zone: Zone, maxChars: number): Part[] {
  const stamp = stampOf(filedAt, zone);
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

/** A call and its result as one record, at the time of the result. */
export function joined(begun: Part, ended: Part): Part {
  const known = new Set(begun.fields.map((field) => field.label));
  const fields = [...begun.fields, ...ended.fields.filter((field) => !known.has(field.label))];
  // Of most APIs the name stands with the call alone.
  const [{ id, name } = { id: "", name: "" }, { name: called } = { name: "" }] = [ended.call, begun.call];
  return { ...ended, fields, call: { id, name: name === "" ? called : name } };
}

/** The line above or before what a part says, without its colon. */
export function headOf({ head, call }: Part): string {
  return call === undefined ? head : `${head}, ${call.name === "" ? "tool" : call.name}`;
}

/** `2026-01-28 14:03`. */
export function stampOf(at: FiledMessage["filedAt"], zone: Zone): string {
  return `${zone.dayOf(at)} ${zone.clockOf(at).slice(0, 5)}`;
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

function output(text: string, stamp: string): Part {
  const fields = [field("", text, TOOL_RESULT_CHARS)];
  return { head: `${stamp} record of a tool's output`, voice: "quoted", fields };
}

/** `text` is what a tool message says beside its fields: its result where it has no other. */
function record(tool: ToolUse, stamp: string, text: string): Part {
  const name = shortLine(tool.name);
  const fields = [
    field("input", printed(tool.input), TOOL_INPUT_CHARS),
    field("result", tool.result === undefined ? text : printed(tool.result), TOOL_RESULT_CHARS),
  ];
  const result = fields[1]?.text;
  const note = field("note", text, TOOL_INPUT_CHARS);
  if (note.text !== result?.slice(0, note.text.length)) fields.push(note);
  return {
    head: `${stamp} record of a tool call`,
    voice: "quoted",
    fields: fields.filter((each) => each.text !== ""),
    call: { id: tool.callId, name },
  };
}

/** A huge text is not gone through for its first lines: a little more is taken than can be shown. */
function field(label: string, text: string, maxChars: number): Field {
  const looked = text.slice(0, 2 * maxChars + 64);
  const clean = plain(looked);
  // Whatever cleaning took away, what was not looked at must show as cut.
  return {
    label,
    text: clean,
    maxChars: looked.length < text.length ? Math.min(maxChars, clean.length - 1) : maxChars,
  };
}

function printed(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Neither in words nor by what is attached. */
export function isSilent({ text, attachments = [] }: Message): boolean {
  return attachments.length === 0 && !/\S/.test(text);
}
