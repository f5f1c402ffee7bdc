/**
 * A workspace in which a pass has everything to do, and what must come of it.
 *
 * Every text in it is there once, so a text says which message it is of.
 */
import fs from "node:fs";
import path from "node:path";
import { type Day, zoneOf } from "../../../src/model/time.js";
import type { MessageId } from "../../../src/model/message.js";
import type { ScopeId } from "../../../src/model/address.js";
import { newPreamble, printBlock, printVerbatim } from "../../../src/protocol/verbatim.js";
import { instant } from "../../support/archive-desk.js";

export const NOW = "2026-02-20T12:00:00.000Z";
/** The month of this summary fails until the model is told to do better. */
export const DIFFICULT_MONTH = "2025-06";

/** Small limits, so that the few messages here pass them; one summary at a time, so that a run can be told again. */
export const SETTINGS = {
  timezone: "UTC",
  archive: { trigger_messages: 1 },
  history: {
    soft_limit_messages: 6,
    hard_limit_messages: 10,
    hard_limit_mb: 1,
    keep_newest_messages: 3,
    keep_today_messages: 4,
  },
  worker: { max_processes: 1 },
  // Rounds have a story of their own in the model of crashes.
  historian: { extract: false },
};

export function said(id: string | undefined, createdAt: string, text: string, more: object = {}): object {
  return { ...(id === undefined ? {} : { id }), role: "user", text, createdAt, ...more };
}

const HISTORY = [
  said("june", "2025-06-05T10:00:00Z", "june: the well was dug"),
  said("january", "2026-01-10T10:00:00Z", "january: snow on the lock gate"),
  said(undefined, "2026-02-19T10:00:00Z", "好的"),
  said(undefined, "2026-02-19T10:00:00Z", "好的"),
  said("call", "2026-02-19T10:01:00Z", "calling the tide table", {
    role: "tool",
    tool: { name: "tides", callId: "c1", input: { port: "dover" } },
  }),
  said("result", "2026-02-19T10:01:01Z", "the tide table answered", {
    role: "tool",
    tool: { name: "tides", callId: "c1", result: "high at six" },
  }),
  said("secret", "2026-02-19T10:02:00Z", "private: the key is under the mat", { private: true }),
  said("today", "2026-02-20T11:00:00Z", "today: the heron is back"),
  said("group", "2026-02-20T09:00:00Z", "group: who brings the rope", { scope: "group:crew", user: "ann" }),
];
const INBOX = [said("waiting", "2026-02-20T11:30:00Z", "waiting: when does the ferry leave")];
const DROP = { role: "user", text: "dropped: remember the rope", createdAt: "2026-02-20T11:40:00Z" };
const VANISHED = said("vanished", "2026-02-19T08:00:00Z", "vanished: the host forgot this one");
const MOVING = said("moving", "2026-02-14T08:00:00Z", "moving: the old day of the mill");

/** How many blocks each text must have in the end. */
export const BLOCKS: ReadonlyMap<string, number> = new Map([
  ...[...HISTORY, ...INBOX, DROP, VANISHED, MOVING].map((entry): [string, number] => [textOf(entry), 1]),
  ["好的", 2],
]);

export function writeWorkspace(root: string): void {
  const write = (file: string, content: unknown): void => {
    const at = path.join(root, file);
    fs.mkdirSync(path.dirname(at), { recursive: true });
    fs.writeFileSync(at, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  };
  write("history.json", HISTORY);
  write("inbox.json", { messages: INBOX });
  write("inbox.d/dropped.json", DROP);
  write("inbox.d/broken.json", '{"role":"user","te');
  write("memory.md", "# Memory\n\n- The ferry leaves from the mill.\n");
  write("SOUL.md", "You are calm.\n");
  const seen = { op: "message", from: "history", seenAt: NOW, filedAt: "2026-02-19T08:00:00.000Z" };
  write(
    "journal/2026-02-20.jsonl",
    `${JSON.stringify({ ...seen, message: VANISHED })}\n{"op":"message","from":"history","seenAt":"2026-`,
  );
  write("memory/2026-02-14-mill.md", verbatimDay("2026-02-14", MOVING));
}

function verbatimDay(day: string, entry: object): string {
  const { id, role, text, createdAt } = entry as Record<string, string>;
  const filed = {
    message: { id: id as MessageId, role: role as "user", text: text ?? "", createdAt: createdAt ?? "" },
    filedAt: instant(createdAt ?? ""),
    belongsTo: "local",
  };
  const block = { filed, raw: printBlock(filed, zoneOf("UTC")) };
  return printVerbatim({
    day: day as Day,
    scope: "main" as ScopeId,
    preamble: newPreamble(day as Day),
    blocks: [block],
  });
}

function textOf(entry: object): string {
  return (entry as { text: string }).text;
}
