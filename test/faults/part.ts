/** A part of the fault tests: the same code gives the long run and the slice that every test run has. */

export const PARTS = ["model", "kills", "faults", "races", "writers", "fuzz", "time"] as const;
export type PartName = (typeof PARTS)[number];

export interface PartOptions {
  /** Of everything random in it: the same seed gives the same run. */
  seed: number;
  /** The short form, seconds instead of minutes. */
  slice: boolean;
  /** Progress, for a person who watches. */
  say: (line: string) => void;
}

/** What a part found. `failures` names each broken promise, the first few in words; none means that it passed. */
export interface Figures extends Record<string, unknown> {
  failures: string[];
}

export type Part = (options: PartOptions) => Promise<Figures>;
