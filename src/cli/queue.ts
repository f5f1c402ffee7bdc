/** `memd queue`: what waits for the historian, and what failed. */
import pc from "picocolors";
import type { QueueJob } from "../protocol/queue-job.js";
import type { AnswerOf } from "../service/operations.js";
import { printJson, printLine, type CommonOptions } from "./context.js";
import { askMemd } from "./memd.js";
import { counted, shortTime, table } from "./words.js";

const SAID_CHARS = 60;

export async function listQueue(options: CommonOptions): Promise<void> {
  const { jobs } = await askMemd(options, "listQueue", {});
  if (options.json === true) return printJson(jobs);
  if (jobs.length === 0) return printLine("Nothing waits, and nothing has failed.");
  printLine(table(["job", "state", "of", "conversation", "says"], jobs.map(rowOf)));
  const failed = jobs.filter(({ state }) => state === "failed");
  if (failed.length > 0)
    printLine(pc.dim(`\n${counted(failed.length, "job")} failed: memd queue show ID, retry ID, drop ID`));
}

export async function showJob(id: string, options: CommonOptions): Promise<void> {
  const entry = await askMemd(options, "showJob", { id });
  if (options.json === true) return printJson(entry);
  printLine(`${pc.bold(entry.id)}  ${entry.state}`);
  if (entry.error !== undefined) printLine(pc.yellow(entry.error));
  printLine(entry.job === undefined ? entry.text : JSON.stringify(entry.job, null, 2));
}

export async function retryJob(id: string, options: CommonOptions): Promise<void> {
  const entry = await askMemd(options, "retryJob", { id });
  if (options.json === true) return printJson(entry);
  printLine(`${entry.id} waits again.`);
}

export async function dropJob(id: string, options: CommonOptions): Promise<void> {
  const entry = await askMemd(options, "dropJob", { id });
  if (options.json === true) return printJson(entry);
  printLine(`Dropped ${entry.id}.`);
}

function rowOf({ id, state, job, error }: AnswerOf<"listQueue">["jobs"][number]): string[] {
  if (job === undefined) return [id, state, "", "", error ?? ""];
  const text = saidIn(job).replace(/\s+/g, " ");
  const short = text.length > SAID_CHARS ? `${text.slice(0, SAID_CHARS - 1).toWellFormed()}…` : text;
  const place = [job.user ?? "", job.scope, job.session].join("/");
  return [id, state, shortTime(job.createdAt), place, error === undefined ? short : `${short} (${error})`];
}

function saidIn(job: QueueJob): string {
  switch (job.kind) {
    case "end":
      return [job.memo, ...job.observations].filter((text) => text !== undefined).join(" · ");
    case "rounds":
      return `looks for ${job.wants.join(", ")} in: ${job.said.map(({ text }) => text).join(" · ")}`;
    case "document":
      return `looks into part ${job.window} of ${job.document}`;
    case "profile":
      return "tells a profile again from the records that stand";
    default:
      return job satisfies never;
  }
}
