/** `memd forget`: shows what would go, asks, and has it forgotten. */
import { defined } from "../model/collections.js";
import { MemdError } from "../model/errors.js";
import { canBeAsked, environment } from "../platform/process.js";
import type { Workspace } from "../protocol/workspace.js";
import type { AnswerOf, SentTo } from "../service/operations.js";
import { isAnsweredYes, openWorkspace, printJson, printLine, type CommonOptions } from "./context.js";
import { exportLines, standingExports } from "./forgotten-elsewhere.js";
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
  const workspace = await openWorkspace(flags);
  const exports = await standingExports(workspace);
  const rewrite = dryRun ? undefined : await rewritingOf(workspace);
  if (json) return printJson(defined({ ...report, exports, rewrite }));
  if (dryRun) tell(report);
  printLine(dryRun ? "Nothing was forgotten: this was a dry run." : `Forgotten: ${summaryOf(report)}.`);
  if (!dryRun && report.profiles.length > 0) printLine("Profiles are told again from what remains.");
  for (const line of exportLines(exports)) printLine(line);
  if (rewrite === undefined) return;
  printLine("Commits of git still hold it, and so does every clone. Stop memd and run this to rewrite them:");
  for (const line of rewrite) printLine(`  ${line}`);
}

/** Whoever's repository it is. */
async function rewritingOf({ root }: Workspace): Promise<string[] | undefined> {
  const { rewritingLines } = await import("../git/past.js");
  const { systemGit } = await import("../platform/git.js");
  return rewritingLines(systemGit({ folder: root, parent: true, environment: environment() }));
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
