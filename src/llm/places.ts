/**
 * Places for worker processes that several pools share, so that there are so many at once in all. Of those who
 * wait whoever has the fewest gets the next one; a worker that has nothing to do makes room for it, and one that
 * has done its job does.
 */
export interface Claimant {
  /** A place is free, and it is its turn. */
  mayFork(): void;
  /** Ends a worker that has nothing to do, if there is one. */
  spare(): boolean;
}

export class Places {
  /** How many each has. */
  readonly #held = new Map<Claimant, number>();
  readonly #waiting = new Set<Claimant>();
  #taken = 0;
  /** Whose turn it is, while it is told so. */
  #turn: Claimant | undefined;

  constructor(readonly most: number) {}

  get isWanted(): boolean {
    return this.#waiting.size > 0;
  }

  join(claimant: Claimant): void {
    this.#held.set(claimant, 0);
  }

  /** Whether it has one more; where not, it is called when it is its turn. */
  take(claimant: Claimant): boolean {
    if (this.#taken < this.most && (!this.isWanted || this.#turn === claimant)) {
      this.#turn = undefined;
      this.#count(claimant, 1);
      return true;
    }
    this.#waiting.add(claimant);
    for (const other of this.#held.keys()) if (other !== claimant && other.spare()) break;
    return false;
  }

  give(claimant: Claimant): void {
    this.#count(claimant, -1);
    this.#tell();
  }

  leave(claimant: Claimant): void {
    this.#held.delete(claimant);
    // What was its turn is the next one's.
    if (this.#waiting.delete(claimant)) this.#tell();
  }

  #count(claimant: Claimant, change: 1 | -1): void {
    this.#taken += change;
    this.#held.set(claimant, (this.#held.get(claimant) ?? 0) + change);
  }

  /** One after the other, as long as there is room. Who has no need of it any more lets its turn pass. */
  #tell(): void {
    while (this.#taken < this.most) {
      const held = (one: Claimant): number => this.#held.get(one) ?? 0;
      const [next] = [...this.#waiting].sort((one, other) => held(one) - held(other));
      if (next === undefined) return;
      this.#waiting.delete(next);
      this.#turn = next;
      next.mayFork();
      this.#turn = undefined;
    }
  }
}
