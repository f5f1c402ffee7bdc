/** Where everything stands in a workspace. Names only; nothing here touches the disk. */
import { contentHash } from "../platform/files.js";
import { join } from "../platform/files.js";
import { isGroup, LOCAL_USER, MAIN_SCOPE, type ScopeId } from "../model/address.js";
import type { TopicsOf } from "../model/topic.js";
import { monthOf, type Day, type Month } from "../model/time.js";

/** The folder of a workspace beside another program's memory: what is asked of the folder around it is asked of it. */
export const APART = "memd";

/** Of the formats in workspace.json. */
export const FORMAT_VERSION = 1;

export interface Workspace {
  /** Absolute, links resolved. */
  readonly root: string;
}

export const FILES = {
  inbox: "inbox.json",
  drops: "inbox.d",
  history: "history.json",
  journal: "journal",
  memory: "memory.md",
  soul: "SOUL.md",
  awareness: "AWARENESS.md",
  records: "memory",
  forgotten: "memory/forgotten.jsonl",
  pending: "queue/pending",
  processing: "queue/processing",
  failed: "queue/failed",
  summaries: "queue/summaries",
  cursors: "queue/cursors.json",
  reading: "queue/reading.json",
  told: "queue/told",
  followed: "queue/followed.json",
  exports: "queue/exports.json",
  prompt: "teller/prompt.md",
  promptData: "teller/prompt.json",
  conflicts: "conflicts",
  logs: "logs",
  log: "logs/memd.jsonl",
  usage: "logs/usage.jsonl",
  workspace: "workspace.json",
  ignored: ".gitignore",
  settings: "memd.toml",
  derived: ".memd",
  displaced: ".memd/displaced",
  index: ".memd/index",
  state: ".memd/state.json",
  checkpoint: ".memd/checkpoint.jsonl",
  git: ".memd/git.json",
  gitAccepted: ".memd/git-accepted",
  lock: ".memd/lock",
  owner: ".memd/owner",
  hookStart: ".memd/hook-start",
  token: ".memd/token",
  opened: ".memd/open.html",
  tokens: ".memd/tokens.jsonl",
  connections: ".memd/connections.json",
  embedding: ".memd/embedding.json",
} as const;

/** At the top of a workspace: where memd works. */
export const OWN_FOLDERS: ReadonlySet<string> = new Set([
  FILES.records,
  "queue",
  FILES.journal,
  FILES.logs,
  "teller",
  FILES.conflicts,
  FILES.drops,
  FILES.derived,
  "prompts",
]);
/** Of the memory, and of each scope's; what else stands there is a person's. */
const MEMORY_FOLDERS: ReadonlySet<string> = new Set([
  "archive",
  "documents",
  "profiles",
  "records",
  "scopes",
  "summary",
  "topics",
  "window",
]);

const IN_SCOPE = new RegExp(`^${FILES.records}/scopes/[^/]+/`);

/** Whether memd keeps its own things in this folder; relative. */
export function isOwnFolder(dir: string): boolean {
  const inMain = dir.replace(IN_SCOPE, `${FILES.records}/`);
  const [top = "", below] = inMain.split("/");
  if (top !== FILES.records || below === undefined) return OWN_FOLDERS.has(top);
  return MEMORY_FOLDERS.has(below);
}

/** Relative: a folder in which seldom anything changes, such as a month that is over. */
export function isStillFolder(dir: string): boolean {
  return /(?:^|\/)(?:archive\/[^/]+|summary)$/.test(dir);
}

export function at(workspace: Workspace, relative: string): string {
  return join(workspace.root, relative);
}

const USER_RECORDS = "memory/records/users";

/** The folder of a scope's memory, relative. */
export function memoryDir(scope: ScopeId): string {
  return scope === MAIN_SCOPE ? "memory" : `memory/scopes/${scopeName(scope)}`;
}

function recentDir(scope: ScopeId): string {
  return memoryDir(scope);
}

function archiveDir(scope: ScopeId, month: Month): string {
  return `${memoryDir(scope)}/archive/${month}`;
}

export function summaryPath(scope: ScopeId, date: Day | Month): string {
  return `${memoryDir(scope)}/summary/${date}.md`;
}

export function verbatimDir(scope: ScopeId, day: Day, archived: boolean): string {
  return archived ? archiveDir(scope, monthOf(day)) : recentDir(scope);
}

/** The rolling summary of a conversation. Outside groups several users may call theirs by one name. */
export function windowPath(scope: ScopeId, session: string, user: string): string {
  const whose = isGroup(scope) || user === LOCAL_USER ? "" : `${folderName(user)}/`;
  return `${memoryDir(scope)}/window/${whose}${fileName(session)}.md`;
}

/** What was split of the conversations of a user in a place. */
export function topicsDir({ scope, user = LOCAL_USER }: TopicsOf): string {
  const whose = isGroup(scope) || user === LOCAL_USER ? "" : `/users/${folderName(user)}`;
  return `${memoryDir(scope)}/topics${whose}`;
}

export function profilePath(entity: "user" | "group", id: string): string {
  return `memory/profiles/${entity}s/${fileName(id)}.md`;
}

export function profileHistoryDir(entity: "user" | "group", id: string): string {
  return `memory/profiles/history/${entity}s/${folderName(id)}`;
}

export function recordsPath(scope: ScopeId, month: Month): string {
  return `${memoryDir(scope)}/records/${month}.jsonl`;
}

/** Of a `:docs` scope. */
export function documentPath(scope: ScopeId, id: string): string {
  return `${memoryDir(scope)}/documents/${fileName(id)}.md`;
}

export function memosPath(scope: ScopeId): string {
  return `${memoryDir(scope)}/memos.json`;
}

/** All that there may be of a user: another file once one may not be durable. A comma is in no encoded name. */
export function userRecordsPaths(user: string): string[] {
  return ["", ",2", ",3"].map((part) => `${USER_RECORDS}/${fileName(user)}${part}.jsonl`);
}

/** The folder of a conversation's prompt. */
export function tellerDir(scope: ScopeId, session: string): string {
  return `teller/${folderName(scope)}/${fileName(session)}`;
}

/** Any id as a name, as a scope is. */
function fileName(id: string): string {
  return scopeName(id as ScopeId);
}

/** Never that of a file which stands beside it. */
function folderName(id: string): string {
  return fileName(id).replace(/\.(?=(?:md|json)$)/, "%2E");
}

/** Beyond this a folder name may not fit the file system (255 bytes). */
const LONGEST_NAME = 180;

/**
 * A scope as a folder name: percent-encoded, colons and leading dots too; never
 * `.` or `..`. A very long one ends in its hash. Which scope a folder is of is
 * read off its files and checked against this.
 */
export function scopeName(scope: ScopeId): string {
  const encoded = encodeURIComponent(scope.toWellFormed())
    .replace(/[!'()*~]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/^\./, "%2E");
  return encoded.length <= LONGEST_NAME
    ? encoded
    : `${encoded.slice(0, LONGEST_NAME - 17)}~${contentHash(scope)}`;
}
