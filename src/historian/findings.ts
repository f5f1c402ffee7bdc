/**
 * What is found in exchanges of a conversation, or in a part of a document, that
 * nobody observed explicitly: asked for once, and made to stand alone. What
 * cannot be is left out; the words themselves are kept anyway.
 */
import { defined } from "../model/collections.js";
import type { Utterance } from "../model/message.js";
import { LOCAL_USER, type ScopeId } from "../model/address.js";
import { isoOf, parseInstant, type EpochMs } from "../model/time.js";
import { pacer } from "../platform/clock.js";
import { leastTrusted, type Trust, trustOf } from "../model/record.js";
import type { ExtractJob } from "../llm/jobs/extract.js";
import type { Refused } from "../model/work.js";
import {
  absolutise,
  driftOf,
  idsIn,
  idsTold,
  problemsIn,
  rewritten,
  speakerFor,
  type Statement,
} from "./absolutise.js";
import { type JobOutput, nameWithId, recordsOf } from "./records.js";
import { pointersIn } from "../text/pointers.js";
import { type Look, WANTED } from "./exchanges.js";
import { documentSource } from "../protocol/document.js";
import type { DocumentJob, FoundLine, ExchangesJob, SpokenLine } from "../protocol/queue-job.js";
import type { DocumentWindow } from "../protocol/documents.js";
import { jobIdOf, type ModelWorkParts } from "../llm/job-context.js";

/** What is looked at, and on whose behalf. */
export interface Matter extends Look {
  of: ExtractJob["of"];
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
  const at = parseInstant(job.createdAt) ?? clock.now();
  const known: Extracted | undefined = job.found && { to: "done", found: job.found, problems: [] };
  const asked = known ?? (await extracted(parts, { id, job, matter, at }));
  if (asked.to !== "done") return asked;
  const byId = new Map([...matter.earlier, ...matter.said].map((line) => [line.id, line]));
  const named = (sources: readonly string[]): SpokenLine[] =>
    sources.flatMap((source) => byId.get(source) ?? []);
  const trust = (sources: readonly string[]): Trust =>
    matter.of === "document" ? "document" : leastTrusted(named(sources).map(trustOf));
  const records = recordsOf(
    asked.found.filter(({ kind, sources }) => kind !== "trait" || isTheirs(trust(sources))),
    { job: id, user: job.user, scope: job.scope as ScopeId, session: job.session },
    { saidAt: (sources) => parseInstant(named(sources).at(-1)?.at ?? "") ?? at, trustOf: trust },
    { zone, now: clock.now(), foresightDays: settings.historian.foresight_days },
  );
  const called = calledIn(matter.said);
  const output = { job: { ...job, found: asked.found }, records, ...(called && { called }) };
  return { to: "done", output: { ...output, problems: asked.problems } };
}

/** What a tool gave or a document says is nobody's trait, whoever tells it as one. */
function isTheirs(trust: Trust): boolean {
  return trust === "human" || trust === "agent";
}

interface Asked {
  id: string;
  job: ExchangesJob | DocumentJob;
  matter: Matter;
  /** When it was over, or was added. */
  at: EpochMs;
}

type Extracted = { to: "done"; found: FoundLine[]; problems: JobOutput["problems"] } | Refused;

async function extracted(parts: ModelWorkParts, asked: Asked): Promise<Extracted> {
  const { pool, zone, onUsage } = parts;
  const { id, job, matter, at } = asked;
  const work: ExtractJob = {
    kind: "extract",
    id: jobIdOf(id, "extract"),
    ...defined({ user: job.user }),
    of: matter.of,
    wants: matter.wants,
    ...defined({ speaker: speakerIn(matter, job.user) }),
    day: zone.dayOf(at),
    earlier: matter.earlier.map((line) => asUtterance(line, zone, at)),
    utterances: matter.said.map((line) => asUtterance(line, zone, at)),
  };
  const outcome = await pool.run(work);
  onUsage(outcome.usage);
  if (outcome.to !== "done") return outcome;
  const all = [...matter.earlier, ...matter.said];
  const lines = outcome.result.findings.map(({ from, ...finding }): FoundLine => {
    const sources = from.flatMap((line) => all[line - 1]?.id ?? []);
    const whole = (finding.kind === "episode" ? all : matter.said).map((line) => line.id);
    return { ...finding, isAbsolute: true, sources: [...new Set(sources.length > 0 ? sources : whole)] };
  });
  return standing(parts, asked, lines, outcome.result.by !== "builtin");
}

/** Those that stand alone, made to where a model can. */
async function standing(
  parts: ModelWorkParts,
  { id, job, matter, at }: Asked,
  lines: readonly FoundLine[],
  byModel: boolean,
): Promise<Extracted> {
  const { gate, rewrite_retries: retries, recent_messages: recentMessages } = parts.settings.historian;
  const speaker = speakerIn(matter, job.user);
  const pace = pacer(parts.clock);
  const all = [...matter.earlier, ...matter.said];
  const known = idsTold(
    [...all.map(({ name }) => name), ...[speaker, job.user].filter((name) => name !== undefined)],
    [],
  );
  for (const { text } of all) {
    for (const mentioned of idsIn(text)) known.add(mentioned);
    await pace();
  }
  // An id that nobody mentioned is of somebody else: no other wording mends that.
  const told = lines.filter(({ text }) => driftOf("", text, known).invented.length === 0);
  const names = [...(speaker === undefined ? [] : [speaker]), ...namesIn(matter)];
  const open = told.filter(
    ({ text }) => gate !== "off" && pointersIn(text, subjectOf(text, names)).length > 0,
  );
  if (open.length === 0 || gate === "warn") return { to: "done", found: told, problems: [] };
  const recent = matter.said.slice(-recentMessages).map((line) => asUtterance(line, parts.zone, at));
  const saying: Statement = { id, job, at, speaker, source: "", recent };
  const texts = byModel ? open.map(({ text }) => text) : [];
  const options = { gate, retries, force: false, known };
  const answer = await absolutise(texts, (again) => rewritten(parts, saying, again), options);
  if (answer.to !== "done") return answer;
  const stated = new Map(open.map((line, index) => [line, answer.stated[index]]));
  const found = told.flatMap((line): FoundLine[] => {
    if (!stated.has(line)) return [line];
    const answered = stated.get(line);
    return answered?.isAbsolute === true
      ? [{ ...line, said: line.said ?? line.text, text: answered.text }]
      : [];
  });
  return { to: "done", found, problems: problemsIn(answer.stated) };
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

/** Who may be spoken of: whoever said something, by their names. */
function namesIn({ earlier, said }: Matter): string[] {
  return [...new Set([...earlier, ...said].map(({ name }) => name)), ...NAMELESS];
}

/** As those are called of whom nobody has said a name. */
const NAMELESS = ["the user", "用户"];

/** Whom a text begins with. */
function subjectOf(text: string, names: readonly string[]): string | undefined {
  return names.find((name) => name !== "" && text.toLowerCase().startsWith(name.toLowerCase()));
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
