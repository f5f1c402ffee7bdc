/**
 * One summary, from what is owed to its place: `planSummary` gathers what it is
 * made of, a model answers the job, `settleSummary` publishes the answer or takes
 * the next step of the retry. The answer is kept until it stands on the disk.
 */
import type { SummaryJob, SummaryOutcome } from "../llm/jobs/summary.js";
import type { Pool } from "../llm/pool.js";
import type { UsageLog } from "../llm/usage.js";
import { addAll, defined, fairShare } from "../model/collections.js";
import { type FiledMessage, shortened } from "../model/message.js";
import type { JobId } from "../model/work.js";
import type { Put } from "../platform/background.js";
import { pacer } from "../platform/clock.js";
import { contentHash } from "../platform/files.js";
import { ifNoText, ifReadable, publishOver, readText } from "../protocol/publish.js";
import { parseSummary, type SummaryFile } from "../protocol/summary.js";
import { coverHash, openVerbatim } from "../protocol/verbatim.js";
import { at, summaryPath } from "../protocol/workspace.js";
import { own } from "../text/fold.js";
import type { Archive } from "./archive.js";
import type { ArchiveContext } from "./context.js";
import type { OwedSummary } from "./owed.js";
import { isBacklog, nextAttempt, tierOf } from "./retries.js";
import { settledSummary, summaryJob, type SummaryMaterial } from "./summary-job.js";

/** How the making of one summary ended. `changed`: its sources changed meanwhile, or the day; what is owed is seen anew. */
export type SummaryEnd =
  { to: "made"; by: string } | { to: "changed" } | { to: "failed"; reason: string; attempts: number };

interface SummaryPlan {
  job: SummaryJob;
  material: SummaryMaterial;
  /** What stands in its place. */
  base: string | undefined;
}

/** Why there is nothing to ask a model: the files are not what they were when it was owed, or not what memd can read. */
type NoPlan = { to: "changed" } | { to: "unreadable"; reason: string };

/** Writes nothing. */
export async function planSummary(
  context: ArchiveContext,
  owed: OwedSummary,
): Promise<({ to: "ask" } & SummaryPlan) | NoPlan> {
  if (!isStillOwed(context, owed)) return { to: "changed" };
  try {
    const gathered = await gather(context, owed);
    if (gathered === undefined) return { to: "changed" };
    return { to: "ask", job: summaryJob(gathered.material, context.zone), ...gathered };
  } catch (error) {
    // What stands there is no text of ours: it stays, and a person has to look at it.
    if (!(error instanceof SyntaxError)) throw error;
    return { to: "unreadable", reason: error.message };
  }
}

export async function settleSummary(
  context: ArchiveContext,
  owed: OwedSummary,
  { job, material, base }: SummaryPlan,
  outcome: SummaryOutcome,
): Promise<SummaryEnd> {
  if (outcome.to !== "done") return failSummary(context, owed, outcome, job.id);
  const text = settledSummary(material, outcome.result);
  if (text === undefined) return failSummary(context, owed, { reason: "the answer was empty" }, job.id);
  const path = summaryPath(owed.scope, owed.date);
  const isPlaced = await publishOver(context.writer, at(context.workspace, path), text, base);
  await context.catalogue.recheck(path, owed.scope, "summary");
  if (!isPlaced) return { to: "changed" };
  await context.retries.settled(owed.scope, owed.date);
  return { to: "made", by: outcome.result.by };
}

/** The next step of the retry. Without a job nothing could be asked: the retry goes by what is owed. */
export async function failSummary(
  { retries, clock, settings, log }: ArchiveContext,
  { target, tier, scope, date }: OwedSummary,
  { reason, retryAfterMs }: { reason: string; retryAfterMs?: number },
  job = contentHash(target) as JobId,
): Promise<SummaryEnd> {
  const now = clock.now();
  const attempts = (retries.get(scope, date)?.attempts ?? 0) + 1;
  const nextAt = nextAttempt(attempts, now, settings.archive, retryAfterMs);
  await retries.failed({ job, tier, scope, date, attempts, failedAt: now, nextAt, reason });
  if (isBacklog(attempts, settings.archive))
    log.write({ level: "error", event: "archive_backlog", scope, date, attempts });
  return { to: "failed", reason, attempts };
}

/** It was owed by the clock of a moment ago, which may have been set back since: then the day may not even be over. */
function isStillOwed({ clock, zone, settings }: ArchiveContext, owed: OwedSummary): boolean {
  const today = zone.dayOf(clock.now());
  return owed.days.every(({ day }) => tierOf(day, today, settings.archive.recent_days).to === owed.tier);
}

/** What the job is given, and the summary that stands; undefined when a day is no longer what the catalogue saw. */
export async function gather(
  context: ArchiveContext,
  asked: OwedSummary,
): Promise<Omit<SummaryPlan, "job"> | undefined> {
  const { writer, workspace } = context;
  const read = (path: string): Promise<string | undefined> => readText(writer.disk, at(workspace, path));
  const base = await read(summaryPath(asked.scope, asked.date));
  const standing = base === undefined ? undefined : standingSummary(asked, base);
  const anew = standing === undefined ? undefined : withoutVanished(context, asked, standing);
  const owed = anew ?? asked;
  const existing = anew === undefined ? standing : undefined;
  const days: SummaryFile[] = [];
  const messages: FiledMessage[] = [];
  for (const { day, path, hash } of owed.days) {
    const ofDay =
      owed.tier === "month" ? await read(summaryPath(owed.scope, day)).catch(ifNoText) : undefined;
    const summary = ifReadable(() => parseSummary(ofDay ?? ""));
    if (summary?.covers.some((covered) => covered.day === day && covered.hash === hash) === true) {
      days.push(summary);
      continue;
    }
    const found = await messagesOf(context, path, Math.floor(MOST_JOB_CHARS / owed.days.length));
    if (coverHash(found) !== hash) return undefined;
    addAll(messages, found);
  }
  return { material: { owed, messages, days, ...defined({ existing }) }, base };
}

