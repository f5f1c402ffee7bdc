/**
 * The endpoint that makes vectors: asked through the pool, left alone for a while
 * when it fails, which is logged once. A question's vector is waited for no longer than
 * the settings say.
 */
import { jobIdOf, type ModelWorkParts } from "../llm/job-context.js";
import { defined } from "../model/collections.js";
import { type Space, spaceId } from "../model/space.js";
import { MINUTE_MS, SECOND_MS } from "../model/time.js";
import { Resting } from "../platform/background.js";

export type EndpointParts = Pick<ModelWorkParts, "pool" | "clock" | "settings" | "log" | "onUsage">;

const RETRY_MINUTES = [1, 2, 5, 15, 30] as const;
/** Vectors of questions: a prompt is written several times for one input. */
const REMEMBERED = 100;

export class EmbeddingEndpoint {
  /** Why it gives no vectors at the moment. */
  fault: string | undefined;
  #failures = 0;
  #closed = false;
  readonly #resting: Resting;
  readonly #known = new Map<string, readonly number[]>();

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
  async ask(given: readonly string[], model: string, signal?: AbortSignal): Promise<number[][] | undefined> {
    const { pool, settings, onUsage } = this.parts;
    const { dimensions } = settings.embedding;
    const id = jobIdOf(model, given);
    const texts = [...given];
    const job = defined({ kind: "embedding", id, model, dimensions, texts });
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

  /** Of a question, as many numbers as the space has; or why there are none. */
  async vectorOf(query: string, space: Space): Promise<{ values: readonly number[] } | { reason: string }> {
    const key = `${spaceId(space)} ${query}`;
    const known = this.#known.get(key);
    if (known !== undefined) return { values: known };
    if (this.isResting) return { reason: this.fault ?? "the embedding endpoint rests" };
    const { clock, settings } = this.parts;
    const abort = new AbortController();
    const late = clock.after(settings.embedding.query_timeout_seconds * SECOND_MS, () => abort.abort());
    const [values] = (await this.ask([query], space.model, abort.signal)) ?? [];
    late.cancel();
    if (values === undefined) return { reason: this.fault ?? "the embedding endpoint is late" };
    if (values.length !== space.dimensions) {
      const reason = `${space.model} gave ${values.length} numbers instead of ${space.dimensions}`;
      this.fails(reason);
      return { reason };
    }
    this.#known.set(key, values);
    const [oldest] = this.#known.keys();
    if (this.#known.size > REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
    return { values };
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
