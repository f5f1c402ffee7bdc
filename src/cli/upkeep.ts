/** `memd archive`, `memd prune` and `memd reindex`: what is done with the files at the owner's word. */
import pc from "picocolors";
import { EXIT, MemdError } from "../model/errors.js";
import { setExitCode, terminal } from "../platform/process.js";
import type { AnswerOf } from "../service/operations.js";
import type { ArchivePlan } from "../service/operations/upkeep.js";
import { tell, type CommonOptions } from "./context.js";
import { askMemd, withMemd } from "./memd.js";
import { eventPrinter } from "./progress.js";
import { counted } from "./words.js";

export async function archive(options: CommonOptions & { now?: boolean; dryRun?: boolean }): Promise<void> {
  const { now = false, dryRun = false } = options;
  if (now && !dryRun) return archiveNow(options);
  const plan = await askMemd(options, "archive", { dryRun: true });
  if (!("days" in plan)) throw new MemdError("internal", "memd archived what it was to plan.");
  const hint = `\nThe next pass does this by itself; ${pc.bold("memd archive --now")} does it at once.`;
  tell(options, plan, () => {
    if (dryRun) return planLines(plan);
    const isDone = plan.messages === 0 && plan.summaries.length === 0;
    return isDone ? "Everything is archived." : [...planLines(plan), hint];
  });
}

async function archiveNow(options: CommonOptions): Promise<void> {
  const { report, unread } = await withMemd(options, "works", async (memd) => {
    const printer = options.json === true ? undefined : eventPrinter();
    if (printer !== undefined) memd.hear(printer.hear);
    try {
      const report = await memd.ask("archive", {});
      if ("days" in report) throw new MemdError("internal", "memd planned what it was to archive.");
      return { report, unread: unreadIn(await memd.ask("status", {})) };
    } finally {
      printer?.end();
    }
  });
  tell(options, report, ({ messages, made, failed }) => [
    `Archived ${counted(messages, "message")}, made ${counted(made, "summary", "summaries")}.`,
    ...unread.map(({ name, reason }) =>
      pc.yellow(`  not taken in: ${name} cannot be read: ${reason}; a copy is in conflicts/`),
    ),
    ...failed.map(({ scope, date, reason }) => pc.yellow(`  not made: ${scope} ${date}: ${reason}`)),
    ...(failed.length > 0 ? ["  They are tried again by themselves; `memd status` shows when."] : []),
  ]);
  if (report.failed.length > 0) setExitCode(EXIT.failed);
}

/** They may have been met before anybody listened. */
function unreadIn({ inbox, history }: AnswerOf<"status">): { name: string; reason: string }[] {
  const lists = { "inbox.json": inbox.unreadable, "history.json": history.unreadable };
  return Object.entries(lists).flatMap(([name, reason]) => (reason === undefined ? [] : [{ name, reason }]));
}

function planLines({ messages, days, summaries, tokens }: ArchivePlan): string[] {
  return [
    `${counted(messages, "message")} to write, in ${counted(days.length, "file")}:`,
    ...days.map(
      ({ scope, day, messages, place }) => `  ${day}  ${scope}  ${counted(messages, "message")} → ${place}/`,
    ),
    `${counted(summaries.length, "summary", "summaries")} to make, about ${tokens} tokens to read:`,
    ...summaries.map(
      ({ tier, scope, date, messages, tokens }) =>
        `  ${date}  ${scope}  ${tier} summary of ${counted(messages, "message")}, about ${tokens} tokens`,
    ),
  ];
}

export async function prune(options: CommonOptions & { dryRun?: boolean }): Promise<void> {
  const report = await askMemd(options, "prune", { dryRun: options.dryRun === true });
  tell(options, report, ({ files, removed }) => {
    if (files.length === 0) return "Nothing may go.";
    const lines = files.map(
      ({ path, why, keptLines }) =>
        `  ${path}  (${why}${keptLines === 0 ? "" : `, ${counted(keptLines, "line")} kept`})`,
    );
    const done = `Pruned ${counted(files.length, "file")}.`;
    return [...lines, removed ? done : "Nothing was removed: this was a dry run."];
  });
}

/** Nothing but the index of search is touched. */
export async function reindex(options: CommonOptions): Promise<void> {
  const moves = options.json !== true && terminal.isTTY;
  const status = await withMemd(options, "changes", async (memd) => {
    if (moves)
      memd.hear((event) => {
        if (event.event !== "index_progress") return;
        terminal.clearLine();
        terminal.out(pc.dim(`  ${String(event["done"])} of ${String(event["files"])} files …`));
      });
    return memd.ask("reindex", {});
  });
  if (moves) terminal.clearLine();
  tell(options, status, ({ passages, files, engine, skipped }) => [
    `Indexed ${counted(passages, "passage")} of ${counted(files, "file")} (${engine}).`,
    ...skipped.map(({ path, reason }) => pc.yellow(`  left out: ${path} ${reason}`)),
  ]);
}
