/**
 * Faults: every call that a supervisor makes to its disk fails, once or for a
 * while, in every way it can. Nothing acknowledged may be lost or doubled, memd
 * says what is wrong, does not spin, and is well again soon after.
 */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { bundle } from "../bundle.js";
import type { Part, PartOptions } from "../part.js";
import { randomOf } from "../random.js";
import { live } from "./life.js";
import { liveAll, printFaults } from "./lives.js";
import type { Asked, Fault, Ruling } from "./kinds.js";
import { kindNamed, slicePlan, wholePlan } from "./plan.js";
import { PLANTS } from "./plants.js";
import { sample, type Sampled } from "./real-time.js";
import { add, emptyTally, type Tally } from "./tally.js";

const CHILDREN = 2;

export const faults: Part = async (options) => {
  const { slice, seed, say } = options;
  const healthy = await live(undefined);
  const plan = slice ? slicePlan(healthy.asked, randomOf(seed)) : wholePlan(healthy.asked);
  const tally = slice ? await liveAll(plan.faults, say) : await shared(plan.faults, options);
  const sampled = await realTime(slice);
  const { failures, ...figures } = tally;
  return {
    operations: plan.operations,
    distinct_operations: plan.distinct,
    faults: plan.faults.length,
    ...figures,
    real_time_slowest_recovery_ms: Math.max(...sampled.map(({ recoveryMs }) => recoveryMs)),
    real_time_most_operations_per_second: Math.max(...sampled.map(({ mostPerSecond }) => mostPerSecond)),
    failures: [
      ...healthy.broken.map((broken) => `without a fault: ${broken}`),
      ...failures,
      ...sampled.flatMap(({ broken }) => broken),
    ],
  };
};

/** Dealt out to a few processes. */
async function shared(all: readonly Fault[], { say }: PartOptions): Promise<Tally> {
  const plant = PLANTS.find(({ name }) => name === process.env["MEMD_FAULTS_PLANT"]);
  const file = await bundle("test/faults/faults/child.ts", { plant });
  const tally = emptyTally();
  await Promise.all(
    Array.from({ length: CHILDREN }, async (_unused, child) => {
      const mine = all.filter((_fault, index) => index % CHILDREN === child);
      add(tally, await tallyOf(file, mine, (line) => say(`process ${child}: ${line}`)));
    }),
  );
  return tally;
}

async function tallyOf(file: string, mine: readonly Fault[], say: (line: string) => void): Promise<Tally> {
  const child = spawn(process.execPath, [file], { stdio: ["pipe", "pipe", "pipe"] });
  child.stderr.on("data", (bytes: Buffer) => say(bytes.toString().trim()));
  child.stdin.end(printFaults(mine));
  const said = await text(child.stdout);
  if (said === "") throw new Error("a process of the run died");
  return JSON.parse(said) as Tally;
}

async function realTime(slice: boolean): Promise<Sampled[]> {
  const outageMs = slice ? 1500 : 10_000;
  const cannotReplace = ({ call, file }: Asked): Ruling | undefined =>
    call === "rename" && file === "history.json" ? { errno: "EIO" } : undefined;
  const rules = { full: ruleOf("full"), "read-only": ruleOf("read-only"), "no rename": cannotReplace };
  const sampled: Sampled[] = [];
  for (const [name, rule] of Object.entries(rules))
    sampled.push(await sample(`${name} by the machine's clock`, outageMs, rule));
  return sampled;
}

function ruleOf(name: string): (asked: Asked) => Ruling | undefined {
  const kind = kindNamed(name);
  return (asked) => (kind.fits(asked) ? kind.answer(asked, 1) : undefined);
}
