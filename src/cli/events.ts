/** `memd events`: what happened, by a question or by its time. */
import type { Found } from "../model/found.js";
import { terminal } from "../platform/process.js";
import { printJson } from "./context.js";
import { lineWidth, printFound } from "./hits.js";
import type { EventsFlags } from "./flags.js";
import { withMemd } from "./memd.js";

export async function events(query: string | undefined, flags: EventsFlags): Promise<void> {
  const { user, group, from, to, limit, kind, as, json } = flags;
  const body = {
    query,
    target_user_id: user,
    target_group_id: group,
    time_from: from,
    time_to: to,
    memory_types: kind,
    top_k: limit,
    as,
    ...(json === true ? {} : { lineWidth: lineWidth(terminal) }),
  };
  const found = await withMemd(flags, false, (memd) =>
    memd.ask<{ events: Found[]; warnings: string[]; advice?: string; lines?: string[] }>(
      "POST",
      "/events/search",
      body,
    ),
  );
  if (json === true) return printJson(found);
  printFound(found, "No events found.");
}
