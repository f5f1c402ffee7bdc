/** `memd archive`. */
import pc from "picocolors";
import { EXIT, MemdError } from "../model/errors.js";
import { setExitCode } from "../platform/process.js";
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
