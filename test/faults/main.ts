/**
 * `npm run test:faults -- [--part NAME] [--seed N] [--slice [--plants]]`: the long
 * fault runs, with each part's planted bugs after it; or their slices, with them or
 * without. Each part ends with one JSON line of its figures; a broken promise makes
 * the exit code 1.
 */
import { parseArgs } from "node:util";
import { missedPlants } from "./planting.js";
import type { Plant } from "./plants.js";
import { PARTS, type Part, type PartName } from "./part.js";

const PLANTS: Readonly<Record<PartName, () => Promise<readonly Plant[]>>> = {
  // The model plants by itself, in its slice too.
  model: async () => [],
  kills: async () => (await import("./kills/plants.js")).PLANTS,
  faults: async () => (await import("./faults/plants.js")).PLANTS,
  races: async () => (await import("./races/plants.js")).PLANTS,
  writers: async () => (await import("./writers/plants.js")).PLANTS,
  fuzz: async () => (await import("./fuzz/plants.js")).PLANTS,
  time: async () => (await import("./time/plants.js")).PLANTS,
};

const LOADERS: Readonly<Record<PartName, () => Promise<Part>>> = {
  model: async () => (await import("./model/part.js")).model,
  kills: async () => (await import("./kills/part.js")).kills,
  faults: async () => (await import("./faults/part.js")).faults,
  races: async () => (await import("./races/part.js")).races,
  writers: async () => (await import("./writers/part.js")).writers,
  fuzz: async () => (await import("./fuzz/part.js")).fuzz,
  time: async () => (await import("./time/part.js")).time,
};

const { values } = parseArgs({
  options: {
    part: { type: "string" },
    seed: { type: "string" },
    slice: { type: "boolean", default: false },
    plants: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed ?? 1);
const chosen = PARTS.filter((name) => values.part === undefined || values.part === name);
if (chosen.length === 0 || !Number.isSafeInteger(seed)) {
  process.stderr.write(`test:faults: --part is one of ${PARTS.join(", ")}; --seed is a whole number\n`);
  process.exitCode = 2;
}
for (const name of chosen) {
  const say = (line: string): void => void process.stderr.write(`${name}: ${line}\n`);
  const started = performance.now();
  const run = await LOADERS[name]();
  const { failures, ...figures } = await run({ seed, slice: values.slice, say });
  const plants = values.slice && !values.plants ? [] : await PLANTS[name]();
  const missed = await missedPlants(name, plants, seed, say);
  failures.push(...missed.map((plant) => `the planted bug was not noticed: ${plant}`));
  const planted =
    plants.length === 0 ? {} : { planted: plants.length, caught: plants.length - missed.length };
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  for (const failure of failures.slice(0, 20)) say(`BROKEN ${failure}`);
  process.stdout.write(
    `${JSON.stringify({ part: name, seed, seconds, ...figures, ...planted, failures: failures.length })}\n`,
  );
  if (failures.length > 0) process.exitCode = 1;
}
