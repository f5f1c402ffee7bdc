/** `memd events`: what happened, by a question or by its time. */
import type { RecordKind } from "../model/record.js";
import { type CommonOptions, dateFlags, printJson } from "./context.js";
import { foundLine, printFound, sourcesLine } from "./hit-line.js";
import { askMemd } from "./memd.js";

interface EventsFlags extends CommonOptions {
  limit?: number;
  from?: string;
  to?: string;
  kind?: RecordKind[];
  user?: string;
  group?: string;
  as?: string;
}

export async function events(words: string[], flags: EventsFlags): Promise<void> {
  const { user, group, from, to, limit, kind, as, json = false } = flags;
  dateFlags({ from, to });
  const answer = await askMemd(flags, "searchEvents", {
    query: words.length === 0 ? undefined : words.join(" "),
    target_user_id: user,
    target_group_id: group,
    time_from: from,
    time_to: to,
    memory_types: kind,
    top_k: limit,
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
