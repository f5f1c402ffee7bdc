/**
 * Dates as people type them behind `--from`, `--to`, `--since` and `--as-of`: what
 * an operation takes is made of them here, by the clock of the command and the
 * time zone of the workspace. What is a date already loads nothing.
 */
import { MemdError } from "../model/errors.js";
import { boundOf, isoOf, type Zone, zoneOf } from "../model/time.js";
import { nodeDisk } from "../platform/node-disk.js";
import { spanOf } from "../text/dates/span.js";
import type { Spoken } from "../text/dates/spoken.js";
import { commandClock, openWorkspace, type CommonOptions } from "./context.js";

/** A month or a week that begins something stands for its first day, one that ends it for its last. */
const ENDS = { from: "first", since: "first", to: "last", "as-of": "last" } as const;

const EXAMPLES = '2026-01-28, 2026-01, 2026, yesterday, "last week", "3 days ago", october or 昨天';

/** A day or an instant; undefined where nothing was typed. Throws `usage` for what is no date. */
export async function dateFlag(
  options: CommonOptions,
  flag: keyof typeof ENDS,
  typed: string | undefined,
): Promise<string | undefined> {
  const text = typed?.trim();
  if (text === undefined || boundOf(text) !== undefined) return text;
  const said = spanOf(text) ?? (await spoken(options, text));
  if (said === undefined) throw new MemdError("usage", `--${flag} ${text} is no date such as ${EXAMPLES}.`);
  if ("at" in said) return isoOf(said.at);
  return ENDS[flag] === "first" ? said.from : said.to;
}

/** Loaded only now: most dates are written out. */
async function spoken(options: CommonOptions, text: string): Promise<Spoken | undefined> {
  const { loadSpokenDates } = await import("../text/dates/spoken.js");
  return (await loadSpokenDates())(text, commandClock().now(), await zoneOfWorkspace(options));
}

export async function zoneOfWorkspace(options: CommonOptions): Promise<Zone> {
  const { readSettings } = await import("../protocol/settings.js");
  const { timezone } = await readSettings(nodeDisk, await openWorkspace(options));
  return timezone === undefined ? machineZone() : zoneOf(timezone);
}

export function machineZone(): Zone {
  return zoneOf(new Intl.DateTimeFormat().resolvedOptions().timeZone);
}
