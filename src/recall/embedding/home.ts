/**
 * Vectors of a server that runs on this machine, `llm.embedding = "auto"`: found by itself, and sent nothing
 * before the owner said yes to that server and that model. It is looked for again now and then; while it is
 * away, words answer.
 */
import { jobIdOf, type ModelWorkParts } from "../../llm/job-context.js";
import { defined } from "../../model/collections.js";
import { SECOND_MS } from "../../model/time.js";
import { boundedFetch } from "../../platform/http-client.js";
import { type Accepted, type HomeModel, readAccepted } from "../../protocol/embedding.js";
import type { Encoded, Encoder, EncodeRequest } from "./encoder.js";
import { lookAround, type Places, SERVER_TITLES } from "./home-servers.js";
import { prefixed } from "./prefixes.js";

interface HomeParts extends Pick<ModelWorkParts, "pool" | "settings" | "clock" | "workspace"> {
  writer: Pick<ModelWorkParts["writer"], "disk">;
  where: Places;
}

/** A list of models is short, and of this machine: who takes longer for it is no help for a question. */
const LIST_LIMITS = { timeoutMs: 1.5 * SECOND_MS, maxBytes: 4 * 1024 * 1024 };
const LOOK_EVERY_MS = 30 * SECOND_MS;

export class HomeEncoder implements Encoder {
  readonly isHere = true;
  /** All that were offered at the last look, best first. */
  offered: readonly HomeModel[] = [];
  accepted: Accepted | undefined;
  #lookedMs: number | undefined;

  constructor(readonly parts: HomeParts) {}

  get title(): string {
    return this.accepted === undefined ? "the server of this machine" : SERVER_TITLES[this.accepted.server];
  }

  get model(): string | undefined {
    const taken = this.#taken;
    return taken && `${taken.server}:${taken.model}`;
  }

  get waits(): string {
    const { accepted, offered, parts } = this;
    const [best] = offered;
    const other = best && `${SERVER_TITLES[best.server]} offers ${best.model}`;
    if (accepted !== undefined) {
      const gone = `${SERVER_TITLES[accepted.server]} does not offer ${accepted.model} at the moment`;
      return other === undefined ? gone : `${gone}, but ${other}: \`memd embed accept\` takes it`;
    }
    if (other !== undefined) return `${other}: \`memd embed accept\` lets memd send texts to it`;
    return parts.where.refused ?? "no Ollama or LM Studio with an embedding model answers on this machine";
  }

  async ready(): Promise<void> {
    const nowMs = this.parts.clock.monotonicMs();
    if (this.#lookedMs !== undefined && nowMs - this.#lookedMs < LOOK_EVERY_MS) return;
    await this.look();
  }

  /** What is offered and what was accepted, as it is now. */
  async look(): Promise<void> {
    const { writer, workspace, where, clock } = this.parts;
    this.#lookedMs = clock.monotonicMs();
    this.accepted = await readAccepted(writer.disk, workspace).catch(() => undefined);
    this.offered = await lookAround(where.places, boundedFetch(LIST_LIMITS));
  }

  gives(model: string): boolean {
    return model === this.model;
  }

  /** Asked without a key, whatever the settings say of endpoints elsewhere; it costs nothing, and is in no budget. */
  async encode(given: readonly string[], { model, of, signal }: EncodeRequest): Promise<Encoded> {
    const taken = this.#taken;
    if (taken === undefined || !this.gives(model)) return { reason: "it is not accepted" };
    const { pool, settings } = this.parts;
    const { dimensions } = settings.embedding;
    const job = defined({
      kind: "embedding",
      id: jobIdOf(model, of, given),
      model: taken.model,
      baseUrl: `${taken.url}/v1`,
      dimensions,
      texts: given.map((text) => prefixed(text, taken.model, of)),
    });
    const outcome = await pool.run(job, signal);
    return outcome.to === "done" ? { vectors: outcome.result.vectors } : { reason: outcome.reason };
  }

  /** Both accepted and there. */
  get #taken(): HomeModel | undefined {
    const { accepted } = this;
    return accepted && this.offered.find((offer) => isSame(offer, accepted));
  }
}

export function isSame(one: HomeModel, other: HomeModel): boolean {
  return one.server === other.server && one.url === other.url && one.model === other.model;
}
