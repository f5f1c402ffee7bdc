/** Many lives, one after another; also what a child of the long run runs: faults in by its input, a tally out. */
import { live } from "./life.js";
import { messageOf } from "../../../src/model/errors.js";
import type { Fault } from "./kinds.js";
import { kindNamed } from "./plan.js";
import { count, emptyTally, type Tally } from "./tally.js";

export async function liveAll(faults: readonly Fault[], say: (line: string) => void): Promise<Tally> {
  const tally = emptyTally();
  for (const [index, fault] of faults.entries()) {
    const before = tally.failures.length;
    try {
      count(tally, fault, await live(fault));
    } catch (error) {
      tally.runs++;
      tally.not_recovered++;
      tally.failures.push(`${fault.kind.name} at ${fault.at}: ${messageOf(error)}`);
    }
    for (const failure of tally.failures.slice(before)) say(failure);
    if ((index + 1) % 200 === 0) say(`${index + 1} of ${faults.length}, ${tally.failures.length} failures`);
  }
  return tally;
}

export function printFaults(faults: readonly Fault[]): string {
  return JSON.stringify(faults.map(({ kind, at }) => [kind.name, at]));
}

export function parseFaults(text: string): Fault[] {
  return (JSON.parse(text) as [string, number][]).map(([name, at]) => ({ kind: kindNamed(name), at }));
}
