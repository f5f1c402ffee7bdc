/**
 * The model: two million states that a loss of power may leave, each recovered
 * by the real code; and the same with bugs planted, which must be noticed.
 */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { bundle } from "../bundle.js";
import type { Figures, Part, PartOptions } from "../part.js";
import type { Findings } from "./explore.js";
import type { Explored } from "./explorer.js";
import { PLANTS, type ModelPlant } from "./plants.js";
import { notCrossed } from "./publishers.js";
import type { Order, Told } from "./thread.js";

const STATES = 2_000_000;
const STATES_IN_SLICE = 50_000;
/** `spare`: some trees are met by more than one thread. */
const FULL = {
  spare: 1.05,
  fineness: {
    named: 0.97,
    first: { selections: 1, killEvery: 8 },
    tearEvery: 1,
    deeper: 0.01,
  },
};
const SLICE = {
  spare: 1.01,
  fineness: {
    named: 0.99,
    first: { selections: 0, killEvery: Infinity },
    // Stories that recover soon: seconds are dear in the slice.
    deep: [
      "two files of a day become one",
      "journals are pruned",
      "a folder becomes a workspace",
      "a model that fails, and then does not",
      "a day grows old and moves",
      "memory.md gets lines, and a turn ends",
      "a host that saves while memd does",
      "an import",
    ],
    tearEvery: 1,
    deeper: 0.002,
  },
};
/** Of a planted bug. */
const PROOF = {
  named: 1,
  first: { selections: 12, killEvery: 1 },
  states: 4000,
  tearEvery: 256,
  deeper: 0.01,
};
const THREADS = Math.max(2, Math.min(8, availableParallelism()));
/** What a recovery leaves behind is garbage at once: the young heap is to hold many of them. */
const YOUNG_MB = 128;

/** The part with all its plants; they run after the slice too. */
export const model: Part = (options) => modelWith(PLANTS, options);

export async function modelWith(
  plants: readonly ModelPlant[],
  { seed, slice, say }: PartOptions,
): Promise<Figures> {
  const states = slice ? STATES_IN_SLICE : STATES;
  const { spare, fineness } = slice ? SLICE : FULL;
  const started = performance.now();
  const thread = await bundle("test/faults/model/thread.ts");
  const entry = await bundle("test/faults/model/explorer.ts", { remember: true });
  const threads = Array.from({ length: THREADS }, () => new Thread(thread));
  try {
    const progress = new Map<number, number>();
    const ends = await Promise.all(
      threads.map((each, index) => {
        const share = { seed, index, of: THREADS, states: Math.ceil((states * spare) / THREADS) };
        return each.explore({ entry, share: { ...share, ...fineness } }, (count) => {
          progress.set(index, count);
          say(`${[...progress.values()].reduce((sum, one) => sum + one, 0)} states`);
        });
      }),
    );
    const seconds = (performance.now() - started) / 1000;
    say(`explored in ${Math.round(seconds)} s`);
    const trees = new Set<number>();
    for (const { trees: seen } of ends) for (const tree of seen) trees.add(tree);
    const missed = await missedPlants(threads, plants, seed, say);
    return figuresOf(
      ends.map(({ findings }) => findings),
      { states, trees: trees.size, seconds, plants, missed },
    );
  } finally {
    await Promise.all(threads.map((each) => each.end()));
  }
}

function figuresOf(
  findings: readonly Findings[],
  told: {
    states: number;
    trees: number;
    seconds: number;
    plants: readonly ModelPlant[];
    missed: string[];
  },
): Figures {
  const { states, trees, seconds, plants, missed } = told;
  const total = (of: (each: Findings) => number): number => findings.reduce((sum, each) => sum + of(each), 0);
  const places = placesOf(findings);
  const crossed = new Set(Object.keys(places).map((place) => place.replace("recovery after ", "")));
  const failures = [
    ...findings.flatMap((each) => each.failures),
    ...missed.map((name) => `the planted bug was not noticed: ${name}`),
    ...notCrossed(crossed).map((name) => `the power was never cut at ${name}`),
    ...(trees < states ? [`only ${trees} different states`] : []),
  ];
  return {
    states: trees,
    states_per_second: Math.round(trees / seconds),
    retold: total((each) => each.retold),
    lost: total((each) => each.lost),
    doubled: total((each) => each.doubled),
    unrecoverable: total((each) => each.unrecoverable),
    places,
    planted: plants.length,
    caught: plants.length - missed.length,
    failures,
  };
}

/** Explores one order after the other. */
class Thread {
  readonly #worker: Worker;
  #rejects: (error: Error) => void = () => undefined;

  constructor(file: string) {
    this.#worker = new Worker(file, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
    this.#worker.on("error", (error) => this.#rejects(error));
    this.#worker.on("exit", () => this.#rejects(new Error("a thread of the model ended early")));
  }

  explore(order: Order, progress: (states: number) => void = () => undefined): Promise<Explored> {
    return new Promise((resolve, reject) => {
      this.#rejects = reject;
      const hear = (told: Told): void => {
        if (told.is === "progress") return progress(told.states);
        this.#worker.off("message", hear);
        resolve(told);
      };
      this.#worker.on("message", hear);
      this.#worker.postMessage(order);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** States by the place at which the power was cut, most first. */
function placesOf(findings: readonly Findings[]): Record<string, number> {
  const places = new Map<string, number>();
  for (const { places: found } of findings)
    for (const [place, count] of found) places.set(place, (places.get(place) ?? 0) + count);
  return Object.fromEntries([...places].sort((a, b) => b[1] - a[1]));
}

/** A planted line that names what is not there tells nothing of those who look for it. */
const DOES_NOT_RUN = /^unrecoverable: ReferenceError/;

/** Runs the named stories on each bug, one in each thread; the names of those that nothing noticed. */
async function missedPlants(
  threads: readonly Thread[],
  plants: readonly ModelPlant[],
  seed: number,
  say: (line: string) => void,
): Promise<string[]> {
  const waiting = [...plants];
  const missed: string[] = [];
  const next = async (): Promise<{ plant: ModelPlant; entry: string } | undefined> => {
    const plant = waiting.shift();
    if (plant === undefined) return undefined;
    return { plant, entry: await bundle("test/faults/model/explorer.ts", { plant, remember: true }) };
  };
  const prove = async (thread: Thread, plant: ModelPlant, entry: string): Promise<void> => {
    const share = { seed, index: 0, of: 1, ...PROOF, untilBroken: plant.story };
    const [first] = (await thread.explore({ entry, share })).findings.failures;
    if (first === undefined || DOES_NOT_RUN.test(first)) missed.push(plant.name);
    say(`planted: ${plant.name}: ${first?.slice(0, 160) ?? "NOT NOTICED"}`);
  };
  const work = async (thread: Thread): Promise<void> => {
    let upcoming = next();
    for (let now = await upcoming; now !== undefined; now = await upcoming) {
      // Bundled while the thread is busy with the one before.
      upcoming = next();
      await prove(thread, now.plant, now.entry);
    }
  };
  await Promise.all(threads.map(work));
  return missed;
}
