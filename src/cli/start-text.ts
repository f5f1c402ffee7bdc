/** What `memd start` says once there is nothing left to do. */
import pc from "picocolors";
import type { Status } from "../service/status.js";
import { counted } from "./words.js";

const WATCHING =
  "Watching inbox.json, inbox.d/, history.json and memory.md. Ctrl-C stops it; nothing is lost.";

export function readyText(status: Status, watching: boolean): string {
  const { archive, index, inbox } = status;
  return [
    `${pc.green("Ready.")} ${counted(archive.verbatimDays, "day")} word for word, ${counted(archive.summaries, "summary", "summaries")}, ${counted(index.passages, "passage")} to search; ${inbox.waiting} waiting in the inbox.`,
    ...(watching ? [pc.dim(WATCHING)] : []),
  ].join("\n");
}

/** For somebody who sees memd for the first time. */
export function sampleText(status: Status, folder: string, watching: boolean): string {
  const memd = "npx memd";
  const here = `-w ${folder}`;
  const look = (path: string, what: string): string => `  ${`${folder}/${path}`.padEnd(38)} ${pc.dim(what)}`;
  return [
    "",
    readyText(status, watching),
    "",
    pc.bold("What it made"),
    look("memory/*.md", "today and the five days before, word for word"),
    look("memory/archive/", "every older day, word for word"),
    look("memory/summary/", "a summary of each day; of older ones, of each month"),
    look("memory/records/", "what was found in the conversation"),
    look("memory/profiles/", "what is known of its user"),
    look("teller/prompt.md", "what the agent reads before its next reply"),
    "",
    pc.bold(watching ? "Try, in another terminal" : "Try"),
    `  ${memd} search "deploy timeout" ${here}`,
    `  ${memd} search 部署超时 ${here}`,
    `  ${memd} search "on-call bridge code" ${here}`,
    `  ${memd} profile show local ${here}`,
    `  ${memd} events --kind fact ${here}`,
    `  ${memd} say "What did we decide about refunds?" ${here} && ${memd} prompt ${here}`,
    `  ${memd} status ${here}`,
    "",
    pc.dim(
      `The summaries come from the built-in provider. A model of yours is one setting away: [llm] in ${folder}/memd.toml`,
    ),
  ].join("\n");
}