/** A summary is made of no more; what is longer gives the beginning and the end of its longest messages. */
const MOST_JOB_CHARS = 4_000_000;

/** Of a day, none that is private; together they are no longer than `mostChars`. */
async function messagesOf(
  { writer, workspace, clock }: ArchiveContext,
  path: string,
  mostChars: number,
): Promise<FiledMessage[]> {
  const pace = pacer(clock);
  const bytes = (await writer.disk.read(at(workspace, path))) ?? new Uint8Array();
  const glimpses = ifReadable(() => openVerbatim(bytes))?.glimpses ?? [];
  const sizes: number[] = [];
  for (const { message } of glimpses) {
    if (message.private !== true) sizes.push(message.text.length);
    await pace();
  }
  const share = Math.max(LEAST_CHARS, fairShare(sizes, mostChars));
  const messages: FiledMessage[] = [];
  for (const { message, ...filed } of glimpses) {
    if (message.private !== true) {
      // A piece of the day's text would keep all of that as long as the job waits.
      const text = shortened(message.text, share);
      messages.push(own({ ...filed, message: { ...message, text } }));
    }
    await pace();
  }
  return messages;
}

/** Of a message; one of a few words tells nothing any more. */
const LEAST_CHARS = 400;

/**
 * Where messages have vanished from a covered day (deleted by a person, or made
 * private), what the summary says of them must go too: it is made anew from all
 * its days. Undefined where nothing vanished, where a person edited it, or where
 * a day that it covers is no longer there to be read.
 */
function withoutVanished(
  { catalogue }: ArchiveContext,
  owed: OwedSummary,
  standing: SummaryFile,
): OwedSummary | undefined {
  const covered = new Map(standing.covers.map(({ day, messages }) => [day, messages]));
  const vanished = owed.days.some(({ day, messages }) => messages <= (covered.get(day) ?? -1));
  if (!vanished || standing.edited) return undefined;
  const days = [...new Set([...covered.keys(), ...owed.days.map(({ day }) => day)])].sort();
  const files = days.map((day) => catalogue.verbatimOf(owed.scope, day)[0]);
  if (files.includes(undefined)) return undefined;
  const present = files.flatMap((file) => (file?.cover === undefined ? [] : [{ ...file, hash: file.cover }]));
  return { ...owed, days: present };
}

/** A person may have thrown the head away, or broken it: then all of it is theirs and is carried on as it is. */
function standingSummary({ tier, scope, date }: OwedSummary, text: string): SummaryFile {
  const theirs = { tier, scope, date, by: "person", covers: [], sections: [], body: text, edited: true };
  return ifReadable(() => parseSummary(text)) ?? theirs;
}

/**
 * Makes one owed summary: plan → job → settle(answer). The answer is kept until
 * it stands on the disk: where that cannot be written, the model is not asked again.
 */
export interface SummaryParts {
  archive: Archive;
  pool: Pool;
  usage: UsageLog;
}

export class Summaries {
  /** Answers, refusals too, of which nothing stands on the disk yet. */
  readonly #answers = new Map<JobId, SummaryOutcome>();

  constructor(readonly parts: SummaryParts) {}

  /** `isAsked`: a model that refused is asked again. */
  async make(owed: OwedSummary, isAsked: boolean, put: Put): Promise<SummaryEnd> {
    const { summaries } = this.parts.archive;
    summaries.begin(owed.target);
    const end = await this.#make(owed, isAsked, put).finally(() => summaries.end(owed.target));
    this.#log(owed, end);
    return end;
  }

  /** What was answered may tell of what has been forgotten. */
  forget(): void {
    this.#answers.clear();
  }

  async #make(owed: OwedSummary, isAsked: boolean, put: Put): Promise<SummaryEnd> {
    const { context } = this.parts.archive;
    let end: SummaryEnd = { to: "changed" };
    const plan = await planSummary(context, owed);
    switch (plan.to) {
      case "changed":
        return end;
      case "unreadable":
        await put(async () => (end = await failSummary(context, owed, plan)));
        return end;
      case "ask": {
        const answer = await this.#answer(plan.job, isAsked);
        await put(async () => (end = await settleSummary(context, owed, plan, answer)));
        this.#answers.delete(plan.job.id);
        return end;
      }
      default:
        return plan satisfies never;
    }
  }

  async #answer(job: SummaryJob, isAsked: boolean): Promise<SummaryOutcome> {
    const { pool, usage, archive } = this.parts;
    const kept = this.#answers.get(job.id);
    if (kept !== undefined && (kept.to === "done" || !isAsked)) return kept;
    const outcome = await pool.run(job);
    this.#answers.set(job.id, outcome);
    await usage.add(outcome.usage);
    if (outcome.to === "unavailable" && outcome.reason === "budget")
      archive.context.log.write({ level: "warn", event: "budget_paused", tokens: usage.tokensToday() });
    return outcome;
  }

  #log({ tier, scope, date }: OwedSummary, end: SummaryEnd): void {
    const { context, summaries } = this.parts.archive;
    const left = summaries.all.length;
    if (end.to === "made")
      context.log.write({ level: "info", event: "summary_made", tier, scope, date, by: end.by, left });
    if (end.to === "failed") {
      const { reason, attempts } = end;
      context.log.write({ level: "warn", event: "job_failed", tier, scope, date, reason, attempts, left });
    }
  }
}
