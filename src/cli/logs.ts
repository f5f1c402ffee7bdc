/** What logs/ tells: `memd logs` the newest lines of memd.jsonl and, with --follow, what happens next; `memd usage` what models cost. */
import pc from "picocolors";
import { zoneOf } from "../model/time.js";
import { readUsage, usageTotals } from "../llm/usage.js";
import type { LogEvent } from "../platform/log.js";
import { nodeDisk } from "../platform/node-disk.js";
import { onStopSignal } from "../platform/process.js";
import { readSettings } from "../protocol/settings.js";
import { newestLines } from "../service/log-lines.js";
import { shownInJson } from "../text/shown.js";
import { commandClock, openWorkspace, printLine, tell, type CommonOptions } from "./context.js";
import { withRunning } from "./memd.js";
import { shortTime, table } from "./words.js";

export async function logs(options: CommonOptions & { lines: number; follow?: boolean }): Promise<void> {
  const workspace = await openWorkspace(options);
  const newest = await newestLines(nodeDisk, workspace, options.lines);
  const print = (line: Record<string, unknown>): void =>
    printLine(options.json === true ? shownInJson(JSON.stringify(line)) : readable(line));
  for (const line of newest) print(line);
  if (newest.length === 0 && options.follow !== true && options.json !== true)
    printLine("Nothing has happened here yet.");
  if (options.follow !== true) return;
  const clock = commandClock();
  await withRunning(options, async (memd) => {
    memd.hear((event: LogEvent) => {
      // As in the file.
      if (event.level !== "debug") print({ ...event, time: new Date(clock.now()).toISOString() });
    });
    await new Promise<void>((resolve) => onStopSignal(() => resolve()));
  });
}

const LEVELS: Readonly<Record<string, string>> = { 20: "debug", 30: "info", 40: "warn", 50: "error" };

function readable({ time, level, event, ...fields }: Record<string, unknown>): string {
  const name = LEVELS[String(level)] ?? String(level);
  const colour = name === "error" ? pc.red : name === "warn" ? pc.yellow : pc.dim;
  const rest = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return `${typeof time === "string" ? shortTime(time) : ""}  ${colour(name.padEnd(5))}  ${String(event)}  ${pc.dim(rest.join(" "))}`;
}

export async function usage(options: CommonOptions): Promise<void> {
  const workspace = await openWorkspace(options);
  const settings = await readSettings(nodeDisk, workspace);
  const zone = zoneOf(settings.timezone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone);
  const totals = usageTotals(await readUsage({ disk: nodeDisk }, workspace), zone);
  const rows = totals.map(({ day, role, model, calls, failures, tokensIn, tokensOut, tokensCached }) =>
    [day, role, model, calls, failures, tokensIn, tokensOut, tokensCached].map(String),
  );
  tell(options, totals, () =>
    rows.length === 0
      ? "No model has been called yet: the built-in provider costs nothing."
      : table(["day", "role", "model", "calls", "failed", "tokens in", "out", "cached"], rows),
  );
}
