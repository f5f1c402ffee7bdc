/**
 * Clocks that jump, zones that change, nights that are odd: nothing early,
 * nothing twice, order kept.
 */
import type { Figures, Part } from "../part.js";
import { binaryRuns } from "./binary.js";
import { CASES } from "./cases.js";
import { deadModel } from "./dead-model.js";
import { instants } from "./instants.js";
import { NIGHTS } from "./nights.js";
import { walk } from "./walk.js";

interface Size {
  walks: number;
  steps: number;
  /** Every so manieth operation of a pass. */
  stride: number;
  /** Of the dozen that matter. */
  nights: number;
  /** With a dead model, on the supervisor's clock. */
  hours: number;
  runs: number;
}

const FULL: Size = { walks: 600, steps: 60, stride: 11, nights: 12, hours: 10 * 24, runs: 6 };
const SLICE: Size = { walks: 4, steps: 50, stride: 331, nights: 3, hours: 3, runs: 1 };

export const time: Part = async ({ seed, slice, say }): Promise<Figures> => {
  const size = slice ? SLICE : FULL;
  const failures: string[] = [];

  const named = Object.entries({ ...CASES, ...NIGHTS });
  for (const [name, run] of named) {
    // What memd throws is a broken promise too.
    const broken = await run().catch((error: unknown) => [`memd threw ${String(error)}`]);
    failures.push(...broken.map((what) => `${name}: ${what}`));
  }
  say(`${named.length} named cases`);

  const nights = await instants(size.stride, size.nights, seed);
  failures.push(...nights.broken);
  say(`${nights.runs} passes with a clock that jumps`);

  const walked = { steps: 0, jumps: 0, zones: 0, deaths: 0, calls: 0, messages: 0 };
  for (let n = 0; n < size.walks; n++) {
    const one = await walk(seed * 1_000_000 + n, size.steps);
    for (const name of Object.keys(walked) as (keyof typeof walked)[]) walked[name] += one[name];
    failures.push(...one.broken);
    if (n % 100 === 99) say(`${n + 1} walks, ${walked.steps} steps`);
  }

  const dead = await deadModel(seed, size.hours);
  failures.push(...dead.broken);
  say(`${dead.hours} hours with a dead model`);

  const real = await binaryRuns(size.runs);
  failures.push(...real.broken);
  return {
    cases: named.length,
    disturbedPasses: nights.runs,
    walks: size.walks,
    ...walked,
    deadModelHours: dead.hours,
    deadModelJumps: dead.jumps,
    deadModelCalls: dead.calls,
    realRuns: real.runs,
    failures,
  };
};
