/** `memd search` and `memd events`. Everything but the printing is asked of the owner, so that they start fast. */
import { MemdError } from "../model/errors.js";
import { foundOf } from "../model/found.js";
import type { PassageKind, RecallMode } from "../model/passage.js";
import type { RecordKind } from "../model/record.js";
import { type CommonOptions, printJson } from "./context.js";
import { dateFlag } from "./dates.js";
import { foundLine, printFound, scoreLine, sourcesLine } from "./hit-line.js";
import { askMemd } from "./memd.js";

interface SearchFlags extends CommonOptions {
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
  const { limit, kind, mode, scope, user, session, as, json = false } = flags;
  const answer = await askMemd(flags, "searchMemories", {
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
    marks: json ? undefined : true,
  });
  if (json) return printJson(answer);
  const lines = answer.hits.flatMap(({ marks = [], ...hit }) => [
    foundLine({ ...foundOf(hit), marks }),
    ...(flags.explain === true ? [`    ${scoreLine(hit)}`] : []),
  ]);
  printFound(lines, answer, "Nothing found.");
}

interface EventsFlags extends CommonOptions {
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
  const { user, group, limit, kind, as, json = false } = flags;
  const answer = await askMemd(flags, "searchEvents", {
    query: words.length === 0 ? undefined : words.join(" "),
    target_user_id: user,
    target_group_id: group,
    time_from: await dateFlag(flags, "from", flags.from),
    time_to: await dateFlag(flags, "to", flags.to),
    memory_types: kind,
    limit,
    as,
    marks: json ? undefined : true,
  });
  if (json) return printJson(answer);
  const lines = answer.events.flatMap((event) => {
    const sources = sourcesLine(event);
    return [foundLine(event), ...(sources === undefined ? [] : [`    ${sources}`])];
  });
  printFound(lines, answer, "No events found.");
}
