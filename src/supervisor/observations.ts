/**
 * What was observed in a turn: written so that it stands alone, and kept as
 * records where their scope's records stand.
 */
import { isGroup, LOCAL_USER, type FiledMessage, type ScopeId } from "../model/message.js";
import { monthOf, parseInstant, type EpochMs } from "../model/time.js";
import type { AbsolutiseJob, JobId } from "../model/work.js";
import { inConversation } from "../context/inputs.js";
import { absolutise, type Stated, type ToRewrite } from "../historian/absolutise.js";
import { aroundOf, type Around } from "../historian/around.js";
import { eventsOf, settled, type Observed } from "../historian/records.js";
import type { Waiting } from "../historian/turns.js";
import { sha256 } from "../platform/hash.js";
import type { ModelWorkParts } from "./model-work-parts.js";
import { RecordShelf } from "./record-shelf.js";
import { refusalOf, type Refused } from "./refusal.js";

/** A job and what was said around it. */
export interface Turn extends Waiting {
  at: EpochMs;
  around: Around;
}

/** Where there is one user, and nobody has said their name. */
const THE_USER = "the user";

export class Observations {
  readonly #shelves = new Map<ScopeId, RecordShelf>();

  constructor(readonly parts: ModelWorkParts) {}

  turnOf({ id, job }: Waiting, said: readonly FiledMessage[]): Turn {
    const { settings, zone, clock } = this.parts;
    const address = { user: job.user ?? "", scope: job.scope as ScopeId, session: job.session };
    const mine = said.filter((filed) => inConversation(address, filed));
    const madeAt = parseInstant(job.createdAt) ?? clock.now();
    return {
      id,
      job,
      at: madeAt,
      around: aroundOf(mine, { user: job.user, at: madeAt }, settings.historian, zone),
    };
  }

  async stated(turn: Turn): Promise<{ to: "done"; stated: Stated[] } | Refused> {
    const { historian } = this.parts.settings;
    const { job, around } = turn;
    return absolutise<Refused>(job.observations, (texts) => this.#rewritten(turn, texts), {
      gate: historian.gate,
      retries: historian.rewrite_retries,
      force: job.force === true,
      known: [
        around.source,
        ...around.recent.map(({ name, text }) => `${name} ${text}`),
        around.speaker ?? "",
      ],
    });
  }

  /** How many lines that took; what stands already takes none. */
  async keep({ id, job, at, around }: Turn, stated: readonly Stated[]): Promise<number> {
    const { press, workspace, zone, clock } = this.parts;
    const observed: Observed = {
      job: id,
      at,
      user: job.user,
      scope: job.scope as ScopeId,
      session: job.session,
      sources: around.sources,
      trust: around.trust,
    };
    const shelf = this.#shelves.get(observed.scope) ?? new RecordShelf(press, workspace, observed.scope);
    this.#shelves.set(observed.scope, shelf);
    await shelf.load();
    const now = clock.now();
    const lines = settled(eventsOf(stated, observed, zone, now), shelf.known, zone);
    return shelf.add(lines, monthOf(zone.dayOf(now)));
  }

  async #rewritten(
    { id, job, at, around }: Turn,
    texts: readonly ToRewrite[],
  ): Promise<{ to: "done"; texts: readonly string[] } | Refused> {
    const { pool, zone, onUsage } = this.parts;
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
}
