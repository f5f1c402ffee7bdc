/**
 * The text of a file, whatever agent wrote it, as what it tells.
 *
 * Pure over the pieces of the text, which are asked for twice: first for what the file
 * is. A conversation that cannot be read costs no other.
 */
import { readChatGpt } from "./chatgpt/export.js";
import { readClaudeAi, readMemories, readProject } from "./claude-ai/export.js";
import { isResultOfClaudeCode, readClaudeCode } from "./claude-code/transcript.js";
import { isResultOfCodex, readCodex } from "./codex/rollout.js";
import { readCursor } from "./cursor/transcript.js";
import { type Fields, fieldsOf, listOf, objectsIn } from "./fields.js";
import { readGemini } from "./gemini/chat.js";
import { type Kind, kindOfLines, kindOfValue, TELLING_LINES } from "./kinds.js";
import { readLetta } from "./letta/agent-file.js";
import { jsonLines, type Line } from "./lines.js";
import { readMem0 } from "./mem0/memories.js";
import { normalMessage } from "./messages/normal.js";
import { readOpencode } from "./opencode/export.js";
import { readPi } from "./pi/session.js";
import { Skipped, type Source, type Told } from "./told.js";

export interface Reading extends Told {
  kind: Kind;
  /** Of lists of messages: as memd takes them in. */
  messages: Fields[];
  skipped: Skipped;
}

/** Undefined for what is of no kind that is known. Throws SyntaxError for JSON that is broken. */
export function readTold(pieces: () => Iterable<string>, source: Source, asked?: Kind): Reading | undefined {
  const skipped = new Skipped();
  const first = [...upTo(TELLING_LINES, jsonLines(pieces(), new Skipped()))].map(({ fields }) => fields);
  const value = first.length > 1 ? undefined : wholeOf(pieces());
  const kind = asked ?? (value === undefined ? undefined : kindOfValue(value)) ?? kindOfLines(first);
  if (kind === undefined) return undefined;
  const isValue = value !== undefined && kindOfValue(value) !== undefined;
  return isValue
    ? { kind, skipped, ...ofValue(kind, value, source, skipped) }
    : {
        kind,
        skipped,
        ...ofLines(kind, jsonLines(pieces(), skipped, passedIn(kind, source)), source, skipped),
      };
}

/** Of most kinds no line can be told from others without reading it. */
const RESULTS: Partial<Record<Kind, (line: string) => boolean>> = {
  "claude-code": isResultOfClaudeCode,
  codex: isResultOfCodex,
};

function passedIn(kind: Kind, { withoutResults = false }: Source): ((line: string) => boolean) | undefined {
  return withoutResults ? RESULTS[kind] : undefined;
}

type Given = Pick<Reading, "conversations" | "notes" | "messages">;
const NOTHING: Given = { conversations: [], notes: [], messages: [] };

function ofLines(kind: Kind, lines: Iterable<Line>, source: Source, skipped: Skipped): Given {
  switch (kind) {
    case "claude-code":
      return { ...NOTHING, conversations: readClaudeCode(lines, source, skipped) };
    case "codex":
      return { ...NOTHING, conversations: readCodex(lines, skipped) };
    case "cursor":
      return { ...NOTHING, conversations: readCursor(lines, source, skipped) };
    case "pi":
    case "openclaw":
      return { ...NOTHING, conversations: readPi(fieldsOfLines(lines), source.name, skipped) };
    case "gemini":
      return { ...NOTHING, conversations: readGemini(fieldsOfLines(lines), skipped) };
    case "mem0":
      return { ...NOTHING, notes: readMem0([...fieldsOfLines(lines)]) };
    default:
      return { ...NOTHING, messages: [...lines].flatMap((line) => listedOn(line, source, skipped)) };
  }
}

/** A message, or a conversation of its own. */
function listedOn({ number, fields }: Line, { name }: Source, skipped: Skipped): Fields[] {
  const listed = Array.isArray(fields["messages"]) ? objectsIn(fields["messages"]) : undefined;
  const session = listed === undefined ? stemOf(name) : `${stemOf(name)}#${number}`;
  return normalOnes(listed ?? [fields], session, skipped);
}

function stemOf(name: string): string {
  return name.replace(/\.[^.]+$/, "");
}

function ofValue(kind: Kind, value: unknown, source: Source, skipped: Skipped): Given {
  const objects = Array.isArray(value) ? objectsIn(listOf(value)) : [fieldsOf(value)];
  switch (kind) {
    case "chatgpt":
      return { ...NOTHING, conversations: eachRead(objects, skipped, (one) => readChatGpt(one, skipped)) };
    case "claude-ai":
      return {
        ...NOTHING,
        conversations: eachRead(objects, skipped, readClaudeAi),
        notes: objects.flatMap((one) => [...readProject(one), ...readMemories(one)]),
      };
    case "opencode":
      return { ...NOTHING, conversations: eachRead(objects, skipped, (one) => readOpencode(one, skipped)) };
    case "gemini":
      return { ...NOTHING, conversations: readGemini(objects, skipped) };
    case "letta":
      return { ...NOTHING, ...readLetta(fieldsOf(value)) };
    case "mem0":
      return {
        ...NOTHING,
        notes: readMem0(
          objects.flatMap((one): Fields[] =>
            one["results"] === undefined ? [one] : objectsIn(one["results"]),
          ),
        ),
      };
    default:
      return {
        ...NOTHING,
        messages: normalOnes(
          objects.flatMap((one): Fields[] =>
            Array.isArray(one["messages"]) ? objectsIn(one["messages"]) : [one],
          ),
          stemOf(source.name),
          skipped,
        ),
      };
  }
}

function eachRead<T>(objects: readonly Fields[], skipped: Skipped, read: (one: Fields) => T[]): T[] {
  return objects.flatMap((one) => {
    const told = read(one);
    if (told.length === 0) skipped.note("conversations without words");
    return told;
  });
}

/** Where nothing says when or where it was said, the file it stands in is the conversation. */
function normalOnes(objects: Iterable<Fields>, session: string, skipped: Skipped): Fields[] {
  const messages: Fields[] = [];
  for (const one of objects) {
    const message = normalMessage(one);
    if (message === undefined) skipped.note("lines that are no message");
    else if (OF_PLACE.some((name) => message[name] !== undefined)) messages.push(message);
    else messages.push({ ...message, session });
  }
  return messages;
}

const OF_PLACE = ["createdAt", "conversation", "scope", "session"] as const;

function* fieldsOfLines(lines: Iterable<Line>): Generator<Fields> {
  for (const { fields } of lines) yield fields;
}

function* upTo<T>(most: number, items: Iterable<T>): Generator<T> {
  let left = most;
  for (const item of items) {
    yield item;
    if (--left <= 0) return;
  }
}

function wholeOf(pieces: Iterable<string>): unknown {
  const text = [...pieces].join("").replace(/^\uFEFF/, "");
  if (!/^\s*[[{]/.test(text)) return undefined;
  return JSON.parse(text);
}
