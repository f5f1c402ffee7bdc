/**
 * What is found in exchanges of a conversation, or in a part of a document, that
 * nobody observed explicitly: asked for once, and made to stand alone. What
 * cannot be is left out; the words themselves are kept anyway.
 */
import { defined } from "../model/collections.js";
import type { MessageId, Utterance } from "../model/message.js";
import { LOCAL_USER, type ScopeId } from "../model/address.js";
import { isoOf, parseInstant, type EpochMs } from "../model/time.js";
import { leastTrusted, type Trust, trustOf } from "../model/record.js";
import type { FindingKind } from "../model/found.js";
import type { ExtractJob } from "../llm/jobs/extract.js";
import { absolutise, driftOf, rewritten, speakerFor, type Statement, type ToRewrite } from "./absolutise.js";
import { nameWithId, recordsOf } from "./records.js";
import { pointersIn } from "./gate.js";
import { WANTED } from "./exchanges.js";
import { documentSource } from "../protocol/document.js";
import type { DocumentJob, FoundLine, ExchangesJob, SpokenLine } from "../protocol/queue-job.js";
import { type JobOutput, refusalOf, type Refused } from "./job-output.js";
import type { DocumentWindow } from "../protocol/documents.js";
import { jobIdOf, type ModelWorkParts } from "../llm/job-context.js";

/** What is looked at, and on whose behalf. */
export interface Matter {
  of: ExtractJob["of"];
  wants: readonly FindingKind[];
  earlier: readonly SpokenLine[];
  said: readonly SpokenLine[];
}

export function matterOf({ wants, earlier, said }: ExchangesJob): Matter {
  return { of: "conversation", wants, earlier, said };
}

/** A part of a document is a stretch of its own: one thing that was said, on the day on which it was added. */
export function partOf(job: DocumentJob, { text, title, addedAt }: DocumentWindow): Matter {
  const { exchange, stretch } = WANTED.document;
  const at = addedAt === undefined ? job.createdAt : isoOf(addedAt);
  const id = documentSource(job.document, job.hash);
  return {
    of: "document",
    wants: [...exchange, ...stretch],
    earlier: [],
    said: [{ id, at, role: "system", name: title, text }],
  };
}

/** Everything that is found, or what was found when it was tried before. */
export async function workFindings(
  parts: ModelWorkParts,
  id: string,
  job: ExchangesJob | DocumentJob,
  matter: Matter,
): Promise<{ to: "done"; output: JobOutput } | Refused> {
  const { settings, zone, clock } = parts;
  const asked = job.found === undefined ? await extracted(parts, id, job, matter) : undefined;
  if (asked !== undefined && asked.to !== "done") return asked;
  const lines = job.found ?? asked?.found ?? [];
  const all = [...matter.earlier, ...matter.said];
  const at = parseInstant(job.createdAt) ?? clock.now();
  const byId = new Map(all.map((line) => [line.id, line]));
  const named = (sources: readonly string[]): SpokenLine[] =>
    sources.flatMap((source) => byId.get(source) ?? []);
  const isDocument = matter.of === "document";
  const trust = (sources: readonly string[]): Trust =>
    isDocument ? "document" : leastTrusted(named(sources).map(trustOf));
  const records = recordsOf(
    lines.filter(({ kind, sources }) => kind !== "trait" || isTheirs(trust(sources))),
    {
      job: id,
      at,
      user: job.user,
      scope: job.scope as ScopeId,
      session: job.session,
      sources: all.map((line) => line.id as MessageId),
      trust: isDocument ? "document" : "agent",
    },
    {
      saidAt: (sources) => parseInstant(named(sources).at(-1)?.at ?? "") ?? at,
      trustOf: trust,
    },
    { zone, now: clock.now(), foresightDays: settings.historian.foresight_days },
  );
  const called = calledIn(matter.said);
  const output = { job: { ...job, found: lines }, records, ...(called && { called }) };
  return { to: "done", output: { ...output, problems: asked?.problems ?? [] } };
}

/** What a tool gave or a document says is nobody's trait, whoever tells it as one. */
function isTheirs(trust: Trust): boolean {
  return trust === "human" || trust === "agent";
}

type Problems = JobOutput["problems"];

