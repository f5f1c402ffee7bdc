/**
 * Vectors for what is indexed and for what is asked, when the owner named an
 * embedding model: passages are embedded beside the rounds, a few at a time; a
 * question waits for its vector no longer than the settings say.
 *
 * An endpoint that is down costs recall its second signal and nothing else: it
 * is told once, shown in `status`, and asked again later and later.
 */
import type { Pool } from "../llm/pool.js";
import type { Settings } from "../model/settings.js";
import { parseSpaceId, spaceId, type Space, type SpaceId } from "../model/space.js";
import { MINUTE_MS, SECOND_MS } from "../model/time.js";
import type { EmbeddingJob, JobId, UsageRecord } from "../model/work.js";
import type { Clock } from "../platform/clock.js";
import { contentHash } from "../platform/hash.js";
import type { Log } from "../platform/log.js";
import type { Embedded, Engine, QueryVector } from "../recall/index/engine.js";
import {
  centreOf,
  COMMON_QUESTIONS,
  embeddingText,
  HAN_PROBE,
  LOOKS_HAN,
  readsHan,
} from "../recall/embedding-text.js";

interface EmbedderParts {
  pool: Pool;
  clock: Clock;
  settings: Settings;
  log: Log;
  onUsage: (usage: readonly UsageRecord[]) => void;
}

/** What `status` tells of the vectors. */
export interface EmbeddingStatus {
  model: string;
  /** Passages with a vector of this model, and all passages. */
  embedded: number;
  passages: number;
  readsHan?: boolean;
  /** Why there are none at the moment. */
  fault?: string;
}

const RETRY_MINUTES = [1, 2, 5, 15, 30] as const;
/** Questions whose vectors are kept: a prompt is written several times for one input. */
const REMEMBERED = 100;
/** A space that stands for so much of the memory is asked; one that only begins would hide the rest. */
const COVERS = 0.95;

export class Embedder {
  readonly #vectors = new Map<string, readonly number[]>();
  #space: Space | undefined;
  #readsHan: boolean | undefined;
  /** What questions have in common, by model: so many numbers long as its vectors. */
  readonly #common = new Map<SpaceId, readonly number[]>();
  #counts: ReadonlyMap<SpaceId, number> = new Map();
  #passages = 0;
  #filling: Promise<void> | undefined;
  #again = false;
  #closed = false;
  #fault: string | undefined;
  #failures = 0;
  #restUntilMs = 0;

  constructor(readonly parts: EmbedderParts) {}

  get model(): string | undefined {
    return this.parts.settings.llm.models.embedding;
  }

