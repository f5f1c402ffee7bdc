/**
 * Keeps the windows of long conversations short (`context.profile = "full"`): what leaves one goes
 * into its rolling summary, beside the ticks. What is worth keeping goes to the historian's queue
 * first, under a name that follows from the work, then the summary replaces the old one. Killed
 * anywhere, the same work is planned again from the files.
 */
import { type Address, conversationsIn, inConversation, isGroup } from "../model/address.js";
import { messageOf } from "../model/errors.js";
import { type FiledMessage, type Utterance, utteranceOf } from "../model/message.js";
import { isoOf, MINUTE_MS } from "../model/time.js";
import type { JobId } from "../model/work.js";
import type { ObservationsJob } from "../llm/jobs/observations.js";
import type { SummaryJob } from "../llm/jobs/summary.js";
import { type Compaction, mergedCovers, planCompaction, rolledBody } from "./compaction.js";
import { type Background, Jobs, type Loop, type Put, type Tick } from "../platform/background.js";
import { sha256 } from "../platform/files.js";
import { setAside } from "../protocol/conflicts.js";
import { publishOver, readText, type FileWriter } from "../protocol/publish.js";
import { writeJobOnce } from "../protocol/queue.js";
import { parseWindow, printWindow, windowText, type WindowSummary } from "../protocol/window-file.js";
import { at, windowPath, type Workspace } from "../protocol/workspace.js";
import type { ModelWorkParts } from "../llm/job-context.js";

interface Work {
  viewer: Address;
  file: string;
  /** The file as it was read. */
  base: string | undefined;
  before: WindowSummary | undefined;
  plan: Compaction;
  id: JobId;
}

interface Made {
  by: string;
  body: string;
  /** What is worth keeping. */
  observations: string[];
}

/** After a model that could not be had, or gave nothing to use. */
const REST_MS = 10 * MINUTE_MS;

/** Of the soft limit of history.json: what is older than so many messages is about to leave it. */
const STAYING_SHARE = 3 / 4;

export class Compactor implements Background {
  readonly name = "windows";
  readonly #jobs: Jobs;

  constructor(
    readonly parts: ModelWorkParts,
    loop: Loop,
  ) {
    // The loop notices room on the disk within seconds; the model need not be asked as often.
    const failed = (file: string, error: unknown): void => this.#rest(file, messageOf(error));
    this.#jobs = new Jobs(parts, loop, { restMs: MINUTE_MS, failed });
  }

  get running(): number {
    return this.#jobs.running;
  }

  /** Begins what is due and not under way. */
  async poll({ lists }: Pick<Tick, "lists">): Promise<void> {
    const { settings } = this.parts;
    if (settings.context.profile !== "full" || this.#jobs.isStopping) return;
    const stays = Math.ceil(settings.history.soft_limit_messages * STAYING_SHARE);
    const leaving = new Set(lists.history.slice(0, -stays));
    for (const viewer of conversationsIn(lists)) {
      const file = windowPath(viewer.scope, viewer.session, viewer.user);
      if (!this.#jobs.isFree(file)) continue;
      const mine = lists.history.filter((filed) => inConversation(viewer, filed));
      const work = await this.#planned(viewer, file, mine, leaving);
      if (work !== undefined) this.#jobs.start(file, (put) => this.#work(work, put));
    }
  }

  /** Settles when nothing is being folded. */
  over(): Promise<void> {
    return this.#jobs.over();
  }

  stop(): Promise<void> {
    return this.#jobs.stop();
  }

  async #planned(
    viewer: Address,
    file: string,
    messages: readonly FiledMessage[],
    leaving: ReadonlySet<FiledMessage>,
  ): Promise<Work | undefined> {
    const { writer, workspace, settings, zone } = this.parts;
    let base: string | undefined;
    try {
      base = await readText(writer.disk, at(workspace, file));
    } catch (error) {
      // Somebody's, and no text: it is neither read nor written over.
      if (error instanceof SyntaxError) return this.#rest(file, error.message);
      throw error;
    }
    const before = base === undefined ? undefined : readable(base);
    const plan = planCompaction(messages, before, settings.context, zone, (oldest) => leaving.has(oldest));
    if (plan === undefined) return undefined;
    const about = [file, plan.through, plan.fold.map(({ message }) => message.id), base ?? ""];
    const id = sha256(JSON.stringify(about)).slice(0, 24) as JobId;
    return { viewer, file, base, before, plan, id };
  }

  /** Where what it is made of has been forgotten meanwhile, it is planned anew. */
  async #work(work: Work, put: Put): Promise<void> {
    const made = await this.#made(work);
    if (made !== undefined) await put(() => foldInto(this.parts, work, made));
  }

