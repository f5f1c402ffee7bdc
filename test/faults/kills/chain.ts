/**
 * Chains of kills: in one workspace each victim is also the recovery of the one
 * before it, with new messages and often a later day; at the end a run that
 * nobody disturbs must bring everything to rest.
 */
import type { Binary } from "./binary.js";
import { look } from "./oracle.js";
import type { Point } from "./point.js";
import type { Tally } from "./tally.js";
import type { Step } from "./steps.js";
import { victims, type Kind } from "./victims.js";
import { bringToRest, daysPass, endOf, openWorld, type World } from "./world.js";

/** A workspace that has seen one run, so that what is counted is not its beginning. */
const WARM_UP_RUNS = 2;

/** The file operations of an undisturbed run of this kind, in order. */
export async function operationsOf(binary: Binary, kind: Kind, seed: number): Promise<string[]> {
  const world = openWorld(binary, seed);
  try {
    let operations: string[] = [];
    for (let run = 0; run < WARM_UP_RUNS; run++) {
      const ended = await victims[kind](world, {});
      if (ended.code !== 0) throw new Error(`an undisturbed ${kind} ended with ${endOf(ended)}`);
      ({ operations } = ended);
      daysPass(world);
    }
    return operations;
  } finally {
    await world.place.end();
  }
}

/** Kills a run at each of these points, one after another. */
export async function chain(
  binary: Binary,
  name: string,
  steps: readonly Step[],
  seed: number,
  tally: Tally,
): Promise<void> {
  const world = openWorld(binary, seed);
  try {
    for (const { kind, point, days } of steps) {
      if (tally.done) return;
      daysPass(world, days);
      await killOnce(world, name, kind, point, tally);
    }
    if (tally.done) return;
    if (world.imported.size > 0) await victims.import(world, {});
    await bringToRest(world, `at the end of ${name}`, tally, true);
  } finally {
    await world.place.end();
  }
}

async function killOnce(world: World, name: string, kind: Kind, point: Point, tally: Tally): Promise<void> {
  const ended = await victims[kind](world, { point });
  const label = ended.operations.at(-1) ?? "nothing";
  const where = `${name}: ${kind} killed ${point.how} operation ${ended.operations.length}, ${label}`;
  if (ended.signal === "SIGKILL") tally.kill(kind, label, point.how);
  else if (ended.code === 0) tally.survived += 1;
  else tally.broken(`${name}: ${kind}, not yet killed, ended with ${endOf(ended)}`);
  tally.found(where, look(world.host));
}
