/**
 * How much whoever asks may ask: a bucket of requests that fills again by itself,
 * and so many at once. One for each credential, so that none takes from another, and
 * one for all who have none that counts.
 */
export interface Limits {
  /** How many requests the bucket holds. */
  burst: number;
  perSecond: number;
  atOnce: number;
}

/** A hundred times what an agent asks; the owner's only end what has run away. */
export const LIMITS = {
  owner: { burst: 2000, perSecond: 1000, atOnce: 1000 },
  bearer: { burst: 200, perSecond: 20, atOnce: 32 },
  stranger: { burst: 50, perSecond: 5, atOnce: 50 },
} as const satisfies Record<string, Limits>;

export class Allowance {
  #left: number;
  #atMs: number | undefined;
  #inside = 0;

  constructor(readonly limits: Limits) {
    this.#left = limits.burst;
  }

  /** Takes one request in; where none may come in now, in how many seconds one may. `nowMs` never jumps. */
  enter(nowMs: number): number | undefined {
    const { burst, perSecond, atOnce } = this.limits;
    const passedMs = Math.max(0, nowMs - (this.#atMs ?? nowMs));
    this.#left = Math.min(burst, this.#left + (passedMs / 1000) * perSecond);
    this.#atMs = nowMs;
    if (this.#inside >= atOnce) return 1;
    if (this.#left < 1) return Math.max(1, Math.ceil((1 - this.#left) / perSecond));
    this.#left -= 1;
    this.#inside += 1;
    return undefined;
  }

  leave(): void {
    this.#inside -= 1;
  }
}
