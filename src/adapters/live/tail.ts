/**
 * The end of a transcript that grows: whole lines behind the place up to which it was read, and where
 * the next reading begins. Pure.
 *
 * A reading begins with a turn, so that an answer in several lines is seen whole however often it is
 * looked at; what it tells again has the ids that it had.
 */
import { ifReadable } from "../../protocol/publish.js";
import { fieldsOf } from "../fields.js";
import type { Kind } from "../kinds.js";
import { Skipped } from "../told.js";
import { readClaudeCode } from "../claude-code/transcript.js";

export interface Tail {
  /** As a reader of the whole file would see it: its first line, blank ones for those that are passed, and the rest. */
  pieces: string[];
  /** Bytes and lines up to its last turn. */
  next: { offset: number; lines: number };
}

const NEWLINE = 0x0a;

/** `bytes`: from `from.offset` on; `first`: the first line of the file. Undefined where no line is whole. */
export function tailOf(
  kind: Kind,
  bytes: Uint8Array,
  from: { offset: number; lines: number },
  first: string,
): Tail | undefined {
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  if (end === 0) return undefined;
  const text = new TextDecoder().decode(bytes.subarray(0, end));
  const lines = text.split("\n").slice(0, -1);
  const turn = lines.findLastIndex((line) => beginsTurn(kind, line));
  const passed = Math.max(0, turn);
  const skippedBytes = Buffer.byteLength(
    lines
      .slice(0, passed)
      .map((line) => `${line}\n`)
      .join(""),
  );
  const head = from.offset === 0 ? [] : [`${first}\n`, "\n".repeat(Math.max(0, from.lines - 1))];
  return {
    pieces: [...head, text],
    next: { offset: from.offset + skippedBytes, lines: from.lines + passed },
  };
}

/** Those of other kinds are read from their beginning. */
export function isReadFromTurns(kind: Kind): boolean {
  return kind === "claude-code" || kind === "codex";
}

function beginsTurn(kind: Kind, line: string): boolean {
  if (kind === "codex") return line.includes('"turn_context"') && typeOf(line) === "turn_context";
  if (kind !== "claude-code" || !line.includes('"user"') || line.includes('"tool_result"')) return false;
  const fields = fieldsOf(ifReadable(() => JSON.parse(line) as unknown));
  const [conversation] = readClaudeCode([{ number: 1, fields }], { name: "" }, new Skipped());
  return conversation?.messages.some(({ role }) => role === "user") ?? false;
}

function typeOf(line: string): unknown {
  return fieldsOf(ifReadable(() => JSON.parse(line) as unknown))["type"];
}
