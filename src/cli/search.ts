/** `memd search`. Everything but the printing is asked of the owner, so that this starts fast. */
import pc from "picocolors";
import { MemdError } from "../model/errors.js";
import { terminal } from "../platform/process.js";
import type { Recalled } from "../recall/recall.js";
import { MARKS } from "../serve/marks.js";
import { printJson, printLine } from "./context.js";
import type { SearchFlags } from "./main.js";
import { withMemd } from "./memd.js";

export async function search(query: string, flags: SearchFlags): Promise<void> {
  if (query.trim() === "") throw new MemdError("empty_query", "There is nothing to look for.");
  const { limit, from, to, asOf, kind: kinds, mode, scope, user, session } = flags;
  const rerank = flags.rerank === false ? false : undefined;
  const given = Object.entries({ limit, from, to, asOf, kinds, mode, rerank, scope, user, session });
  const options = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  const lineWidth = terminal.isTTY ? Math.max(60, terminal.columns - 60) : 160;
  const explain = flags.explain === true;
  const body = flags.json === true ? { query, options } : { query, options, lineWidth, explain };
  const found = await withMemd(flags, false, (memd) =>
    memd.ask<Recalled & { lines?: string[] }>("POST", "/agent/memories/search", body),
  );
  if (flags.json === true) return printJson(found);
  for (const warning of found.warnings) terminal.err(`${pc.yellow(warning)}\n`);
  if (found.hits.length === 0) return printLine("Nothing found.");
  for (const line of found.lines ?? []) printLine(coloured(line));
}

function coloured(line: string): string {
  return line
    .split(MARKS.open)
    .map((part, index) => {
      const end = part.indexOf(MARKS.close);
      return index === 0 || end === -1
        ? part
        : pc.bold(part.slice(0, end)) + part.slice(end + MARKS.close.length);
    })
    .join("");
}