async function extracted(
  parts: ModelWorkParts,
  id: string,
  job: ExchangesJob | DocumentJob,
  matter: Matter,
): Promise<{ to: "done"; found: FoundLine[]; problems: Problems } | Refused> {
  const { pool, zone, clock, onUsage } = parts;
  const at = parseInstant(job.createdAt) ?? clock.now();
  const speaker = speakerIn(matter, job.user);
  const work: ExtractJob = {
    kind: "extract",
    id: jobIdOf(id, "extract"),
    ...defined({ user: job.user }),
    of: matter.of,
    wants: [...matter.wants],
    ...defined({ speaker }),
    day: zone.dayOf(at),
    earlier: matter.earlier.map((line) => asUtterance(line, zone, at)),
    utterances: matter.said.map((line) => asUtterance(line, zone, at)),
  };
  const outcome = await pool.run(work);
  onUsage(outcome.usage);
  if (outcome.to !== "done") return refusalOf(outcome);
  const all = [...matter.earlier, ...matter.said];
  const lines = outcome.result.findings.map(({ from, ...finding }): FoundLine => {
    const sources = from.flatMap((line) => all[line - 1]?.id ?? []);
    const whole = (finding.kind === "episode" ? all : matter.said).map((line) => line.id);
    return { ...finding, isAbsolute: true, sources: [...new Set(sources.length > 0 ? sources : whole)] };
  });
  return standing(parts, id, job, matter, lines, outcome.result.by !== "builtin");
}

/** Those that stand alone, made to where a model can. */
async function standing(
  parts: ModelWorkParts,
  id: string,
  job: ExchangesJob | DocumentJob,
  matter: Matter,
  lines: readonly FoundLine[],
  byModel: boolean,
): Promise<{ to: "done"; found: FoundLine[]; problems: Problems } | Refused> {
  const { gate, rewrite_retries: retries } = parts.settings.historian;
  const known = [...matter.earlier, ...matter.said].map(({ name, text }) => `${name} ${text}`);
  known.push(speakerIn(matter, job.user) ?? "");
  // An id that nobody mentioned is of somebody else: no other wording mends that.
  const told = lines.filter(({ text }) => driftOf("", text, known).invented.length === 0);
  const open = told.filter(({ text }) => gate !== "off" && pointersIn(text).length > 0);
  if (open.length === 0 || gate === "warn") return { to: "done", found: told, problems: [] };
  const { zone, clock, settings } = parts;
  const at = parseInstant(job.createdAt) ?? clock.now();
  const recent = matter.said
    .slice(-settings.historian.recent_messages)
    .map((line) => asUtterance(line, zone, at));
  const saying: Statement = { id, job, at, speaker: speakerIn(matter, job.user), source: "", recent };
  const rewrite = (texts: readonly ToRewrite[]): ReturnType<typeof rewritten> =>
    rewritten(parts, saying, texts);
  const answer = byModel
    ? await absolutise<Refused>(
        open.map(({ text }) => text),
        rewrite,
        { gate, retries, force: false, known },
      )
    : undefined;
  if (answer !== undefined && answer.to !== "done") return answer;
  const stated = new Map(open.map((line, index) => [line, answer?.stated[index]]));
  const kept = told.flatMap((line): FoundLine[] => {
    if (!stated.has(line)) return [line];
    const answered = stated.get(line);
    return answered?.isAbsolute === true ? [{ ...line, text: answered.text }] : [];
  });
  const problems = [...stated.values()].flatMap((answered) =>
    answered?.problem === undefined ? [] : [{ problem: answered.problem, isAbsolute: answered.isAbsolute }],
  );
  return { to: "done", found: kept, problems };
}

/** A text that somebody handed over is not what they say of themselves. */
function asUtterance(
  { at, role, name, text, scene }: SpokenLine,
  zone: ModelWorkParts["zone"],
  otherwise: EpochMs,
): Utterance {
  const moment = parseInstant(at) ?? otherwise;
  return {
    at,
    day: zone.dayOf(moment),
    clock: zone.clockOf(moment).slice(0, 5),
    role: scene === "document" ? "system" : role,
    name,
    text,
  };
}

function speakerIn({ of, said, earlier }: Matter, user: string | undefined): string | undefined {
  if (user === undefined || of === "document") return undefined;
  return speakerFor(nameWithId(calledIn([...earlier, ...said]), user));
}

/** What they are called, where a line says so. */
function calledIn(said: readonly SpokenLine[]): string | undefined {
  const name = said.findLast(({ role }) => role === "user")?.name;
  return name === LOCAL_USER || name === "user" ? undefined : name;
}
