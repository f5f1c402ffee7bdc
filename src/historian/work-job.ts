/**
 * What working a job brings, by its kind: observations written so that they
 * stand alone, findings, or a profile that stands again from the records that
 * remain. Nothing is written here.
 */
import type { ModelWorkParts } from "../llm/job-context.js";
import { inConversation, isGroup, type ScopeId } from "../model/address.js";
import { defined } from "../model/collections.js";
import type { FiledMessage } from "../model/message.js";
import type { MemoryRecord } from "../model/record.js";
import { type EpochMs, parseInstant } from "../model/time.js";
import type { Refused } from "../model/work.js";
import { documentWindow } from "../protocol/documents.js";
import { ifNoText, readText } from "../protocol/publish.js";
import type { EndJob, ProfileAgainJob, QueueJob } from "../protocol/queue-job.js";
import { allRecordFiles, parseRecords } from "../protocol/records.js";
import { at } from "../protocol/workspace.js";
import {
  absolutise,
  idsTold,
  problemsIn,
  rewritten,
  speakerFor,
  type Stated,
  type Statement,
} from "./absolutise.js";
import { partOf, workFindings } from "./findings.js";
import { type Around, aroundOf, calledIn, eventsOf, type JobOutput } from "./records.js";

/** `said`: what stands in history.json and waits in inbox.json. */
export async function workJob(
  parts: ModelWorkParts,
  id: string,
  job: QueueJob,
  said: readonly FiledMessage[],
): Promise<{ to: "done"; output: JobOutput } | Refused> {
  switch (job.kind) {
    case "end":
      return workObservations(parts, id, job, said);
    case "rounds":
      return workFindings(parts, id, job, { of: "conversation", ...job });
    case "document": {
      const window = await documentWindow(parts.writer, parts.workspace, job);
      // Another text has replaced it: that one has jobs of its own.
      if (window === undefined) return { to: "done", output: { job, records: [], problems: [] } };
      return workFindings(parts, id, job, partOf(job, window));
    }
    case "profile":
      return { to: "done", output: await retell(parts, job, said) };
    default:
      return job satisfies never;
  }
}

/** What was observed in the turn. */
async function workObservations(
  parts: ModelWorkParts,
  id: string,
  job: EndJob,
  said: readonly FiledMessage[],
): Promise<{ to: "done"; output: JobOutput } | Refused> {
  const { gate, rewrite_retries: retries } = parts.settings.historian;
  const { madeAt, around, recordsOf } = turnOf(parts, id, job, said);
  const { source, recent } = around;
  const saying: Statement = { id, job, at: madeAt, speaker: speakerFor(around.speaker), source, recent };
  const answer = await absolutise(job.observations, (texts) => rewritten(parts, saying, texts), {
    gate,
    retries,
    force: job.force === true,
    known: idsTold(
      [...recent.map(({ name }) => name), ...[around.speaker, job.user].filter((name) => name !== undefined)],
      [source, ...recent.map(({ text }) => text)],
    ),
  });
  if (answer.to !== "done") return answer;
  const records = recordsOf(answer.stated);
  const called = defined({ called: around.name });
  return { to: "done", output: { job, records, ...called, problems: problemsIn(answer.stated) } };
}

/** What was observed is never gone: at last it stands as it was said, and says so. */
export function asSaid(
  parts: ModelWorkParts,
  id: string,
  job: EndJob,
  said: readonly FiledMessage[],
): MemoryRecord[] {
  const { recordsOf } = turnOf(parts, id, job, said);
  return recordsOf(job.observations.map((text) => ({ text, isAbsolute: false })));
}

/** When a turn was, what was said around it, and the records of what was observed in it. */
function turnOf(
  { settings, zone, clock }: ModelWorkParts,
  id: string,
  job: EndJob,
  said: readonly FiledMessage[],
): { madeAt: EpochMs; around: Around; recordsOf: (stated: readonly Stated[]) => MemoryRecord[] } {
  const { user, session } = job;
  const scope = job.scope as ScopeId;
  const mine = said.filter((filed) => inConversation({ user: user ?? "", scope, session }, filed));
  const madeAt = parseInstant(job.createdAt) ?? clock.now();
  const around = aroundOf(mine, { user, at: madeAt }, settings.historian, zone);
  const { sources, trust } = around;
  const observed = { job: id, at: madeAt, user, scope, session, sources, trust };
  return { madeAt, around, recordsOf: (stated) => eventsOf(stated, observed, zone, clock.now()) };
}

/** What a provider is standing of at once; the newest count. */
const MOST_RECORDS = 100;

/** What such a job brings: the records that still tell of its user, or its group, and what the user is called by now. */
async function retell(
  { writer, workspace }: Pick<ModelWorkParts, "writer" | "workspace">,
  job: ProfileAgainJob,
  said: readonly FiledMessage[],
): Promise<JobOutput> {
  const isOf = ({ user, scope }: MemoryRecord): boolean =>
    isGroup(job.scope) ? scope === job.scope : user === job.user;
  const standing: MemoryRecord[] = [];
  for (const file of await allRecordFiles(writer.disk, workspace)) {
    const text = await readText(writer.disk, at(workspace, file)).catch(ifNoText);
    for (const record of parseRecords(text ?? ""))
      if (isOf(record) && record.supersededAt === undefined) standing.push(record);
  }
  const profileFrom = standing.sort((one, other) => one.at - other.at).slice(-MOST_RECORDS);
  return { job, records: [], profileFrom, ...defined({ called: calledIn(said, job.user) }), problems: [] };
}
