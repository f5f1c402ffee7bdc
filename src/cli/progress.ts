/** What memd does, as it does it: one line an event, with a moving line for long work on a terminal. */
import pc from "picocolors";
import type { LogEvent } from "../platform/log.js";
import { terminal } from "../platform/process.js";
import { bar, counted, seconds } from "./words.js";

const BAR_CHARS = 20;

export interface EventPrinter {
  hear: (event: LogEvent) => void;
  /** Leaves the moving line. */
  end: () => void;
}

export function eventPrinter(): EventPrinter {
  let moving = false;
  let total = 0;
  const clear = (): void => {
    if (moving) terminal.clearLine();
    moving = false;
  };
  const hear = (event: LogEvent): void => {
    if (event.event === "verbatim_written") total = Number(event["owed"]);
    if (event.event === "summary_made" && terminal.isTTY) {
      const left = Number(event["left"]);
      clear();
      const done = total - left;
      const made = `${bar(total === 0 ? 1 : done / total, BAR_CHARS)} ${done}/${total}`;
      terminal.out(pc.dim(`  ${made} ${text(event["date"])} ${text(event["scope"])}`));
      moving = true;
      return;
    }
    const line = lineOf(event);
    if (line === undefined) return;
    clear();
    terminal.out(`${line}\n`);
  };
  return { hear, end: clear };
}

function lineOf(event: LogEvent): string | undefined {
  const of = (field: string): string => text(event[field]);
  const messages = counted(Number(event["messages"]), "message");
  switch (event.event) {
    case "verbatim_written":
      if (event["messages"] === 0 && event["owed"] === 0) return undefined;
      return `  wrote ${messages} word for word; ${counted(Number(event["owed"]), "summary", "summaries")} to make`;
    case "summary_made":
      return pc.dim(`  ${of("tier")} summary  ${of("date")}  ${of("scope")}  (${of("by")})`);
    case "archive_finished":
      return `  archived in ${seconds(Number(event["ms"]))}: ${messages}, ${counted(Number(event["made"]), "summary", "summaries")}`;
    case "job_failed":
      return pc.yellow(`  summary of ${of("date")} not made: ${of("reason")}`);
    case "archive_backlog":
      return pc.yellow(`  ${of("date")} has failed ${of("attempts")} times; it is tried once a day now`);
    case "history_overflow":
      return pc.yellow(`  history.json is past its limit with nothing archived to remove`);
    case "file_unreadable":
      return pc.yellow(`  ${of("file")} cannot be read: ${of("reason")}; a copy is in conflicts/`);
    case "edit_conflict":
      return pc.yellow(`  ${of("file")} was edited by hand; the other version is in conflicts/`);
    case "file_renamed":
      return `  ${of("file")} has a new name: ${of("reason")}`;
    case "git_failed":
      return pc.yellow(`  not committed: ${of("reason")}`);
    case "git_moved":
      return pc.yellow(
        `  git has checked out another commit: nothing is archived there; see \`memd status\``,
      );
    case "git_back":
      return "  git is back: going on";
    case "loop_free":
      return pc.yellow(`  stood still for ${seconds(Number(event["ms"]))} (${of("doing")})`);
    case "trouble":
      return pc.red(`  ${of("reason")}`);
    case "trouble_over":
      return pc.green("  going on");
    case "restart_needed":
      return pc.yellow(`  ${of("file")}: restart needed for ${list(event["keys"])}`);
    case "settings_reloaded":
      return `  ${of("file")} counts as it is now${list(event["keys"], ": ")}`;
    case "settings_refused":
      return pc.yellow(`  ${of("reason")} What counted before goes on.`);
    default:
      return undefined;
  }
}

function list(value: unknown, before = ""): string {
  return Array.isArray(value) && value.length > 0 ? before + value.map(text).join(", ") : "";
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