  async #made(work: Work): Promise<Made | undefined> {
    const { pool, zone, settings, onUsage } = this.parts;
    const { plan, before, viewer, id } = work;
    const previous = before === undefined ? "" : windowText(before);
    const isEdited = before?.edited === true;
    if (plan.fold.length === 0)
      return { by: before?.by ?? "builtin", body: before?.body ?? "", observations: [] };
    const utterances = plan.fold.map((filed) => utteranceOf(filed, zone));
    const user = isGroup(viewer.scope) ? {} : { user: viewer.user };
    const spoken = plan.fold.map((filed): Utterance => {
      const utterance = utteranceOf(filed, zone);
      // A text that somebody handed over is not what they say of themselves.
      return filed.message.scene === "document" ? { ...utterance, role: "system" } : utterance;
    });
    const noting: ObservationsJob = { kind: "observations", id, ...user, utterances: spoken };
    const date = zone.dayOf(plan.through.at);
    const told = { ...(previous !== "" && { previous }), ...(isEdited && { edited: true as const }) };
    const sections = [{ ...user, utterances, days: [], ...told }];
    const summing: SummaryJob = { kind: "summary", id, tier: "window", scope: viewer.scope, date, sections };
    const noted = await pool.run(noting);
    onUsage(noted.usage);
    if (noted.to !== "done") return this.#rest(work.file, noted.reason);
    const summed = await pool.run(summing);
    onUsage(summed.usage);
    if (summed.to !== "done") return this.#rest(work.file, summed.reason);
    const [section] = summed.result.sections;
    if (section === undefined || section.text.trim() === "") return this.#rest(work.file, "an empty answer");
    const body = rolledBody(section.text, date, settings.context, isEdited ? previous : "");
    return { by: summed.result.by, body, observations: noted.result.observations };
  }

  #rest(file: string, reason: string): undefined {
    if (this.#jobs.isStopping) return;
    this.#jobs.resting.rest(REST_MS, file);
    this.parts.log.write({ level: "warn", event: "job_failed", tier: "window", file, reason });
  }
}

function readable(text: string): WindowSummary | undefined {
  try {
    return parseWindow(text);
  } catch {
    // A head that is no YAML: its copy in conflicts/ says so when the file is written again.
    return undefined;
  }
}

/** What is worth keeping first: killed after it, the same job is handed over again. */
async function foldInto(
  { writer, workspace, log, zone }: ModelWorkParts,
  work: Work,
  { by, body, observations }: Made,
): Promise<void> {
  const { file, base, before, plan, viewer, id } = work;
  if (observations.length > 0) await handOver(writer, workspace, work, observations);
  // A head that nobody can read is somebody's edit: it stays, beside.
  if (base !== undefined && before === undefined) await setAside(writer, workspace, file, base, "unreadable");
  const { user, scope, session } = viewer;
  const next = printWindow({
    scope,
    session,
    ...(isGroup(scope) ? {} : { user }),
    by,
    through: plan.through,
    covers: mergedCovers(before?.covers ?? [], plan.fold, zone),
    body,
  });
  if (!(await publishOver(writer, at(workspace, file), next, base))) return;
  log.write({ level: "info", event: "window_compacted", scope, id, messages: plan.fold.length });
}

/** The name follows from the work: a repeat after a crash is the same job. */
async function handOver(
  writer: FileWriter,
  workspace: Workspace,
  { viewer, plan, id }: Work,
  observations: string[],
): Promise<void> {
  const createdAt = isoOf(plan.through.at);
  const { user, scope, session } = viewer;
  const of = { ...(user !== "" && { user }), scope, session };
  const job = { version: 1, kind: "end", createdAt, ...of, observations } as const;
  await writeJobOnce(writer, workspace, job, plan.through.at, id.slice(0, 8));
}
