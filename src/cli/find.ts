/** `memd search` and `memd events`. Everything but the printing is asked of the owner, so that they start fast. */
import pc from "picocolors";
import { MemdError } from "../model/errors.js";
import { foundOf } from "../model/found.js";
import type { PassageKind, RecallMode } from "../model/passage.js";
import type { RecordKind } from "../model/record.js";
import { terminal } from "../platform/process.js";
import { type CommonOptions, printJson, printLine } from "./context.js";
import { dateFlag, machineZone, zoneOfWorkspace } from "./dates.js";
import type { ShownHit } from "./hit-form.js";
import { hitLine, scoreLine, sourcesLine } from "./hit-line.js";
import { askMemd } from "./memd.js";

interface FormFlags extends CommonOptions {
  porcelain?: boolean;
}

interface SearchFlags extends FormFlags {
  limit?: number;
  from?: string;
  to?: string;
  asOf?: string;
  explain?: boolean;
  kind?: PassageKind[];
  mode?: RecallMode;
  rerank?: boolean;
  scope?: string;
  user?: string;
  session?: string;
  as?: string;
}

export async function search(query: string, flags: SearchFlags): Promise<void> {
  if (query.trim() === "") throw new MemdError("empty_query", "There is nothing to look for.");
  const { limit, kind, mode, scope, user, session, as } = flags;
  const { hits, ...remarks } = await askMemd(flags, "searchMemories", {
    query,
    limit,
    time_from: await dateFlag(flags, "from", flags.from),
    time_to: await dateFlag(flags, "to", flags.to),
    as_of: await dateFlag(flags, "as-of", flags.asOf),
    memory_types: kind,
    method: mode,
    use_rerank: flags.rerank === false ? false : undefined,
    scope,
    target_user_id: user,
    session,
    as,
    marks: true,
    answers: formOfAnswer(flags) === "lines" ? undefined : true,
  });
  const found = hits.map(({ marks = [], ...hit }) => ({
    ...foundOf(hit),
    marks,
    ...(flags.explain === true && { parts: hit.parts }),
  }));
  await print(flags, found, remarks, "Nothing found.", scoreLine);
}

interface EventsFlags extends FormFlags {
  limit?: number;
  from?: string;
  to?: string;
  kind?: RecordKind[];
  user?: string;
  group?: string;
  as?: string;
}

/** What happened, by a question or by its time. */
export async function events(words: string[], flags: EventsFlags): Promise<void> {
  const { user, group, limit, kind, as } = flags;
  const { events: found, ...remarks } = await askMemd(flags, "searchEvents", {
    query: words.length === 0 ? undefined : words.join(" "),
    target_user_id: user,
    target_group_id: group,
    time_from: await dateFlag(flags, "from", flags.from),
    time_to: await dateFlag(flags, "to", flags.to),
    memory_types: kind,
    limit,
    as,
    marks: true,
  });
  await print(flags, found, remarks, "No events found.", sourcesLine);
}

interface Remarks {
  warnings: readonly string[];
  advice?: string;
}

/** For programs as JSON or a line each, for a person at a terminal in a form of its own. */
function formOfAnswer({ json = false, porcelain = false }: FormFlags): "json" | "lines" | "form" {
  if (json) return "json";
  return porcelain || !terminal.isTTY ? "lines" : "form";
}

/** `below`: a line of its own. Where there are no hits, that, and what to try. */
async function print(
  flags: FormFlags,
  hits: readonly ShownHit[],
  remarks: Remarks,
  nothing: string,
  below: (hit: ShownHit) => string | undefined,
): Promise<void> {
  const form = formOfAnswer(flags);
  if (form === "json") return printJson({ hits, ...remarks });
  const { warnings, advice } = remarks;
  for (const warning of warnings) terminal.err(`${pc.yellow(warning)}\n`);
  if (hits.length === 0) return printLine(advice === undefined ? nothing : `${nothing} ${advice}`);
  const lines =
    form === "lines" ? hits.flatMap((hit) => plainLines(hit, below(hit))) : formLines(flags, hits);
  for (const line of await lines) printLine(line);
}

function plainLines(hit: ShownHit, below: string | undefined): string[] {
  return [hitLine(hit), ...(below === undefined ? [] : [`    ${below}`])];
}

async function formLines(flags: FormFlags, hits: readonly ShownHit[]): Promise<string[]> {
  const { formOf } = await import("./hit-form.js");
  // A memd that runs goes on by the settings of before while those in memd.toml are wrong, and tells so itself.
  const zone = await zoneOfWorkspace(flags).catch(() => machineZone());
  return formOf(hits, { width: terminal.columns, zone, bold: pc.bold, dim: pc.dim });
}
