/**
 * The vectors of one space in one partition, and which of them are nearest. Pure. A plain scan:
 * 50,000 vectors of 256 numbers take some 10 ms, with nothing to build and nothing that finds less
 * under a filter. They are compared around their common centre: encoders put all texts of one kind
 * into one corner, and what they have in common tells nothing.
 */

/** Unit length; undefined for one that points nowhere. */
export function unitVector(values: ArrayLike<number>): Float32Array | undefined {
  let square = 0;
  for (let index = 0; index < values.length; index++) square += (values[index] ?? 0) ** 2;
  if (!(square > 0) || !Number.isFinite(square)) return undefined;
  const length = Math.sqrt(square);
  return Float32Array.from(values, (value) => value / length);
}

export class VectorStore<Key> {
  readonly #vectors = new Map<Key, Float32Array>();
  #sum: Float64Array | undefined;

  get size(): number {
    return this.#vectors.size;
  }

  get sum(): Float64Array | undefined {
    return this.#sum;
  }

  get(key: Key): Float32Array | undefined {
    return this.#vectors.get(key);
  }

  set(key: Key, vector: Float32Array): void {
    this.delete(key);
    this.#vectors.set(key, vector);
    this.#sum ??= new Float64Array(vector.length);
    addTo(this.#sum, vector, 1);
  }

  delete(key: Key): void {
    const vector = this.#vectors.get(key);
    if (vector === undefined || this.#sum === undefined) return;
    this.#vectors.delete(key);
    addTo(this.#sum, vector, -1);
  }

  /** The keys of the nearest, best first; of those that `accept` lets through. */
  nearest(near: Nearness, most: number, accept: (key: Key) => boolean): Key[] {
    const found: { key: Key; fit: number }[] = [];
    let least = 0;
    for (const [key, vector] of this.#vectors) {
      const fit = near(vector);
      if (fit <= least || !accept(key)) continue;
      found.push({ key, fit });
      if (found.length < most * 2) continue;
      keepBest(found, most);
      least = found.at(-1)?.fit ?? 0;
    }
    keepBest(found, most);
    return found.map(({ key }) => key);
  }
}

function addTo(sum: Float64Array, vector: ArrayLike<number>, sign: 1 | -1): void {
  for (let index = 0; index < vector.length; index++)
    sum[index] = (sum[index] ?? 0) + sign * (vector[index] ?? 0);
}

function keepBest(found: { fit: number }[], most: number): void {
  found.sort((a, b) => b.fit - a.fit);
  found.length = Math.min(found.length, most);
}

/** How near a vector is to what is asked: −1 to 1. */
export type Nearness = (vector: Float32Array) => number;

/** Of so many vectors the centre counts half: three texts have no common corner. */
const HALF_KNOWN_CENTRE = 50;

/** `shelves`: all that are asked together. */
export function nearnessTo(
  asked: Float32Array,
  common: readonly number[] | undefined,
  shelves: readonly { sum: Float64Array | undefined; size: number }[],
): Nearness {
  const centre = new Float64Array(asked.length);
  let size = 0;
  for (const store of shelves) {
    if (store.sum?.length !== asked.length) continue;
    size += store.size;
    addTo(centre, store.sum, 1);
  }
  for (let index = 0; index < centre.length; index++)
    centre[index] = (centre[index] ?? 0) / (size + HALF_KNOWN_CENTRE);

  const from = new Float64Array(asked.length);
  let askedSquare = 0;
  let askedOnCentre = 0;
  let centreSquare = 0;
  for (let index = 0; index < from.length; index++) {
    const here = centre[index] ?? 0;
    const value = (asked[index] ?? 0) - (common?.[index] ?? here);
    from[index] = value;
    askedSquare += value * value;
    askedOnCentre += value * here;
    centreSquare += here * here;
  }
  // (v − c)·q′ = v·q′ − c·q′ and |v − c|² = 1 − 2 v·c + |c|², so that each vector is gone through once.
  return (vector) => {
    if (vector.length !== from.length) return 0;
    let onAsked = 0;
    let onCentre = 0;
    for (let index = 0; index < from.length; index++) {
      const value = vector[index] ?? 0;
      onAsked += value * (from[index] ?? 0);
      onCentre += value * (centre[index] ?? 0);
    }
    const square = (1 - 2 * onCentre + centreSquare) * askedSquare;
    return square > 0 ? (onAsked - askedOnCentre) / Math.sqrt(square) : 0;
  };
}
