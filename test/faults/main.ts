/**
 * `npm run test:faults -- [--part NAME] [--seed N] [--slice]`: the long fault
 * runs. Each part ends with one JSON line of its figures; a broken promise makes
 * the exit code 1.
 */
import { parseArgs } from "node:util";
import { PARTS, type Part, type PartName } from "./part.js";

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
  options: { part: { type: "string" }, seed: { type: "string" }, slice: { type: "boolean" } },
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
  const { failures, ...figures } = await run({ seed, slice: values.slice === true, say });
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  for (const failure of failures.slice(0, 20)) say(`BROKEN ${failure}`);
  process.stdout.write(`${JSON.stringify({ part: name, seed, seconds, ...figures, failures: failures.length })}\n`);
  if (failures.length > 0) process.exitCode = 1;
}
