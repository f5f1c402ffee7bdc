/** What `memd import` says: what would come, what came, and what did not and why. */
import pc from "picocolors";
import type { Fields } from "../adapters/fields.js";
import type { Kind } from "../adapters/kinds.js";
import type { Past } from "../adapters/past.js";
import type { Skipped } from "../adapters/told.js";
import { MemdError } from "../model/errors.js";
import { terminal } from "../platform/process.js";
import { printJson, printLine, type CommonOptions } from "./context.js";
import { counted, table } from "./words.js";

/** What is to come, with where it came from. */
export interface Part {
  kind: Kind;
  title: string;
  /** Of messages. */
  scope: string;
  messages: Fields[];
}

/** What was taken in. */
export interface Done {
  messages: number;
  /** Of them those that were not there. */
  fresh: number;
  documents: number;
}

/** The line that moves, on a terminal. */
export function progress(options: CommonOptions, text: string): void {
  if (options.json === true || !terminal.isTTY) return;
  terminal.clearLine();
  terminal.out(pc.dim(`  ${text}`));
}

export function nothingIn(places: readonly string[], { passed, skipped }: Past): MemdError {
  const [first] = passed;
  const why = first === undefined ? leftOut(skipped) : `${first.file}: ${first.why}`;
  return new MemdError(
    "import_invalid",
    `There is nothing to take in from ${places.join(", ")}${why === "" ? "" : ` (${why})`}.`,
  );
}

export function listed(past: Past, parts: readonly Part[], options: CommonOptions): void {
  const rows = parts.map(({ kind, title, scope, messages }) => {
    const times = messages.flatMap(({ createdAt }) => (typeof createdAt === "string" ? [createdAt] : []));
    return { kind, title, scope, messages: messages.length, from: times[0], to: times.at(-1) };
  });
  if (options.json === true)
    return printJson({ conversations: rows, documents: past.notes.map(({ id }) => id), ...leftIn(past) });
  endProgress(options);
  if (rows.length > 0)
    printLine(
      table(
        ["from", "conversation", "scope", "messages", "first", "last"],
        rows.map(({ kind, title, scope, messages, from = "", to = "" }) => [
          kind,
          title.slice(0, 50),
          scope,
          String(messages),
          from.slice(0, 10),
          to.slice(0, 10),
        ]),
      ),
    );
  if (past.notes.length > 0) printLine(`${counted(past.notes.length, "note")} would be documents.`);
  sayLeft(past);
}

function endProgress(options: CommonOptions): void {
  if (options.json !== true && terminal.isTTY) terminal.clearLine();
}

export function report(past: Past, parts: readonly Part[], done: Done, options: CommonOptions): void {
  const conversations = parts.filter(({ kind }) => kind !== "messages").length;
  if (options.json === true) return printJson({ ...done, conversations, ...leftIn(past) });
  endProgress(options);
  const of = conversations === 0 ? "" : ` in ${counted(conversations, "conversation")}`;
  if (parts.length > 0) printLine(`Imported ${counted(done.fresh, "new message")} of ${done.messages}${of}.`);
  if (past.notes.length > 0)
    printLine(`Added ${counted(done.documents, "document")} of ${past.notes.length}.`);
  sayLeft(past);
  if (done.fresh > 0)
    printLine("Older days get their summaries in the next pass; `memd archive --now` makes them at once.");
}

/** What did not come, and why. */
function leftIn({ passed, skipped }: Past): Record<string, unknown> {
  return { skipped: Object.fromEntries(skipped.counts), passed };
}

const MOST_PASSED = 20;

function sayLeft({ passed, skipped }: Past): void {
  const left = leftOut(skipped);
  if (left !== "") printLine(pc.dim(`Left out: ${left}.`));
  for (const { file, why } of passed.slice(0, MOST_PASSED)) printLine(pc.dim(`Not read: ${file} (${why})`));
  const more = passed.length - MOST_PASSED;
  if (more > 0) printLine(pc.dim(`… and ${more} more files.`));
}

function leftOut({ counts }: Skipped): string {
  return [...counts]
    .filter(([, times]) => times > 0)
    .map(([why, times]) => `${times} ${why}`)
    .join(", ");
}
