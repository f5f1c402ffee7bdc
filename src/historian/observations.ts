/**
 * What an agent left behind at the end of a turn: each observation written so
 * that it stands alone, as an event.
 */
import { defined } from "../model/collections.js";
import type { FiledMessage } from "../model/message.js";
import { inConversation, type ScopeId } from "../model/address.js";
import type { MemoryRecord } from "../model/record.js";
import { parseInstant, type EpochMs } from "../model/time.js";
import { absolutise, rewritten, speakerFor, type Stated, type Statement } from "./absolutise.js";
import { type Around, aroundOf, eventsOf } from "./records.js";
import type { EndJob } from "../protocol/queue-job.js";
import type { JobOutput, Refused } from "./job-output.js";
import type { ModelWorkParts } from "../llm/job-context.js";

/** A job and what was said around it. */
interface Turn {
  id: string;
  job: EndJob;
  at: EpochMs;
  around: Around;
}

/** What was observed in the turn. */
export async function workObservations(
  parts: ModelWorkParts,
  id: string,
  job: EndJob,
  said: readonly FiledMessage[],
): Promise<{ to: "done"; output: JobOutput } | Refused> {
  const turn = turnOf(parts, id, job, said);
  const { historian } = parts.settings;
  const { around, at } = turn;
  const { source, recent } = around;
  const saying: Statement = { id, job, at, speaker: speakerFor(around.speaker), source, recent };
  const answer = await absolutise<Refused>(job.observations, (texts) => rewritten(parts, saying, texts), {
    gate: historian.gate,
    retries: historian.rewrite_retries,
    force: job.force === true,
    known: [around.source, ...around.recent.map(({ name, text }) => `${name} ${text}`), around.speaker ?? ""],
  });
  if (answer.to !== "done") return answer;
  const output: JobOutput = {
    job,
    records: recordsIn(parts, turn, answer.stated),
    ...defined({ called: around.name }),
    problems: answer.stated.flatMap(({ problem, isAbsolute }) =>
      problem === undefined ? [] : [{ problem, isAbsolute }],
    ),
  };
  return { to: "done", output };
}

/** What was observed is never gone: at last it stands as it was said, and says so. */
export function asSaid(
  parts: ModelWorkParts,
  id: string,
  job: EndJob,
  said: readonly FiledMessage[],
): MemoryRecord[] {
  const stated = job.observations.map((text): Stated => ({ text, isAbsolute: false }));
  return recordsIn(parts, turnOf(parts, id, job, said), stated);
}

function turnOf(
  { settings, zone, clock }: ModelWorkParts,
  id: string,
  job: EndJob,
  said: readonly FiledMessage[],
): Turn {
  const address = { user: job.user ?? "", scope: job.scope as ScopeId, session: job.session };
  const mine = said.filter((filed) => inConversation(address, filed));
  const at = parseInstant(job.createdAt) ?? clock.now();
  return { id, job, at, around: aroundOf(mine, { user: job.user, at }, settings.historian, zone) };
}

function recordsIn(
  { zone, clock }: ModelWorkParts,
  { id, job, at, around }: Turn,
  stated: readonly Stated[],
): MemoryRecord[] {
  const of = {
    job: id,
    at,
    user: job.user,
    scope: job.scope as ScopeId,
    session: job.session,
    sources: around.sources,
    trust: around.trust,
  };
  return eventsOf(stated, of, zone, clock.now());
}
