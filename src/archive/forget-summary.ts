/** Takes a summary out that may tell of what is forgotten. */
import type { ScopeId } from "../model/address.js";
import type { Day, Month } from "../model/time.js";
import { REMOVED, rewriteText } from "../protocol/publish.js";
import { parseSummary, printSummary, type SummaryFile } from "../protocol/summary.js";
import { at, summaryPath } from "../protocol/workspace.js";
import type { ArchiveContext } from "./context.js";

/** What it covered is owed again. What a person wrote above its first section stays. */
export async function forgetSummary(
  context: ArchiveContext,
  scope: ScopeId,
  date: Day | Month,
): Promise<void> {
  const { writer, workspace, catalogue, retries } = context;
  const path = summaryPath(scope, date);
  await rewriteText(writer, at(workspace, path), (base, bytes) => {
    if (bytes === undefined) return undefined;
    return (base === undefined ? undefined : personsPart(base)) ?? REMOVED;
  });
  await catalogue.recheck(path, scope, "summary");
  await retries.settled(scope, date);
}

/** Undefined where nothing can be told to be a person's. */
function personsPart(text: string): string | undefined {
  const summary = readableSummary(text);
  const [first] = summary?.sections ?? [];
  if (summary === undefined || first === undefined) return undefined;
  const headed = summary.body.search(/^## .*<!-- (?:user=\S*|everyone) -->\s*$/m);
  // Without a section, and standing for no day, it is what an earlier forgetting has left.
  if (headed === -1) return summary.covers.length === 0 ? text : undefined;
  const above = summary.body.slice(0, headed);
  if (above.replace(/^# .*$/m, "").trim() === "") return undefined;
  return printSummary({ ...summary, covers: [], edited: true, body: `${above.trimEnd()}\n` });
}

function readableSummary(text: string): SummaryFile | undefined {
  try {
    return parseSummary(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
