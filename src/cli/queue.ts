/** `memd queue`: what waits for the historian, and what failed. */
import pc from "picocolors";
import type { QueueJob } from "../protocol/queue-job.js";
import type { AnswerOf } from "../service/operations.js";
import { tell, type CommonOptions } from "./context.js";
import { askMemd } from "./memd.js";
import { counted, shortTime, table } from "./words.js";

const SAID_CHARS = 60;

export async function listQueue(options: CommonOptions): Promise<void> {
  const { jobs } = await askMemd(options, "listQueue", {});
  tell(options, jobs, () => {
    if (jobs.length === 0) return "Nothing waits, and nothing has failed.";
    const failed = jobs.filter(({ state }) => state === "failed").length;
    const advice = pc.dim(`\n${counted(failed, "job")} failed: memd queue show ID, retry ID, drop ID`);
    const shown = table(["job", "state", "of", "conversation", "says"], jobs.map(rowOf));
    return failed === 0 ? shown : [shown, advice];
  });
}

export async function showJob(given: string, options: CommonOptions): Promise<void> {
  tell(options, await askMemd(options, "showJob", { id: given }), ({ id, state, error, job, text }) => [
    `${pc.bold(id)}  ${state}`,
    ...(error === undefined ? [] : [pc.yellow(error)]),
    job === undefined ? text : JSON.stringify(job, null, 2),
  ]);
}

export async function retryJob(given: string, options: CommonOptions): Promise<void> {
  tell(options, await askMemd(options, "retryJob", { id: given }), ({ id }) => `${id} waits again.`);
}

export async function dropJob(given: string, options: CommonOptions): Promise<void> {
  tell(options, await askMemd(options, "dropJob", { id: given }), ({ id }) => `Dropped ${id}.`);
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
