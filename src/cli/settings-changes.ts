/** What would change in an agent's settings: shown as a diff, and agreed to. */
import pc from "picocolors";
import type { Change } from "../adapters/connecting.js";
import { MemdError } from "../model/errors.js";
import { canBeAsked } from "../platform/process.js";
import { unifiedDiff } from "../text/line-diff.js";
import { redactedOnItsLines } from "../text/redact.js";
import { type CommonOptions, isAnsweredYes, printJson, printLine } from "./context.js";

export interface SettingsFlags extends CommonOptions {
  dryRun?: boolean;
  yes?: boolean;
}

export function showDryRun(changes: readonly Change[], named: object, { json }: SettingsFlags): void {
  if (json === true) {
    const files = changes.map((change) => ({ path: change.path, diff: diffOf(change) }));
    return printJson({ ...named, dryRun: true, files });
  }
  show(changes);
  printLine(changes.length === 0 ? "Nothing would change." : "Nothing was changed: this was a dry run.");
}

/** Throws `usage` where it has to be asked and nobody is there. */
export async function isAgreed(
  changes: readonly Change[],
  question: string,
  { yes, json }: SettingsFlags,
): Promise<boolean> {
  if (yes === true || changes.length === 0) return true;
  if (json === true || !canBeAsked())
    throw new MemdError(
      "usage",
      "It changes settings of another program, and nobody can be asked here: add --yes.",
    );
  show(changes);
  if (await isAnsweredYes(question)) return true;
  printLine("Nothing was changed.");
  return false;
}

function show(changes: readonly Change[]): void {
  for (const change of changes)
    for (const line of diffOf(change).trimEnd().split("\n")) printLine(coloured(line));
}

/** Settings hold keys, and what stands around a change is told too. */
function diffOf({ path, before, after }: Change): string {
  return redactedOnItsLines(unifiedDiff(path, before, after)).clean;
}

function coloured(line: string): string {
  if (/^(?:\+\+\+|---|@@)/.test(line)) return pc.dim(line);
  return line.startsWith("+") ? pc.green(line) : line.startsWith("-") ? pc.red(line) : line;
}
