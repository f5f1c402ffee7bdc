/** What goes between the run and its threads. */
import type { Verdict } from "./trial.js";

export interface ShardOrder {
  seed: number;
  shard: number;
  /** Of all kinds together, in this thread. */
  inputs: number;
  /** Beats, index of the kind, bytes of the input; then the input itself. */
  now: SharedArrayBuffer;
}

export type Tally = Record<Verdict["is"], number> & { inputs: number; ms: number };

export type ShardLine = { kind: string; tally: Tally } | { failure: string } | { done: true };

/** Words in front of the input in the shared memory. */
export const NOW_WORDS = 3;
