/**
 * A million damaged inputs: whatever stands in a file or comes from a model,
 * memd reads it or refuses it, in time, and drops nothing that is still whole.
 */
import { Worker } from "node:worker_threads";
import { bundle } from "../bundle.js";
import type { Figures, Part } from "../part.js";
import { KINDS } from "./kinds.js";
import { PLANTS } from "./plants.js";
import { NOW_WORDS, type ShardLine, type ShardOrder, type Tally } from "./shard-lines.js";
import { shown } from "./shrink.js";

const SHARDS = 2;
const INPUTS = 1_000_000;
const INPUTS_IN_SLICE = 6_000;
const LONGEST_TOLD = 128 * 1024;
/** A thread that is silent for so long will not end. */
const PATIENCE_MS = 60_000;
/** As the main thread has it: the default of a thread is four times as much. */
const STACK_MB = 1;

export const fuzz: Part = async ({ seed, slice, say }) => {
  const plant = PLANTS.find(({ name }) => name === process.env["MEMD_FAULTS_PLANT"]);
  const entry = await bundle("test/faults/fuzz/shard.ts", { plant });
  const inputs = Math.ceil((slice ? INPUTS_IN_SLICE : INPUTS) / SHARDS);
  const failures: string[] = [];
  const tallies = new Map<string, Tally>();
  const hear = (line: ShardLine): void => {
    if ("failure" in line) failures.push(line.failure);
    if (!("kind" in line)) return;
    const known = tallies.get(line.kind);
    tallies.set(line.kind, known === undefined ? line.tally : sum(known, line.tally));
    say(`${line.kind}: ${JSON.stringify(line.tally)}`);
  };
  const shards = Array.from({ length: SHARDS }, (_none, shard) => run(entry, { seed, shard, inputs }, hear));
  failures.push(...(await Promise.all(shards)).flat());
  return figuresOf(tallies, failures);
};

/** Runs one thread to its end; what went wrong with the thread itself. */
function run(
  entry: string,
  order: Omit<ShardOrder, "now">,
  hear: (line: ShardLine) => void,
): Promise<string[]> {
  const now = new SharedArrayBuffer(NOW_WORDS * 4 + LONGEST_TOLD);
  const words = new Int32Array(now, 0, NOW_WORDS);
  const worker = new Worker(entry, {
    workerData: { ...order, now },
    resourceLimits: { stackSizeMb: STACK_MB },
  });
  return new Promise((resolve) => {
    let beats = -1;
    let isDone = false;
    const end = (...failures: string[]): void => {
      clearInterval(watch);
      void worker.terminate().then(() => resolve(failures));
    };
    const doing = (): string => {
      const input = new Uint8Array(now, NOW_WORDS * 4, Math.min(words[2] ?? 0, LONGEST_TOLD));
      return `${KINDS[words[1] ?? 0]?.name}, seed ${order.seed}, shard ${order.shard}: ${shown(input.slice())}`;
    };
    const watch = setInterval(() => {
      if (beats === words[0]) end(`hang without end: ${doing()}`);
      beats = words[0] ?? 0;
    }, PATIENCE_MS);
    worker.on("message", (line: ShardLine) => {
      hear(line);
      if (!("done" in line)) return;
      isDone = true;
      end();
    });
    worker.on("error", (error) => end(`the thread crashed: ${error.message}: ${doing()}`));
    worker.on("exit", () => isDone || end(`the thread ended: ${doing()}`));
  });
}

function sum(a: Tally, b: Tally): Tally {
  const names = Object.keys(a) as (keyof Tally)[];
  return Object.fromEntries(names.map((name) => [name, a[name] + b[name]])) as Tally;
}

function figuresOf(tallies: ReadonlyMap<string, Tally>, failures: string[]): Figures {
  const total = (name: keyof Tally): number =>
    [...tallies.values()].reduce((all, tally) => all + tally[name], 0);
  const kinds = [...tallies].map(([name, { inputs, refused }]) => [name, { inputs, refused }]);
  return {
    inputs: total("inputs"),
    parsed: total("parsed"),
    refused: total("refused"),
    crashes: total("crash"),
    hangs: total("hang"),
    dropped: total("dropped"),
    changed: total("changed"),
    polluted: total("polluted"),
    kinds: Object.fromEntries(kinds),
    failures,
  };
}
