/**
 * What an agent left behind at the end of a turn: each observation written so
 * that it stands alone, as an event.
 */
import { isGroup, LOCAL_USER, type FiledMessage, type ScopeId } from "../model/message.js";
import type { MemoryRecord } from "../model/record.js";
import { parseInstant, type EpochMs } from "../model/time.js";
import type { AbsolutiseJob, JobId } from "../model/work.js";
import { inConversation } from "../context/inputs.js";
import { absolutise, type Stated, type ToRewrite } from "../historian/absolutise.js";
import { aroundOf, type Around } from "../historian/around.js";
import { eventsOf } from "../historian/records.js";
import { sha256 } from "../platform/hash.js";
import type { EndJob } from "../protocol/queue-job.js";
import type { Brought } from "./brought.js";
import type { ModelWorkParts } from "./model-work-parts.js";
import { refusalOf, type Refused } from "./refusal.js";

/** A job and what was said around it. */
interface Turn {
  id: string;
  job: EndJob;
  at: EpochMs;
  around: Around;
}

/** Where there is one user, and nobody has said their name. */
export const THE_USER = "the user";

/** What was observed in the turn. */
export async function observed(
  parts: ModelWorkParts,
  id: string,
  job: EndJob,
  said: readonly FiledMessage[],
): Promise<{ to: "done"; brought: Brought } | Refused> {
  const turn = turnOf(parts, id, job, said);
  const { historian } = parts.settings;
  const { around } = turn;
  const answer = await absolutise<Refused>(job.observations, (texts) => rewritten(parts, turn, texts), {
    gate: historian.gate,
    retries: historian.rewrite_retries,
    force: job.force === true,
    known: [around.source, ...around.recent.map(({ name, text }) => `${name} ${text}`), around.speaker ?? ""],
  });
  if (answer.to !== "done") return answer;
  const brought: Brought = {
    job,
    records: recordsIn(parts, turn, answer.stated),
    ...(around.name === undefined ? {} : { called: around.name }),
    problems: answer.stated.flatMap(({ problem, isAbsolute }) =>
      problem === undefined ? [] : [{ problem, isAbsolute }],
    ),
  };
  return { to: "done", brought };
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

async function rewritten(
  { pool, zone, onUsage }: ModelWorkParts,
  { id, job, at, around }: Turn,
  texts: readonly ToRewrite[],
): Promise<{ to: "done"; texts: readonly string[] } | Refused> {
  const speaker = around.speaker === LOCAL_USER ? THE_USER : around.speaker;
  const work: AbsolutiseJob = {
    kind: "absolutise",
    id: sha256(JSON.stringify([id, texts])).slice(0, 24) as JobId,
    ...(job.user !== undefined && !isGroup(job.scope) ? { user: job.user } : {}),
    ...(speaker === undefined ? {} : { speaker }),
    day: zone.dayOf(at),
    clock: zone.clockOf(at).slice(0, 5),
    texts: texts.map((text) => ({ ...text })),
    source: around.source,
    recent: around.recent,
  };
  const outcome = await pool.run(work);
  onUsage(outcome.usage);
  return outcome.to === "done" ? { to: "done", texts: outcome.result.texts } : refusalOf(outcome);
}
