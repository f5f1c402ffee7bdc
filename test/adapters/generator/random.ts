/** Chance that is the same for the same seed. Mulberry32, seeded by a hash of the seed and a label. */
export class Random {
  #state: number;

  constructor(seed: number, label: string) {
    this.#state = hashOf(`${seed}/${label}`);
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Both ends included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.between(0, list.length - 1)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((item) => ({ item, rank: this.next() }))
      .sort((one, other) => one.rank - other.rank)
      .map(({ item }) => item);
  }

  hex(length: number): string {
    let text = "";
    while (text.length < length) text += this.between(0, 0xffff).toString(16).padStart(4, "0");
    return text.slice(0, length);
  }

  uuid(): string {
    return [this.hex(8), this.hex(4), `4${this.hex(3)}`, `a${this.hex(3)}`, this.hex(12)].join("-");
  }
}

export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
