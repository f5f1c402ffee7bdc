/**
 * Has summaries made again from their days: what one says to cover is written so that it no longer holds, and it is
 * owed from then on, whatever happens meanwhile. Until the new one is there the old one stands.
 */
import { type Bound, isMonth, lastDayOf, type Period } from "../model/time.js";
import { ifReadable, publishOver, readText } from "../protocol/publish.js";
import { parseSummary, printSummary } from "../protocol/summary.js";
import { at } from "../protocol/workspace.js";
import type { KnownSummary } from "./known-files.js";
import type { ArchiveContext } from "./context.js";

/** Which are made again. */
export interface Again extends Period {
  scope?: string;
  /** Those too that a model has made, not only those made without one. */
  all: boolean;
}

type Named = Pick<KnownSummary, "tier" | "scope" | "date">;

export interface AgainPlan {
  /** Oldest first. */
  again: Named[];
  /** That stay as they are, and why. */
  kept: (Named & { why: "edited" | "days gone" })[];
}

/** The hash of no day. */
const NONE = "again";

/** Reads, and writes nothing. */
export async function planAgain(context: ArchiveContext, asked: Again): Promise<AgainPlan> {
  const plan: AgainPlan = { again: [], kept: [] };
  const wanted = context.catalogue.summaries().filter((summary) => isWanted(summary, asked));
  for (const summary of wanted.sort((one, other) => (one.date < other.date ? -1 : 1))) {
    const { tier, scope, date } = summary;
    const why = await reasonToKeep(context, summary);
    if (why === undefined) plan.again.push({ tier, scope, date });
    else plan.kept.push({ tier, scope, date, why });
  }
  return plan;
}

/** Runs when no tick does. What a person saves meanwhile stays. */
export async function oweAgain(context: ArchiveContext, { again }: AgainPlan): Promise<void> {
  const { writer, workspace, catalogue } = context;
  for (const { scope, date } of again) {
    const path = catalogue.summaryOf(scope, date)?.path;
    if (path === undefined) continue;
    const text = await readText(writer.disk, at(workspace, path));
    const summary = ifReadable(() => parseSummary(text ?? ""));
    if (summary === undefined || summary.edited) continue;
    const covers = summary.covers.map((day) => ({ ...day, hash: NONE }));
    await publishOver(writer, at(workspace, path), printSummary({ ...summary, covers }), text);
    await catalogue.recheck(path, scope, "summary");
  }
}

function isWanted({ scope, date, by }: KnownSummary, asked: Again): boolean {
  if (asked.scope !== undefined && asked.scope !== scope) return false;
  if (!asked.all && by !== "builtin") return false;
  const [first, last] = isMonth(date) ? [`${date}-01`, lastDayOf(date)] : [date, date];
  const { from, to } = { from: dayIn(asked.from), to: dayIn(asked.to) };
  return (from === undefined || last >= from) && (to === undefined || first <= to);
}

/** A moment counts as its day, in UTC: a summary knows no hours. */
function dayIn(bound: Bound | undefined): string | undefined {
  if (bound === undefined) return undefined;
  return "day" in bound ? bound.day : new Date(bound.at).toISOString().slice(0, 10);
}

async function reasonToKeep(
  { writer, workspace, catalogue }: ArchiveContext,
  { path, scope, covers }: KnownSummary,
): Promise<AgainPlan["kept"][number]["why"] | undefined> {
  const text = await readText(writer.disk, at(workspace, path));
  if (ifReadable(() => parseSummary(text ?? ""))?.edited !== false) return "edited";
  return covers.every(({ day }) => catalogue.verbatimOf(scope, day).length > 0) ? undefined : "days gone";
}
