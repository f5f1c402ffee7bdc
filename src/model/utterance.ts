/** A message as a model sees it. Pure; private ones never get here. */
import { toolsOf, type FiledMessage, type Role } from "./message.js";
import { isoOf, type Day, type Zone } from "./time.js";

export interface Utterance {
  /** ISO 8601 instant. */
  at: string;
  /** Local `YYYY-MM-DD`. */
  day: Day;
  /** Local `HH:MM`. */
  clock: string;
  role: Role;
  /** Name to show: the speaker, else the user, else the role. */
  name: string;
  text: string;
}

/** Long inputs and results tell a summary nothing more. */
const MOST_TOOL_CHARS = 500;

export function utteranceOf({ message, filedAt }: FiledMessage, zone: Zone): Utterance {
  const { role } = message;
  const name = message.speaker ?? message.user ?? role;
  const uses = toolsOf(message).map(
    (tool) => `[${tool.name}: ${briefly(tool.input)} → ${briefly(tool.result)}]`,
  );
  const text = uses.length === 0 ? message.text : [message.text, ...uses].join("\n");
  return {
    at: isoOf(filedAt),
    day: zone.dayOf(filedAt),
    clock: zone.clockOf(filedAt).slice(0, 5),
    role,
    name,
    text,
  };
}

function briefly(value: unknown): string {
  if (value === undefined) return "–";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= MOST_TOOL_CHARS ? text : `${text.slice(0, MOST_TOOL_CHARS)}…`.toWellFormed();
}
