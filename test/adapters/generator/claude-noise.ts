/** Lines of a Claude Code transcript that no person typed and no agent said. None of them counts. */
import type { Line, Transcript } from "./claude-lines.js";
import { iso, type Yard } from "./yard.js";

type Noise = (lines: Transcript, at: number, word: string) => void;

const user = (lines: Transcript, at: number, content: unknown, own: Line = {}): Line =>
  lines.add("user", at, { message: { role: "user", content }, ...own });

const answer = (lines: Transcript, at: number, text: string, own: Line = {}): Line =>
  lines.add("assistant", at, {
    message: {
      id: `msg_${text.slice(-9)}`,
      role: "assistant",
      model: "m",
      content: [{ type: "text", text }],
    },
    ...own,
  });

const attachment = (lines: Transcript, at: number, own: Line): Line =>
  lines.add("attachment", at, { attachment: own });

/** By name, with the chance that one comes after a turn. */
const NOISES: Readonly<Record<string, readonly [probability: number, noise: Noise]>> = {
  "sidechain in the main file": [
    0.03,
    (lines, at, word) => {
      const trunk = lines.parent;
      lines.parent = null;
      user(lines, at, `Search for it, agent. ${word}`, { isSidechain: true });
      answer(lines, at + 9, `Found by a subagent. ${word}`, { isSidechain: true });
      lines.parent = trunk;
    },
  ],
  isMeta: [
    0.06,
    (lines, at, word) =>
      user(lines, at, `Caveat: the messages below came from local commands. ${word}`, { isMeta: true }),
  ],
  "local commands": [
    0.06,
    (lines, at, word) => {
      user(lines, at, `<command-name>/model</command-name>\n<command-args>${word}</command-args>`);
      user(lines, at + 5, `<local-command-stdout>Set model to ${word}</local-command-stdout>`);
      user(lines, at + 6, [{ type: "text", text: `<local-command-stderr>${word}</local-command-stderr>` }]);
    },
  ],
  "task notifications": [
    0.03,
    (lines, at, word) => {
      user(lines, at, `<task-notification>\n<task-id>${word}</task-id>\n</task-notification>`);
      user(lines, at + 4, `A background task ended: ${word}`, { origin: { kind: "task-notification" } });
    },
  ],
  "interrupted requests": [
    0.05,
    (lines, at) => {
      user(lines, at, [{ type: "text", text: "[Request interrupted by user]" }]);
      user(lines, at + 2, "[Request interrupted by user for tool use]");
    },
  ],
  "compaction: boundary and summary": [
    0.02,
    (lines, at, word) => {
      const logicalParentUuid = lines.parent;
      lines.parent = null;
      const compactMetadata = { trigger: "auto", preTokens: 150_000 };
      const own = { subtype: "compact_boundary", content: "Conversation compacted", logicalParentUuid };
      lines.add("system", at, { ...own, isMeta: false, compactMetadata });
      const content = `This session is being continued from a previous conversation. ${word}`;
      user(lines, at + 1, content, { isCompactSummary: true, isVisibleInTranscriptOnly: true });
    },
  ],
  "visible in the transcript only": [
    0.01,
    (lines, at, word) => user(lines, at, `Shown, not sent: ${word}`, { isVisibleInTranscriptOnly: true }),
  ],
  "API error messages": [
    0.03,
    (lines, at, word) => {
      answer(lines, at, `API Error: 529 overloaded ${word}`, { isApiErrorMessage: true });
      lines.add("system", at + 1, { subtype: "api_error", level: "error", error: { status: 529 } });
    },
  ],
  "reminder alone": [
    0.02,
    (lines, at, word) => user(lines, at, `<system-reminder>\nOnly this: ${word}\n</system-reminder>`),
  ],
  "picture without text": [
    0.01,
    (lines, at) =>
      user(lines, at, [{ type: "image", source: { type: "base64", media_type: "image/png", data: "iVBO" } }]),
  ],
  attachments: [
    0.15,
    (lines, at, word) => {
      attachment(lines, at, { type: "file", filename: "a.md", content: { type: "text", text: word } });
      attachment(lines, at + 1, { type: "hook_additional_context", content: [`remembered ${word}`] });
      attachment(lines, at + 2, { type: "hook_success", hookName: "Stop", content: word, stdout: word });
      attachment(lines, at + 3, { type: "skill_listing", content: `- skill ${word}` });
    },
  ],
  "queued commands that no one typed": [
    0.03,
    (lines, at, word) =>
      attachment(lines, at, {
        type: "queued_command",
        prompt: `Task ${word}`,
        commandMode: "task-notification",
      }),
  ],
  "system lines": [
    0.15,
    (lines, at, word) => {
      lines.add("system", at, { subtype: "turn_duration", durationMs: 1200 });
      lines.add("system", at + 1, { subtype: "local_command", content: `<command-name>/x ${word}` });
      lines.add("system", at + 2, { subtype: "away_summary", content: `While you were away: ${word}` });
      lines.add("system", at + 3, { content: `no subtype ${word}` });
    },
  ],
  "progress lines with a message inside": [
    0.04,
    (lines, at, word) => {
      const message = { role: "user", content: [{ type: "text", text: `inside progress ${word}` }] };
      lines.add("progress", at, { data: { type: "agent_progress", message: { type: "user", message } } });
    },
  ],
  "lines beside the chain": [
    0.12,
    (lines, at, word) => {
      const sessionId = lines.id;
      const timestamp = iso(at);
      lines.aside({ type: "queue-operation", operation: "enqueue", content: word, sessionId, timestamp });
      lines.aside({ type: "queue-operation", operation: "dequeue", sessionId, timestamp });
      lines.aside({ type: "last-prompt", lastPrompt: `last ${word}`, sessionId });
      lines.aside({ type: "ai-title", aiTitle: `A title ${word}`, sessionId });
      lines.aside({ type: "mode", mode: "normal", sessionId });
      lines.aside({ type: "permission-mode", permissionMode: "plan", sessionId });
      lines.aside({ type: "pr-link", prNumber: 7, prUrl: "https://example.org/7", sessionId, timestamp });
    },
  ],
  "file history snapshots": [
    0.1,
    (lines, at, word) => {
      const snapshot = { messageId: lines.parent, trackedFileBackups: { [word]: {} }, timestamp: iso(at) };
      lines.aside({
        type: "file-history-snapshot",
        messageId: lines.parent,
        snapshot,
        isSnapshotUpdate: false,
      });
    },
  ],
  "unknown types": [
    0.03,
    (lines, at, word) => {
      const message = { role: "user", content: `of a type no one knows ${word}` };
      lines.add("thread-note", at, { message });
      lines.aside({ kind: "no type at all", message });
    },
  ],
  "user lines with strange content": [
    0.01,
    (lines, at) => {
      for (const content of [null, 7, {}, [null, 3]]) user(lines, at, content);
      lines.add("user", at, { message: null });
      lines.add("assistant", at, {});
    },
  ],
};

export function addNoise(yard: Yard, lines: Transcript, at: number): void {
  for (const [name, [probability, noise]] of Object.entries(NOISES))
    if (yard.happens(name, probability)) noise(lines, at, yard.prose.word());
}

/** Lines at the head of a file that speak of other sessions. */
export function strangeSummaries(yard: Yard): Line[] {
  return Array.from({ length: yard.random.between(1, 4) }, () => ({
    type: "summary",
    summary: `Of another session: ${yard.prose.word()}`,
    leafUuid: yard.random.uuid(),
  }));
}
