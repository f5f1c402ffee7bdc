/** `memd forget`: shows what would go, asks, and has it forgotten. */
import { MemdError } from "../model/errors.js";
import { canBeAsked } from "../platform/process.js";
import type { AnswerOf, SentTo } from "../service/operations.js";
import { isAnsweredYes, openWorkspace, printJson, printLine, type CommonOptions } from "./context.js";
import { elsewhere, elsewhereLines } from "./forgotten-elsewhere.js";
import { askMemd } from "./memd.js";
import { counted } from "./words.js";

type ForgetReport = AnswerOf<"forget">;

type ForgetFlags = CommonOptions & SentTo<"forget"> & { yes?: boolean };

export async function forget(flags: ForgetFlags): Promise<void> {
  const { session, scope, user, id, dryRun = false, yes = false, json = false } = flags;
  if (session === undefined && scope === undefined && id === undefined)
    throw new MemdError("usage", "Say what to forget: --session, --scope or --id.");
  if (!dryRun && !yes && !canBeAsked())
    throw new MemdError("usage", "It cannot be undone, and nobody can be asked here: add --yes.");
  const asked = (wouldBe: boolean): Promise<ForgetReport> =>
    askMemd(flags, "forget", { session, scope, user, id, dryRun: wouldBe });
  if (!dryRun && !yes && !(await isMeant(await asked(true)))) return printLine("Nothing was forgotten.");
  const report = await asked(dryRun);
  const others = await elsewhere(await openWorkspace(flags));
  if (json) return printJson({ ...report, elsewhere: others });
  if (dryRun) tell(report);
  printLine(dryRun ? "Nothing was forgotten: this was a dry run." : `Forgotten: ${summaryOf(report)}.`);
  if (!dryRun && report.profiles.length > 0) printLine("Profiles are told again from what remains.");
  for (const line of elsewhereLines(others)) printLine(line);
}

async function isMeant(report: ForgetReport): Promise<boolean> {
  tell(report);
  return isAnsweredYes("Forget this? It cannot be undone. [y/N] ");
}

function tell(report: ForgetReport): void {
  printLine(`Would go: ${summaryOf(report)}.`);
  for (const line of [...report.windows, ...report.jobs.map((job) => `job ${job}`)]) printLine(`  ${line}`);
  for (const profile of report.profiles) printLine(`  profile of ${profile.replace(":", " ")}, told again`);
}

function summaryOf({ messages, records, memos, windows, jobs }: ForgetReport): string {
  return [
    counted(messages, "message"),
    counted(records, "record"),
    counted(memos, "memo"),
    counted(windows.length, "rolling summary", "rolling summaries"),
    counted(jobs.length, "job"),
  ].join(", ");
}
