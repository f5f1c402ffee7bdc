/**
 * What a message says: words under a name, or a quoted text of a document, and
 * beside them the records of the tools that it calls.
 */
import { toolsOf, type FiledMessage, type Message } from "../model/message.js";
import { minuteOf, type Zone } from "../model/time.js";
import { field, type Part } from "./part.js";
import { nameOf, shortLine } from "./quote.js";
import { output, record } from "./tool-record.js";

/** `maxChars` limits what people and the agent say. */
export function partsOf({ message, filedAt }: FiledMessage, zone: Zone, maxChars: number): Part[] {
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