  get status(): EmbeddingStatus | undefined {
    if (this.model === undefined) return undefined;
    return {
      model: this.model,
      embedded: this.#space === undefined ? 0 : (this.#counts.get(spaceId(this.#space)) ?? 0),
      passages: this.#passages,
      ...(this.#readsHan === undefined ? {} : { readsHan: this.#readsHan }),
      ...(this.#fault === undefined ? {} : { fault: this.#fault }),
    };
  }

  /** The index has changed: what has no vector yet gets one, beside everything else. */
  fill(engine: Engine): void {
    if (this.model === undefined || this.#closed || this.#isResting()) return;
    this.#again = true;
    this.#filling ??= this.#fillAll(engine)
      .catch((error: unknown) => this.#tell(String(error)))
      .finally(() => {
        this.#filling = undefined;
      });
  }

  /** Settles when nothing is being embedded. */
  async rested(): Promise<void> {
    await this.#filling;
  }

  /** Undefined where words alone have to do; `reason` then says why, when somebody should know. */
  async vectorOf(query: string): Promise<{ vector?: QueryVector; reason?: string }> {
    const { settings, clock } = this.parts;
    const space = this.#spaceToAsk();
    if (this.model === undefined || space === undefined)
      return this.#fault === undefined ? {} : { reason: this.#fault };
    if (this.#readsHan === false && LOOKS_HAN.test(query)) return {};
    const id = spaceId(space);
    const key = `${id} ${query}`;
    let values = this.#vectors.get(key);
    if (values === undefined) {
      if (this.#isResting()) return { reason: this.#fault ?? "the embedding endpoint rests" };
      const abort = new AbortController();
      const late = clock.after(settings.embedding.query_timeout_seconds * SECOND_MS, () => abort.abort());
      const answer = await this.#ask([query], space, abort.signal);
      late.cancel();
      [values] = answer ?? [];
      if (values?.length !== space.dimensions) {
        if (values !== undefined)
          this.#tell(`${space.model} gave ${values.length} numbers instead of ${space.dimensions}`);
        return { reason: this.#fault ?? "the embedding endpoint is late" };
      }
      this.#vectors.set(key, values);
      const [oldest] = this.#vectors.keys();
      if (this.#vectors.size > REMEMBERED && oldest !== undefined) this.#vectors.delete(oldest);
    }
    // They are English questions; of Chinese ones the passages' own centre is the better guess.
    const common = LOOKS_HAN.test(query) ? undefined : this.#common.get(id);
    return { vector: { space: id, values, weight: settings.embedding.weight, ...(common && { common }) } };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#filling;
  }

  /** The model of the settings once its vectors stand for the memory; until then the one before it. */
  #spaceToAsk(): Space | undefined {
    const wanted = this.#space;
    const counts = [...this.#counts].sort(([, a], [, b]) => b - a);
    const own = wanted === undefined ? 0 : (this.#counts.get(spaceId(wanted)) ?? 0);
    if (wanted !== undefined && own >= this.#passages * COVERS) return wanted;
    const [fullest] = counts;
    const before = fullest === undefined ? undefined : parseSpaceId(fullest[0]);
    return before !== undefined && fullest !== undefined && fullest[1] > own ? before : wanted;
  }

  async #fillAll(engine: Engine): Promise<void> {
    while (this.#again && !this.#closed) {
      this.#again = false;
      this.#counts = await engine.spaces();
      this.#passages = (await engine.size()).passages;
      if (this.#passages === 0) return;
      const space = await this.#probed();
      if (space === undefined) return;
      const id = spaceId(space);
      while (!this.#closed) {
        const waiting = await engine.unembedded(id, this.parts.settings.embedding.batch);
        if (waiting.length === 0) break;
        const embedded = await this.#embedded(waiting, space);
        if (embedded === undefined) return;
        await engine.embed(id, embedded);
        this.#counts = await engine.spaces();
        this.#passages = (await engine.size()).passages;
      }
      if (this.#closed) return;
      // Everything is in the new space: what older models made is of no more use.
      for (const other of this.#counts.keys()) if (other !== id) await engine.forgetSpace(other);
      this.#counts = await engine.spaces();
    }
  }

  async #embedded(
    waiting: Awaited<ReturnType<Engine["unembedded"]>>,
    space: Space,
  ): Promise<Embedded[] | undefined> {
    const isRead = (text: string): boolean => this.#readsHan !== false || !LOOKS_HAN.test(text);
    const texts = waiting.map(({ passage }) => embeddingText(passage));
    const readable = texts.filter(isRead);
    const vectors = readable.length === 0 ? [] : await this.#ask(readable, space);
    if (vectors === undefined) return undefined;
    if (vectors.some(({ length }) => length !== space.dimensions)) {
      this.#tell(`${space.model} gave vectors of other sizes than ${space.dimensions}`);
      return undefined;
    }
    let next = 0;
    return waiting.map(({ wall, key }, index) => ({
      wall,
      key,
      values: isRead(texts[index] ?? "") ? vectors[next++] : undefined,
    }));
  }

  /** The space of the model in the settings: how long its vectors are, and whether it can tell Chinese sentences apart. */
  async #probed(): Promise<Space | undefined> {
    if (this.#space !== undefined) return this.#space;
    const { model } = this;
    const { reads_han, revision } = this.parts.settings.embedding;
    if (model === undefined) return undefined;
    const vectors = await this.#ask([...HAN_PROBE, ...COMMON_QUESTIONS], { model });
    const dimensions = vectors?.[0]?.length;
    if (vectors === undefined || dimensions === undefined) return undefined;
    this.#readsHan = reads_han ?? readsHan(vectors.slice(0, HAN_PROBE.length));
    this.#space = { model, revision: revision ?? "", dimensions };
    this.#common.set(spaceId(this.#space), centreOf(vectors.slice(HAN_PROBE.length)));
    return this.#space;
  }

  /** One vector for each text; undefined (and told) where the endpoint gives none. */
  async #ask(
    texts: readonly string[],
    { model }: Pick<Space, "model">,
    signal?: AbortSignal,
  ): Promise<number[][] | undefined> {
    const { pool, settings, onUsage } = this.parts;
    const { dimensions } = settings.embedding;
    const job: EmbeddingJob = {
      kind: "embedding",
      id: contentHash(JSON.stringify([model, texts])) as JobId,
      model,
      ...(dimensions === undefined ? {} : { dimensions }),
      texts: [...texts],
    };
    const outcome = await pool.run(job, signal);
    onUsage(outcome.usage);
    if (outcome.to === "done") {
      this.#recovered();
      return outcome.result.vectors;
    }
    if (!this.#closed)
      this.#tell(signal?.aborted === true ? "the embedding endpoint is late" : outcome.reason);
    return undefined;
  }

  #isResting(): boolean {
    return this.parts.clock.monotonicMs() < this.#restUntilMs;
  }

  #tell(reason: string): void {
    if (this.#fault === undefined)
      this.parts.log.write({ level: "warn", event: "embed_unavailable", model: this.model, reason });
    this.#fault = reason;
    const minutes = RETRY_MINUTES[Math.min(this.#failures, RETRY_MINUTES.length - 1)] ?? 1;
    this.#failures += 1;
    this.#restUntilMs = this.parts.clock.monotonicMs() + minutes * MINUTE_MS;
  }

  #recovered(): void {
    this.#fault = undefined;
    this.#failures = 0;
    this.#restUntilMs = 0;
  }
}
