/** Questions as vectors: asked for when a question comes, waited for no longer than the settings say. */
import { spaceId, type Space } from "../model/space.js";
import { SECOND_MS } from "../model/time.js";
import type { EmbeddingEndpoint } from "./embedding-endpoint.js";

/** A prompt is written several times for one input. */
const REMEMBERED = 100;

export class QueryVectors {
  readonly #known = new Map<string, readonly number[]>();

  constructor(readonly endpoint: EmbeddingEndpoint) {}

  /** As many numbers as the space has; or why there are none. */
  async of(query: string, space: Space): Promise<{ values: readonly number[] } | { reason: string }> {
    const { endpoint } = this;
    const key = `${spaceId(space)} ${query}`;
    const known = this.#known.get(key);
    if (known !== undefined) return { values: known };
    if (endpoint.isResting) return { reason: endpoint.fault ?? "the embedding endpoint rests" };
    const { clock, settings } = endpoint.parts;
    const abort = new AbortController();
    const late = clock.after(settings.embedding.query_timeout_seconds * SECOND_MS, () => abort.abort());
    const [values] = (await endpoint.ask([query], space.model, abort.signal)) ?? [];
    late.cancel();
    if (values === undefined) return { reason: endpoint.fault ?? "the embedding endpoint is late" };
    if (values.length !== space.dimensions) {
      const reason = `${space.model} gave ${values.length} numbers instead of ${space.dimensions}`;
      endpoint.fails(reason);
      return { reason };
    }
    this.#known.set(key, values);
    const [oldest] = this.#known.keys();
    if (this.#known.size > REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
    return { values };
  }
}
