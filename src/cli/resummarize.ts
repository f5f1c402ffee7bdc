/** `memd resummarize`: summaries made anew, once there is a model or it is a better one. */
import pc from "picocolors";
import { EXIT } from "../model/errors.js";
import { setExitCode } from "../platform/process.js";
import { type CommonOptions, tell } from "./context.js";
import { dateFlag } from "./dates.js";
import { withMemd } from "./memd.js";
import { eventPrinter } from "./progress.js";
import { counted } from "./words.js";

interface ResummarizeFlags extends CommonOptions {
  all?: boolean;
  scope?: string;
  from?: string;
  to?: string;
  dryRun?: boolean;
}

export async function resummarize(flags: ResummarizeFlags): Promise<void> {
  const { all, scope, dryRun = false } = flags;
  const time_from = await dateFlag(flags, "from", flags.from);
  const time_to = await dateFlag(flags, "to", flags.to);
  const answer = await withMemd(flags, "works", async (memd) => {
    const printer = flags.json === true || dryRun ? undefined : eventPrinter();
    if (printer !== undefined) memd.hear(printer.hear);
    try {
      return await memd.ask("resummarize", { all, scope, time_from, time_to, dryRun });
    } finally {
      printer?.end();
    }
  });
  tell(flags, answer, ({ again, kept, report }) => [
    ...again.map(({ tier, scope: of, date }) => `  ${date}  ${of}  ${tier} summary`),
    ...kept.map(({ scope: of, date, why }) => pc.dim(`  stays: ${of} ${date}, ${why}`)),
    report === undefined
      ? `${counted(again.length, "summary", "summaries")} would be made anew.`
      : `Made ${counted(report.made, "summary", "summaries")} anew.`,
    ...(report?.failed ?? []).map(({ scope: of, date, reason }) =>
      pc.yellow(`  not made: ${of} ${date}: ${reason}; it is tried again by itself`),
    ),
  ]);
  if ((answer.report?.failed.length ?? 0) > 0) setExitCode(EXIT.failed);
}
