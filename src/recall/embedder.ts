/**
 * Vectors for what is indexed, when the owner named an embedding model: passages are embedded
 * beside the ticks, a few at a time, and not while the machine has better to do. What has no vector yet is
 * asked of the index, so that a start goes on where the last one ended. What of a passage is turned into one,
 * and whether a model reads Chinese, is decided here too. An encoder that is down costs recall its second
 * signal alone.
 */
import { defined } from "../model/collections.js";
import type { Passage } from "../model/passage.js";
import { parseSpaceId, type Space, spaceId, type SpaceId } from "../model/space.js";
import { SECOND_MS } from "../model/time.js";
import { Jobs } from "../platform/background.js";
import type { Timer } from "../platform/clock.js";
import type { Machine } from "../platform/machine.js";
import { PatientEncoder, type PatienceParts } from "./embedding/patience.js";
import { pauseOn } from "./embedding/pause.js";
import { HAN_PROBE, readsHan } from "./embedding/probe.js";
import type { Embedded, Engine, QueryVector, Unembedded } from "./index/engine.js";

/** What `status` shows of the vectors. */
export interface EmbeddingStatus {
  /** Absent as long as there is nobody who may be asked; `waits` then says why. */
  model?: string;
  waits?: string;
  /** Passages with a vector of this model, and all passages. */
  embedded: number;
  passages: number;
  readsHan?: boolean;
  /** Why there are none at the moment. */
  fault?: string;
  /** Why no more are made at the moment; those that there are answer. */
  paused?: string;
}

interface EmbedderParts extends PatienceParts {
  /** Without it, nothing is ever paused. */
  machine?: Machine;
}

/** What was found out about the model of the settings. */
interface Probed {
  space: Space;
  /** False where it gives all Chinese sentences nearly the same vector. */
  readsHan: boolean;
  /** What the vectors of all questions have in common. */
  common: readonly number[];
}

/** A space that stands for so much of the memory is asked; one that only begins would hide the rest. */
const COVERS = 0.95;
/** A pause is looked at again. */
const LOOK_AGAIN_MS = 15 * SECOND_MS;
/** One filling at a time. */
const FILL = "fill";

export class Embedder {
  readonly #asked: PatientEncoder;
  #probed: Probed | undefined;
  /** Passages that are done with, by space; and all passages. */
  #counts: ReadonlyMap<SpaceId, number> = new Map();
  #passages = 0;
  /** Settles when the model and what is embedded so far are known, or cannot be. */
  #known: Promise<unknown> = Promise.resolve();
  /** What somebody has waited for in vain: nobody else does. */
  #late: Promise<unknown> | undefined;
  readonly #jobs: Jobs;
  #again = false;
  #paused: string | undefined;
  #resumes: Timer | undefined;

  constructor(readonly parts: EmbedderParts) {
    this.#asked = new PatientEncoder(parts);
    // Vectors are in no file that a tick writes, and whatever keeps them from being made costs nobody else.
    const loop = {
      exclusive: <T>(work: () => Promise<T>) => work(),
      done: () => undefined,
      fault: (error: unknown) => this.#asked.fails(String(error)),
    };
    this.#jobs = new Jobs(parts, loop, { restMs: 0 });
  }

  get status(): EmbeddingStatus | undefined {
    const { model, waits } = this.parts.encoder;
    if (model === undefined && waits === undefined) return undefined;
    const probed = this.#probed?.space.model === model ? this.#probed : undefined;
    return defined({
      model,
      waits: model === undefined ? waits : undefined,
      embedded: this.#countOf(probed?.space),
      passages: this.#passages,
      readsHan: probed?.readsHan,
      fault: this.#asked.fault,
      paused: this.#paused,
    });
  }

