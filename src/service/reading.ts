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
  "listDays",
  "readSource",
  "listQueue",
  "showJob",
  "settings",
  "logs",
  "usage",
  "listTokens",
  "embedding",
] satisfies OperationName[];

/** Those whose answers hold what agents left behind. */
const FINDING: readonly string[] = [
  "prompt",
  "briefing",
  "searchEvents",
  "searchMemories",
  "listMemories",
  "listProfiles",
  "getProfile",
  "searchProfiles",
] satisfies OperationName[];

export function onlyFinds(operation: string): boolean {
  return FINDING.includes(operation);
}

export function onlyReads(operation: string): boolean {
  return READING.includes(operation);
}
