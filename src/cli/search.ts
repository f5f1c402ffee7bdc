/** `memd search`. Everything but the printing is asked of the owner, so that this starts fast. */
import { MemdError } from "../model/errors.js";
import { terminal } from "../platform/process.js";
import type { Recalled } from "../recall/recall.js";
import { printJson } from "./context.js";
import { lineWidth, printFound } from "./hits.js";
import type { SearchFlags } from "./flags.js";
import { withMemd } from "./memd.js";

export async function search(query: string, flags: SearchFlags): Promise<void> {
  if (query.trim() === "") throw new MemdError("empty_query", "There is nothing to look for.");
  const { limit, from, to, asOf, kind: kinds, mode, scope, user, session } = flags;
  const rerank = flags.rerank === false ? false : undefined;
  const given = Object.entries({ limit, from, to, asOf, kinds, mode, rerank, scope, user, session });
  const options = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  const { as } = flags;
  const printed = { lineWidth: lineWidth(terminal), explain: flags.explain === true };
  const body = { query, options, as, ...(flags.json === true ? {} : printed) };
  const found = await withMemd(flags, false, (memd) =>
    memd.ask<Recalled & { lines?: string[]; advice?: string }>("POST", "/agent/memories/search", body),
  );
  if (flags.json === true) return printJson(found);
  printFound(found, "Nothing found.");
}
