/** Which resources have changed, as far as whoever asks may read them. */
import * as z from "zod";
import type { LogEvent } from "../../platform/log.js";
import { sourceUri } from "../../service/source-name.js";
import type { Ask } from "./tool.js";

const event = z.object({
  event: z.literal("sources_changed"),
  paths: z.array(z.string()),
  /** Whether one has come or gone. */
  isListNew: z.boolean(),
});

export interface Changes {
  uris: string[];
  isListNew: boolean;
}

const MOST_LISTED = 1000;

/** Undefined for an event that tells of no change, or of none to this reader. */
export async function changesIn(told: LogEvent | undefined, ask: Ask): Promise<Changes | undefined> {
  const { data } = event.safeParse(told);
  if (data === undefined) return undefined;
  const { sources } = await ask("listSources", { limit: MOST_LISTED });
  const open = new Set(sources.map(({ path }) => path));
  const uris = data.paths.filter((path) => open.has(path)).map((path) => sourceUri(path));
  // That others have a new file is theirs to know, the moment of it too.
  return uris.length === 0 ? undefined : { uris, isListNew: data.isListNew };
}
