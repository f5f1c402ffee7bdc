/** `memd archive`. */
import pc from "picocolors";
import { EXIT } from "../model/errors.js";
import { setExitCode } from "../platform/process.js";
import type { ArchivePlan } from "../supervisor/plan.js";
import type { PassReport } from "../supervisor/pass.js";
import { printJson, printLine, type CommonOptions } from "./context.js";
import { withMemd } from "./memd.js";
import { eventPrinter } from "./progress.js";
import { counted } from "./words.js";

export async function archive(options: CommonOptions & { now?: boolean; dryRun?: boolean }): Promise<void> {
  if (options.dryRun === true) return showPlan(options);
  if (options.now === true) return archiveNow(options);
  const plan = await withMemd(options, false, (memd) =>
    memd.ask<ArchivePlan>("POST", "/archive", { dryRun: true }),
  );
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
  const report = await withMemd(options, true, async (memd) => {
    const printer = options.json === true ? undefined : eventPrinter();
    if (printer !== undefined) memd.hear(printer.hear);
    try {
      return await memd.ask<PassReport>("POST", "/archive", {});
    } finally {
      printer?.end();
    }
  });
  if (options.json === true) printJson(report);
  else {
    printLine(
      `Archived ${counted(report.messages, "message")}, made ${counted(report.made, "summary", "summaries")}.`,
    );
    for (const { scope, date, reason } of report.failed)
      printLine(pc.yellow(`  not made: ${scope} ${date}: ${reason}`));
    if (report.failed.length > 0)
      printLine("  They are tried again by themselves; `memd status` shows when.");
  }
  if (report.failed.length > 0) setExitCode(EXIT.failed);
}

async function showPlan(options: CommonOptions): Promise<void> {
  const plan = await withMemd(options, false, (memd) =>
    memd.ask<ArchivePlan>("POST", "/archive", { dryRun: true }),
  );
  if (options.json === true) return printJson(plan);
  printPlan(plan);
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
