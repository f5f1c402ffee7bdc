/**
 * How long an encoder is waited for: left alone for a while when it fails, which is logged once; a
 * question's vector is waited for no longer than the settings say, and who was late for one rests too.
 */
import type { Settings } from "../../model/settings.js";
import { type Space, spaceId } from "../../model/space.js";
import { MINUTE_MS, SECOND_MS } from "../../model/time.js";
import { Resting } from "../../platform/background.js";
import type { Clock } from "../../platform/clock.js";
import type { Log } from "../../platform/log.js";
import type { Encoder, TextKind } from "./encoder.js";

export interface PatienceParts {
  encoder: Encoder;
  clock: Clock;
  settings: Settings;
  log: Log;
}

const RETRY_MINUTES = [1, 2, 5, 15, 30] as const;
/** Vectors of questions: a prompt is written several times for one input. */
const REMEMBERED = 100;

export class PatientEncoder {
  /** Why it gives no vectors at the moment. */
  fault: string | undefined;
  #failures = 0;
  #closed = false;
  readonly #resting: Resting;
  readonly #known = new Map<string, readonly number[]>();

  constructor(readonly parts: PatienceParts) {
    this.#resting = new Resting(parts.clock);
  }

  get encoder(): Encoder {
    return this.parts.encoder;
  }

  /** It failed not long ago. */
  get isResting(): boolean {
    return this.#resting.leftMs() > 0;
  }

  /** What fails from now on is nobody's fault. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.encoder.close?.();
  }

  /** One vector for each text, all of one length; undefined (and logged) where there are none. */
  async ask(
    texts: readonly string[],
    { model, of, signal }: { model: string; of: TextKind; signal?: AbortSignal },
  ): Promise<number[][] | undefined> {
    const encoded = await this.encoder.encode(texts, { model, of, ...(signal && { signal }) });
    if ("vectors" in encoded) {
      this.fault = undefined;
      this.#failures = 0;
      this.#resting.end();
      return encoded.vectors;
    }
    if (!this.#closed) this.fails(signal?.aborted === true ? this.#late : encoded.reason);
    return undefined;
  }

  /** Of a question, as many numbers as the space has; or why there are none. */
  async vectorOf(query: string, space: Space): Promise<{ values: readonly number[] } | { reason: string }> {
    const key = `${spaceId(space)} ${query}`;
    const known = this.#known.get(key);
    if (known !== undefined) return { values: known };
    if (this.isResting) return { reason: this.fault ?? `${this.encoder.title} rests` };
    const { clock, settings } = this.parts;
    const abort = new AbortController();
    const late = clock.after(settings.embedding.query_timeout_seconds * SECOND_MS, () => abort.abort());
    const { model } = space;
    const [values] = (await this.ask([query], { model, of: "question", signal: abort.signal })) ?? [];
    late.cancel();
    if (values === undefined) return { reason: this.fault ?? this.#late };
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
      log.write({ level: "warn", event: "embed_unavailable", model: this.encoder.model, reason });
    this.fault = reason;
    const minutes = RETRY_MINUTES[Math.min(this.#failures, RETRY_MINUTES.length - 1)] ?? 1;
    this.#failures += 1;
    this.#resting.rest(minutes * MINUTE_MS);
  }

  /** Somebody has changed what it failed for: it may be asked at once. */
  forgive(): void {
    this.fault = undefined;
    this.#failures = 0;
    this.#resting.end();
  }

  get #late(): string {
    return `${this.encoder.title} is late`;
  }
}
