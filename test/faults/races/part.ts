/** The part `races`: one owner, whoever starts, dies, sleeps or comes back, and no update lost under the locks. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Part } from "../part.js";
import { runCounters } from "./counters.js";
import { program } from "./daemon.js";
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
    const memd = await program(plant, slice);
    const rounds = (): ReturnType<typeof runRounds> =>
      told("rounds", () => runRounds({ dir, rounds: slice ? 120 : 10_000, seed, plant, say }));
    const others = async () => ({
      starts: await told("starts", () => runStarts(memd, dir, slice, dice(seed))),
      stalled: await told("stalled owners", () => runStalled(memd, dir, slice)),
      leftovers: await told("leftovers", () => runLeftovers(memd, dir, slice)),
      locks: await told("locks", () =>
        runCounters({ dir, holders: slice ? 6 : 40, slice, dice: dice(seed), plant }),
      ),
    });
    // What is measured in the long run has the machine to itself.
    const raced = rounds();
    if (!slice) await raced;
    const [first, rest] = await Promise.all([raced, others()]);
    return summed({ rounds: first, ...rest });
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
};

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
