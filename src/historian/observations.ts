/**
 * What an agent left behind at the end of a turn: each observation written so
 * that it stands alone, as an event.
 */
import { defined } from "../model/collections.js";
import type { FiledMessage } from "../model/message.js";
import { inConversation, type ScopeId } from "../model/address.js";
import type { MemoryRecord } from "../model/record.js";
import { parseInstant, type EpochMs } from "../model/time.js";
import type { Refused } from "../model/work.js";
import { absolutise, problemsIn, rewritten, speakerFor, type Stated, type Statement } from "./absolutise.js";
import { type Around, aroundOf, eventsOf, type JobOutput } from "./records.js";
import type { EndJob } from "../protocol/queue-job.js";
import type { ModelWorkParts } from "../llm/job-context.js";

/** What was observed in the turn. */
export async function workObservations(
  parts: ModelWorkParts,
  id: string,
  job: EndJob,
  said: readonly FiledMessage[],
): Promise<{ to: "done"; output: JobOutput } | Refused> {
  const { gate, rewrite_retries: retries } = parts.settings.historian;
  const { at, around, recordsOf } = turnOf(parts, id, job, said);
  const { source, recent } = around;
  const saying: Statement = { id, job, at, speaker: speakerFor(around.speaker), source, recent };
  const answer = await absolutise(job.observations, (texts) => rewritten(parts, saying, texts), {
    gate,
    retries,
    force: job.force === true,
    known: [source, ...recent.map(({ name, text }) => `${name} ${text}`), around.speaker ?? ""],
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
): { at: EpochMs; around: Around; recordsOf: (stated: readonly Stated[]) => MemoryRecord[] } {
  const { user, session } = job;
  const scope = job.scope as ScopeId;
  const mine = said.filter((filed) => inConversation({ user: user ?? "", scope, session }, filed));
  const at = parseInstant(job.createdAt) ?? clock.now();
  const around = aroundOf(mine, { user, at }, settings.historian, zone);
  const { sources, trust } = around;
  const observed = { job: id, at, user, scope, session, sources, trust };
  return { at, around, recordsOf: (stated) => eventsOf(stated, observed, zone, clock.now()) };
}
