/** Which files of a folder may tell something, by their names and by where they lie. Pure. */

const TELLING = /\.(?:jsonl|ndjson|json|zip|sqlite|db|af|md|markdown)(?:\.zst)?$/i;
/** Runs of an agent's helpers, outputs of tools, copies of what a database holds. */
const PASSED_FOLDERS: ReadonlySet<string> = new Set([
  "node_modules",
  "subagents",
  "tool-results",
  "session-sqlite-import-archive",
]);
/** What others wrote about the talk, or say of it a second time. */
const PASSED_FILES: ReadonlySet<string> = new Set([
  "session_index.jsonl",
  "shared_conversations.json",
  "message_feedback.json",
  "user.json",
  "users.json",
]);
/** Thrown away by its owner, and not yet gone. */
const DELETED = /\.deleted\./;

/** Whether a folder below the one that was named is looked into. */
export function mayHoldTalk(folder: string): boolean {
  return !folder.startsWith(".") && !PASSED_FOLDERS.has(folder);
}

/** Whether a file below the folder that was named is read. */
export function mayTell(name: string): boolean {
  return !name.startsWith(".") && TELLING.test(name) && !DELETED.test(name) && !PASSED_FILES.has(name);
}

/** The same of a path in a zip. */
export function mayTellInside(path: string): boolean {
  const parts = path.split("/");
  return parts.slice(0, -1).every(mayHoldTalk) && mayTell(parts.at(-1) ?? "");
}

export function isNote(name: string): boolean {
  return /\.(?:md|markdown)$/i.test(name);
}

export function isStore(name: string): boolean {
  return /\.(?:sqlite|db)$/i.test(name);
}

/** Names that a folder's files go by, where one of them says so. */
export const INDEX_OF_KEYS = "sessions.json";
/** Which of Codex's sessions were another agent's before. */
export const TAKEN_OVER = "external_agent_session_imports.json";
