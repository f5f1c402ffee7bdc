/**
 * The model: two million states that a loss of power may leave, each recovered
 * by the real code; and the same with bugs planted, which must be noticed.
 */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { bundle } from "../bundle.js";
import type { Part } from "../part.js";
import type { Findings } from "./explore.js";
import type { Share, Told } from "./explorer.js";
import { notCrossed } from "./publishers.js";
import { PLANTS, type ModelPlant } from "./plants.js";

const STATES = 2_000_000;
/** Some trees are met by both threads. */
const SPARE = 1.05;
const STATES_IN_SLICE = 50_000;
const FINE = { selections: 12, killEvery: 1 };
const COARSE = { selections: 1, killEvery: 8 };
const THREADS = Math.max(2, Math.min(8, availableParallelism()));
/** What a recovery leaves behind is garbage at once: the young heap is to hold many of them. */
const YOUNG_MB = 128;

export const model: Part = async ({ seed, slice, say }) => {
  const states = slice ? STATES_IN_SLICE : STATES;
  const started = performance.now();
  const entry = await bundle("test/faults/model/explorer.ts", undefined, true);
  const progress = new Map<number, number>();
  const shares = Array.from({ length: THREADS }, async (_unused, index) =>
    run(
      entry,
      {
        seed,
        index,
        of: THREADS,
        states: Math.ceil((states * SPARE) / THREADS),
        first: COARSE,
        tearEvery: slice ? 8 : 1,
        deeper: slice ? 0.002 : 0.01,
      },
      (count) => {
        progress.set(index, count);
        say(`${[...progress.values()].reduce((sum, each) => sum + each, 0)} states`);
      },
    ),
  );
  const ends = await Promise.all(shares);
  const seconds = (performance.now() - started) / 1000;
  const trees = new Set<number>();
  for (const { trees: seen } of ends) for (const tree of seen) trees.add(tree);
  const findings = ends.map((end) => end.findings);
  say(`${Math.round(seconds)} s`);
  const planted = await provePlants(seed, say);
  const total = (of: (each: Findings) => number): number => findings.reduce((sum, each) => sum + of(each), 0);
  const failures = findings.flatMap((each) => each.failures);
  for (const name of planted.missed) failures.push(`the planted bug was not noticed: ${name}`);
  const places = placesOf(findings);
  const crossed = new Set(Object.keys(places).map((place) => place.replace("recovery after ", "")));
  for (const missing of notCrossed(crossed)) failures.push(`the power was never cut at ${missing}`);
  if (trees.size < states) failures.push(`only ${trees.size} different states`);
  return {
    states: trees.size,
    states_per_second: Math.round(trees.size / seconds),
    retold: total((each) => each.retold),
    lost: total((each) => each.lost),
    doubled: total((each) => each.doubled),
    unrecoverable: total((each) => each.unrecoverable),
    places,
    planted: PLANTS.length,
    caught: PLANTS.length - planted.missed.length,
    failures,
  };
};

async function run(
  entry: string,
  share: Share,
  progress: (states: number) => void,
): Promise<{ findings: Findings; trees: Float64Array }> {
  const thread = new Worker(entry, {
    workerData: share,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  return new Promise((resolve, reject) => {
    thread.on("message", (told: Told) => {
      if (told.is === "progress") progress(told.states);
      else resolve(told);
    });
    thread.once("error", reject);
    thread.once("exit", () => reject(new Error("a thread of the model ended early")));
  });
}

/** States by the place at which the power was cut, most first. */
function placesOf(findings: readonly Findings[]): Record<string, number> {
  const places = new Map<string, number>();
  for (const { places: found } of findings)
    for (const [place, count] of found) places.set(place, (places.get(place) ?? 0) + count);
  return Object.fromEntries([...places].sort((a, b) => b[1] - a[1]));
}

/** Runs the named stories on each bug, two at a time; the names of those that nothing noticed. */
async function provePlants(seed: number, say: (line: string) => void): Promise<{ missed: string[] }> {
  const waiting = [...PLANTS];
  const missed: string[] = [];
  const prove = async (plant: ModelPlant): Promise<void> => {
    const entry = await bundle("test/faults/model/explorer.ts", plant, true);
    const { findings } = await run(
      entry,
      {
        seed,
        index: 0,
        of: 1,
        states: 4000,
        first: FINE,
        tearEvery: 256,
        deeper: 0.01,
        untilBroken: plant.story,
      },
      () => undefined,
    );
    const [first] = findings.failures;
    if (first === undefined) missed.push(plant.name);
    say(`planted: ${plant.name}: ${first?.slice(0, 160) ?? "NOT NOTICED"}`);
  };
  const work = async (): Promise<void> => {
    for (let plant = waiting.shift(); plant !== undefined; plant = waiting.shift()) await prove(plant);
  };
  await Promise.all(Array.from({ length: THREADS }, work));
  return { missed };
}
