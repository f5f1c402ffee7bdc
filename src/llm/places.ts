/**
 * Worker processes that several pools share, so that there are so many at once in all. Of those who wait, whoever has
 * the fewest gets the next one. A worker that has done its job, or is kept for a next one, goes on to who waits where
 * it was started alike; else it ends, and another takes its place.
 */
import type { Child, ChildEnd } from "../platform/spawn.js";

/** A worker process, and whose it is for now. */
export interface SharedWorker {
  child: Child;
  /** Workers with the same were started alike: one does what the other would. */
  alike: string;
  user: { onLine(line: string): void; onEnd(end: ChildEnd): void } | undefined;
}

export interface Claimant {
  /** A place is free, and it is its turn. */
  mayFork(): void;
  /** Gives a worker that has nothing to do, if there is one. */
  spare(): boolean;
}

export class Places {
  /** How many each has. */
  readonly #held = new Map<Claimant, number>();
  readonly #waiting = new Set<Claimant>();
  readonly #between = new Set<SharedWorker>();
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

  /** One that goes on from somebody else, for who has just taken a place. */
  handedOn(alike: string): SharedWorker | undefined {
    const worker = [...this.#between].find((each) => each.alike === alike);
    if (worker !== undefined) this.#between.delete(worker);
    return worker;
  }

  /** `worker`: it lives, and has nothing to do. */
  give(claimant: Claimant, worker?: SharedWorker): void {
    this.#count(claimant, -1);
    if (worker !== undefined) {
      worker.user = undefined;
      this.#between.add(worker);
    }
    this.#tell();
    if (worker !== undefined && this.#between.delete(worker)) void worker.child.killGroup();
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
