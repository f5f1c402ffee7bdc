/** What a tool was asked and gave, as a quoted record: never the agent's own voice, since models imitate what they see. */
import { TOOL_CHARS, type ToolUse } from "../model/message.js";
import { field, type Part } from "./part.js";
import { shortLine } from "./quote.js";

export function output(text: string, stamp: string): Part {
  const fields = [field("", text, TOOL_CHARS.result)];
  return { head: `${stamp} record of a tool's output`, voice: "quoted", fields };
}

/** `text` is what a tool message says beside its fields: its result where it has no other. */
export function record(tool: ToolUse, stamp: string, text: string): Part {
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