  /** The index has changed: what has no vector yet gets one, beside everything else. */
  fill(engine: Engine): void {
    const { encoder } = this.parts;
    if ((encoder.model === undefined && encoder.ready === undefined) || this.#asked.isResting) return;
    this.#again = true;
    if (this.#jobs.isFree(FILL)) this.#jobs.start(FILL, () => this.#fillAll(engine));
  }

  /** Who is to be asked may be another now, and may be asked at once. */
  lookAgain(): void {
    this.#asked.forgive();
  }

  /** Settles when nothing is being embedded. */
  over(): Promise<void> {
    return this.#jobs.over();
  }

  /** Undefined where words alone have to do; `reason` then says why, when somebody should know. */
  async vectorOf(query: string): Promise<{ vector?: QueryVector; reason?: string }> {
    const { encoder, settings } = this.parts;
    if (encoder.model === undefined && encoder.ready === undefined) return {};
    await this.#learned();
    const { fault } = this.#asked;
    const space = this.#spaceToAsk();
    if (space === undefined) return fault === undefined ? {} : { reason: fault };
    const isHan = LOOKS_HAN.test(query);
    if (isHan && this.#probed?.readsHan === false) return {};
    const asked = await this.#asked.vectorOf(query, space);
    if ("reason" in asked) return asked;
    // They are English questions; of Chinese ones the passages' own centre is the better guess.
    const common = isHan || space !== this.#probed?.space ? undefined : this.#probed.common;
    const { weight } = settings.embedding;
    return { vector: defined({ space: spaceId(space), values: asked.values, weight, common }) };
  }

  async close(): Promise<void> {
    this.#resumes?.cancel();
    const stopped = this.#jobs.stop();
    await this.#asked.close();
    await stopped;
  }

  /** Waits for what is being found out about the model, no longer than for a question's vector, and once. */
  async #learned(): Promise<void> {
    const { clock, settings } = this.parts;
    const known = this.#known;
    if (known === this.#late || this.#asked.isResting) return;
    await new Promise<void>((resolve) => {
      const late = clock.after(settings.embedding.query_timeout_seconds * SECOND_MS, () => {
        this.#late = known;
        resolve();
      });
      void known.then(() => {
        late.cancel();
        resolve();
      });
    });
  }

  /**
   * The model of the settings once its vectors stand for the memory; until then the one before it, where it
   * can still be asked. Undefined where words answer.
   */
  #spaceToAsk(): Space | undefined {
    const { encoder } = this.parts;
    const wanted = this.#probed?.space.model === encoder.model ? this.#probed?.space : undefined;
    const own = this.#countOf(wanted);
    if (wanted !== undefined && own >= this.#passages * COVERS) return wanted;
    const [fullest] = [...this.#counts].sort(([, a], [, b]) => b - a);
    if (fullest === undefined || fullest[1] <= own) return wanted;
    const before = parseSpaceId(fullest[0]);
    if (before === undefined) return wanted;
    return encoder.gives(before.model) ? before : undefined;
  }

  #countOf(space: Space | undefined): number {
    return space === undefined ? 0 : (this.#counts.get(spaceId(space)) ?? 0);
  }

  async #fillAll(engine: Engine): Promise<void> {
    while (this.#again && !this.#jobs.isStopping) {
      this.#again = false;
      const known = this.#learn(engine);
      this.#known = known.catch(() => undefined);
      const probed = await known;
      if (probed === undefined) return;
      const id = spaceId(probed.space);
      while (!this.#jobs.isStopping) {
        const waiting = await engine.unembedded(id, this.parts.settings.embedding.batch);
        if (waiting.length === 0) break;
        if (await this.#isPaused(engine)) return;
        const embedded = await this.#embedded(waiting, probed);
        if (embedded === undefined) return;
        await engine.embed(id, embedded);
        await this.#count(engine);
      }
      this.#paused = undefined;
      if (this.#jobs.isStopping) return;
      // Everything is in the new space: what older models made is of no more use.
      for (const other of this.#counts.keys()) if (other !== id) await engine.forgetSpace(other);
      await this.#count(engine);
    }
  }

  /** Then it is looked at again after a while; questions go on. */
  async #isPaused(engine: Engine): Promise<boolean> {
    const { encoder, machine, settings, clock } = this.parts;
    this.#paused =
      machine === undefined || !encoder.isHere ? undefined : await pauseOn(machine, settings.embedding);
    if (this.#paused === undefined || this.#jobs.isStopping) return false;
    this.#resumes?.cancel();
    this.#resumes = clock.after(LOOK_AGAIN_MS, () => this.fill(engine));
    return true;
  }

  /** Undefined where there is nothing to embed, or nobody who does it. */
  async #learn(engine: Engine): Promise<Probed | undefined> {
    await this.#count(engine);
    await this.parts.encoder.ready?.();
    return this.#passages === 0 ? undefined : this.#probe();
  }

  async #count(engine: Engine): Promise<void> {
    this.#counts = await engine.spaces();
    this.#passages = (await engine.size()).passages;
  }

  async #probe(): Promise<Probed | undefined> {
    const { encoder, settings } = this.parts;
    const { model } = encoder;
    if (model === undefined) return undefined;
    if (this.#probed?.space.model === model) return this.#probed;
    const { reads_han, revision = "" } = settings.embedding;
    const vectors = await this.#asked.ask([...HAN_PROBE, ...COMMON_QUESTIONS], { model, of: "question" });
    const dimensions = vectors?.[0]?.length;
    if (vectors === undefined || dimensions === undefined) return undefined;
    this.#probed = {
      space: { model, revision, dimensions },
      readsHan: reads_han ?? readsHan(vectors.slice(0, HAN_PROBE.length)),
      common: centreOf(vectors.slice(HAN_PROBE.length)),
    };
    return this.#probed;
  }

  /** What the model cannot read gets no vector; undefined where the encoder gives none. */
  async #embedded(waiting: readonly Unembedded[], probed: Probed): Promise<Embedded[] | undefined> {
    const { model, dimensions } = probed.space;
    const texts = waiting.map(({ passage }) => embeddingText(passage));
    const isRead = texts.map((text) => probed.readsHan || !LOOKS_HAN.test(text));
    const readable = texts.filter((_, index) => isRead[index]);
    const vectors = readable.length === 0 ? [] : await this.#asked.ask(readable, { model, of: "passage" });
    if (vectors === undefined) return undefined;
    if (vectors.some(({ length }) => length !== dimensions)) {
      this.#asked.fails(`${model} gave vectors of other sizes than ${dimensions}`);
      return undefined;
    }
    let next = 0;
    return waiting.map(({ partition, key }, index) => {
      return { partition, key, values: isRead[index] === true ? vectors[next++] : undefined };
    });
  }
}

/** Most models read no more, and say less of a long text than of a short one. */
const LONGEST_CHARS = 2_000;

export function embeddingText({ speaker, text }: Pick<Passage, "speaker" | "text">): string {
  const said = speaker === undefined ? text : `${speaker}: ${text}`;
  return said.slice(0, LONGEST_CHARS).toWellFormed();
}

export const LOOKS_HAN = /\p{Script=Han}/u;

/** Questions about anything: what their vectors have in common is that they ask, which tells nothing about where the answer stands. */
export const COMMON_QUESTIONS = [
  "What did she do last weekend?",
  "When did he go to the doctor?",
  "Where do they live?",
  "Who gave you the book?",
  "How many children do they have?",
  "Why did she leave her job?",
  "What is his favourite food?",
  "Which city did we visit?",
  "What did you recommend about the project?",
  "How long has she been working there?",
  "Did he finish the report?",
  "What are their plans for the summer?",
  "How does she feel about it?",
  "What kind of music does he like?",
  "What was the reason for the delay?",
  "When is the meeting?",
] as const;

export function centreOf(vectors: readonly (readonly number[])[]): number[] {
  const [first = []] = vectors;
  return first.map(
    (_, index) => vectors.reduce((sum, vector) => sum + (vector[index] ?? 0), 0) / vectors.length,
  );
}
