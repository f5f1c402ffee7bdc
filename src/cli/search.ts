/** `memd search`. */
import pc from "picocolors";
import { MemdError } from "../model/errors.js";
import { terminal } from "../platform/process.js";
import type { PassageKind } from "../model/passage.js";
import type { Recalled } from "../recall/recall.js";
import { formatHit } from "../recall/format.js";
import { printJson, printLine } from "./context.js";
import type { SearchFlags } from "./main.js";
import { withMemd } from "./memd.js";
import { searchOptionsSchema } from "../serve/search-options.js";

export async function search(query: string, flags: SearchFlags): Promise<void> {
  if (query.trim() === "") throw new MemdError("empty_query", "There is nothing to look for.");
  const { limit, from, to, kind, scope, user, session } = flags;
  const parsed = searchOptionsSchema.safeParse({
    limit,
    from,
    to,
    kinds: kind as PassageKind[] | undefined,
    scope,
    user,
    session,
  });
  if (!parsed.success)
    throw new MemdError(
      "usage",
      `--${String(parsed.error.issues[0]?.path[0]).replace("kinds", "kind")} is not valid.`,
    );
  const options = Object.fromEntries(Object.entries(parsed.data).filter(([, value]) => value !== undefined));
  const found = await withMemd(flags, false, (memd) =>
    memd.ask<Recalled>("POST", "/agent/memories/search", { query, options }),
  );
  if (flags.json === true) return printJson(found);
  for (const warning of found.warnings) terminal.err(`${pc.yellow(warning)}\n`);
  if (found.hits.length === 0) return printLine("Nothing found.");
  const width = terminal.isTTY ? Math.max(60, terminal.columns - 60) : 160;
  for (const hit of found.hits) printLine(formatHit(hit, query, { mark: pc.bold, width }));
}
