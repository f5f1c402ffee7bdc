/**
 * The endpoint that makes vectors: asked through the pool, left alone for a while
 * when it fails, which is logged once.
 */
import { jobIdOf } from "../llm/job-id.js";
import type { Pool } from "../llm/pool.js";
import type { Settings } from "../model/settings.js";
import { MINUTE_MS } from "../model/time.js";
import type { UsageRecord } from "../model/work.js";
import type { EmbeddingJob } from "../llm/jobs/embedding.js";
import type { Clock } from "../platform/clock.js";
import type { Log } from "../platform/log.js";
import { Resting } from "../platform/resting.js";

export interface EndpointParts {
  pool: Pool;
  clock: Clock;
  settings: Settings;
  log: Log;
  onUsage: (usage: readonly UsageRecord[]) => void;
}

const RETRY_MINUTES = [1, 2, 5, 15, 30] as const;

export class EmbeddingEndpoint {
  /** Why it gives no vectors at the moment. */
  fault: string | undefined;
  #failures = 0;
  #closed = false;
  readonly #resting: Resting;

  constructor(readonly parts: EndpointParts) {
    this.#resting = new Resting(parts.clock);
  }

  /** The model of the settings. */
  get model(): string | undefined {
    return this.parts.settings.llm.models.embedding;
  }

  /** It failed not long ago. */
  get isResting(): boolean {
    return this.#resting.leftMs() > 0;
  }

  /** What fails from now on is nobody's fault. */
  close(): void {
    this.#closed = true;
  }

  /** One vector for each text, all of one length; undefined (and logged) where there are none. */
  async ask(texts: readonly string[], model: string, signal?: AbortSignal): Promise<number[][] | undefined> {
    const { pool, settings, onUsage } = this.parts;
    const { dimensions } = settings.embedding;
    const job: EmbeddingJob = {
      kind: "embedding",
      id: jobIdOf(model, texts),
      model,
      ...(dimensions === undefined ? {} : { dimensions }),
      texts: [...texts],
    };
    const outcome = await pool.run(job, signal);
    onUsage(outcome.usage);
    if (outcome.to === "done") {
      this.fault = undefined;
      this.#failures = 0;
      this.#resting.end();
      return outcome.result.vectors;
    }
    if (!this.#closed)
      this.fails(signal?.aborted === true ? "the embedding endpoint is late" : outcome.reason);
    return undefined;
  }

  /** It is asked again later, the oftener it failed the later. */
  fails(reason: string): void {
    const { log } = this.parts;
    if (this.fault === undefined)
      log.write({ level: "warn", event: "embed_unavailable", model: this.model, reason });
    this.fault = reason;
    const minutes = RETRY_MINUTES[Math.min(this.#failures, RETRY_MINUTES.length - 1)] ?? 1;
    this.#failures += 1;
    this.#resting.rest(minutes * MINUTE_MS);
  }
}
