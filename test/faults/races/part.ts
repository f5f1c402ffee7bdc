/** The part `races`: one owner, whoever starts, dies, sleeps or comes back, and no update lost under the locks. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Part } from "../part.js";
import { runCounters } from "./counters.js";
import { builtProgram, quickProgram } from "./daemon.js";
import { runLeftovers } from "./leftovers.js";
import { PLANTS } from "./plants.js";
import { dice } from "./random.js";
import { runRounds } from "./rounds.js";
import { runStalled } from "./stalled.js";
import { runStarts } from "./starts.js";

export const races: Part = async ({ seed, slice, say }) => {
  const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "memd-races-")));
  const plant = PLANTS.find(({ name }) => name === process.env["MEMD_FAULTS_PLANT"]);
  const told = async <T>(what: string, run: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const figures = await run();
    say(`${what}: ${Math.round((performance.now() - startedAt) / 1000)} s`);
    return figures;
  };
  try {
    const quick = await quickProgram(plant);
    const memd = plant === undefined && !slice ? await builtProgram() : quick;
    const rounds: Run = {
      name: "rounds",
      run: () => runRounds({ dir, rounds: slice ? 40 : 10_000, seed, plant, say }),
    };
    const locks: Run = {
      name: "locks",
      run: () => runCounters({ dir, holders: slice ? 4 : 40, slice, dice: dice(seed), plant }),
    };
    const leftovers: Run = { name: "leftovers", run: () => runLeftovers(memd, dir, slice) };
    const stalled: Run = { name: "stalled", run: () => runStalled(memd, dir, slice) };
    const starts: Run = { name: "starts", run: () => runStarts({ memd, quick }, dir, slice, dice(seed)) };
    const all = [rounds, locks, leftovers, stalled, starts];
    const found: Record<string, { failures: string[] }> = {};
    const inTurn = async (runs: readonly Run[]): Promise<void> => {
      for (const { name, run } of runs) {
        found[name] = await told(name, run);
        // A planted bug that was noticed need not be noticed again.
        if (plant !== undefined && found[name].failures.length > 0) return;
      }
    };
    if (plant !== undefined)
      await inTurn(all.sort((a, b) => Number(b.name === plant.run) - Number(a.name === plant.run)));
    else if (slice) await Promise.all([inTurn([rounds]), inTurn([locks, leftovers, stalled, starts])]);
    else {
      // What is measured has the machine to itself; these two mostly wait.
      await inTurn([rounds]);
      await Promise.all([inTurn([locks]), inTurn([stalled])]);
      await inTurn([leftovers, starts]);
    }
    return summed(found);
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
};

interface Run {
  name: string;
  run: () => Promise<{ failures: string[] }>;
}

/** The figures of all, and their failures in one list. */
function summed(parts: Readonly<Record<string, { failures: string[] }>>): { failures: string[] } {
  const figures = Object.entries(parts).map(
    ([name, { failures: _failures, ...rest }]) => [name, rest] as const,
  );
  return {
    ...Object.fromEntries(figures),
    failures: Object.values(parts).flatMap(({ failures }) => failures),
  };
}
