/**
 * What a file is, by what stands in it: names of files are chosen by people.
 *
 * Pure.
 */
import { type Fields, fieldsOf, isFields, listOf, objectsIn } from "./fields.js";

export const KINDS = [
  "messages",
  "claude-code",
  "codex",
  "openclaw",
  "pi",
  "gemini",
  "opencode",
  "cursor",
  "chatgpt",
  "claude-ai",
  "mem0",
  "letta",
  "notes",
] as const;
export type Kind = (typeof KINDS)[number];

/** So many of the first lines say what the others are. */
export const TELLING_LINES = 50;

type Sign = readonly [kind: Kind, isIt: (fields: Fields) => boolean];

const CLAUDE_TYPES: ReadonlySet<unknown> = new Set([
  "user",
  "assistant",
  "system",
  "summary",
  "attachment",
  "progress",
  "queue-operation",
  "file-history-snapshot",
  "ai-title",
  "custom-title",
  "last-prompt",
  "mode",
  "permission-mode",
]);

const OF_LINE: readonly Sign[] = [
  ["codex", ({ type, payload }) => isFields(payload) && typeof type === "string"],
  ["pi", ({ type, cwd, id }) => type === "session" && (cwd !== undefined || id !== undefined)],
  [
    "gemini",
    ({ sessionId, startTime, type }) => isText(sessionId) && isText(startTime) && type === undefined,
  ],
  [
    "claude-code",
    ({ type, sessionId, leafUuid, uuid }) =>
      CLAUDE_TYPES.has(type) && [sessionId, leafUuid, uuid].some(isText),
  ],
  ["cursor", ({ role, message, text, content }) => isText(role) && isFields(message) && !text && !content],
  ["pi", ({ type, parentId, message }) => type === "message" && parentId !== undefined && isFields(message)],
  ["messages", (fields) => isMessage(fields)],
  ["messages", ({ messages }) => objectsIn(messages).some(isMessage)],
];

const OF_OBJECT: readonly Sign[] = [
  ["chatgpt", ({ mapping }) => isFields(mapping)],
  ["claude-ai", ({ chat_messages: messages }) => Array.isArray(messages)],
  ["claude-ai", ({ docs, prompt_template: template }) => Array.isArray(docs) && template !== undefined],
  [
    "claude-ai",
    (fields) => fields["conversations_memory"] !== undefined || fields["project_memories"] !== undefined,
  ],
  ["letta", ({ agents, blocks }) => Array.isArray(agents) && Array.isArray(blocks)],
  [
    "opencode",
    ({ info, messages }) => isFields(info) && objectsIn(messages).some(({ parts }) => Array.isArray(parts)),
  ],
  ["gemini", ({ sessionId, messages }) => isText(sessionId) && Array.isArray(messages)],
  ["mem0", ({ memory, id }) => isText(memory) && id !== undefined],
  ["mem0", ({ results }) => objectsIn(results).some(({ memory }) => isText(memory))],
  ["messages", (fields) => isMessage(fields)],
  ["messages", ({ messages }) => objectsIn(messages).some(isMessage)],
];

/** Of the first lines of a file of JSON lines. */
export function kindOfLines(first: readonly Fields[]): Kind | undefined {
  return kindOf(first.slice(0, TELLING_LINES), OF_LINE);
}

/** Of a file that is one JSON value. */
export function kindOfValue(value: unknown): Kind | undefined {
  const objects = Array.isArray(value) ? objectsIn(listOf(value).slice(0, TELLING_LINES)) : [fieldsOf(value)];
  return kindOf(objects, OF_OBJECT);
}

function kindOf(objects: readonly Fields[], signs: readonly Sign[]): Kind | undefined {
  return signs.find(([, isIt]) => objects.some(isIt))?.[0];
}

function isMessage({ role, type, lc, text, content, parts, data, tool_calls: calls }: Fields): boolean {
  if (lc !== undefined) return true;
  const says = [text, content, calls].some((part) => part !== undefined) || Array.isArray(parts);
  if (isText(role)) return says;
  return (type === "human" || type === "ai") && (isFields(data) || content !== undefined);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
