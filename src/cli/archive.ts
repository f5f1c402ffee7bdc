/** `memd archive`. */
import pc from "picocolors";
import { EXIT, MemdError } from "../model/errors.js";
import { setExitCode } from "../platform/process.js";
import type { AnswerOf } from "../service/operations.js";
import type { ArchivePlan } from "../service/operations/upkeep.js";
import { printJson, printLine, type CommonOptions } from "./context.js";
import { askMemd, withMemd } from "./memd.js";
import { eventPrinter } from "./progress.js";
import { counted } from "./words.js";

export async function archive(options: CommonOptions & { now?: boolean; dryRun?: boolean }): Promise<void> {
  if (options.dryRun === true) return showPlan(options);
  if (options.now === true) return archiveNow(options);
  const plan = await planned(options);
  if (plan.messages === 0 && plan.summaries.length === 0) {
    if (options.json === true) printJson(plan);
    else printLine("Everything is archived.");
    return;
  }
  if (options.json === true) return printJson(plan);
  printPlan(plan);
  printLine(`\nThe next pass does this by itself; ${pc.bold("memd archive --now")} does it at once.`);
}

async function archiveNow(options: CommonOptions): Promise<void> {
  const { report, unread } = await withMemd(options, true, async (memd) => {
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
  if (options.json === true) printJson(report);
  else {
    printLine(
      `Archived ${counted(report.messages, "message")}, made ${counted(report.made, "summary", "summaries")}.`,
    );
    for (const { name, reason } of unread)
      printLine(pc.yellow(`  not taken in: ${name} cannot be read: ${reason}; a copy is in conflicts/`));
    for (const { scope, date, reason } of report.failed)
      printLine(pc.yellow(`  not made: ${scope} ${date}: ${reason}`));
    if (report.failed.length > 0)
      printLine("  They are tried again by themselves; `memd status` shows when.");
  }
  if (report.failed.length > 0) setExitCode(EXIT.failed);
}

/** They may have been met before anybody listened. */
function unreadIn({ inbox, history }: AnswerOf<"status">): { name: string; reason: string }[] {
  const lists = { "inbox.json": inbox.unreadable, "history.json": history.unreadable };
  return Object.entries(lists).flatMap(([name, reason]) => (reason === undefined ? [] : [{ name, reason }]));
}

async function showPlan(options: CommonOptions): Promise<void> {
  const plan = await planned(options);
  if (options.json === true) return printJson(plan);
  printPlan(plan);
}

async function planned(options: CommonOptions): Promise<ArchivePlan> {
  const answer = await askMemd(options, "archive", { dryRun: true });
  if ("days" in answer) return answer;
  throw new MemdError("internal", "memd archived what it was to plan.");
}

function printPlan(plan: ArchivePlan): void {
  printLine(`${counted(plan.messages, "message")} to write, in ${counted(plan.days.length, "file")}:`);
  for (const { scope, day, messages, place } of plan.days)
    printLine(`  ${day}  ${scope}  ${counted(messages, "message")} → ${place}/`);
  printLine(
    `${counted(plan.summaries.length, "summary", "summaries")} to make, about ${plan.tokens} tokens to read:`,
  );
  for (const { tier, scope, date, messages, tokens } of plan.summaries) {
    printLine(
      `  ${date}  ${scope}  ${tier} summary of ${counted(messages, "message")}, about ${tokens} tokens`,
    );
  }
}
