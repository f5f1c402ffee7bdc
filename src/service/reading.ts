/**
 * Operations that only read: a copy of a workspace that cannot be written is asked
 * these. Names alone, so that whoever asks need not load the table.
 */
import type { OperationName } from "./operations.js";

const READING: readonly string[] = [
  "status",
  "prompt",
  "briefing",
  "history",
  "listScopes",
  "listSessions",
  "searchEvents",
  "searchMemories",
  "listMemories",
  "listProfiles",
  "getProfile",
  "listRevisions",
  "diffProfile",
  "searchProfiles",
  "listTopics",
  "showTopic",
  "listPinned",
  "listDocuments",
  "listSources",
  "readSource",
  "listQueue",
  "showJob",
  "settings",
  "logs",
  "usage",
  "listTokens",
  "embedding",
] satisfies OperationName[];

export function onlyReads(operation: string): boolean {
  return READING.includes(operation);
}
