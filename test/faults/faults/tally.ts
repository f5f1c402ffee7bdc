/** What many lives come to: the figures of the part, and each broken promise with the fault that broke it. */
import type { Lived } from "./life.js";
import type { Fault } from "./kinds.js";
import { plainName } from "./plan.js";

export interface Tally {
  runs: number;
  /** In how many a call was failed: some lives end before it comes to that. */
  met: number;
  lost: number;
  doubled: number;
  not_recovered: number;
  slowest_recovery_ms: number;
  retried_fsyncs: number;
  most_operations_per_second: number;
  failures: string[];
}

export function emptyTally(): Tally {
  return {
    runs: 0,
    met: 0,
    lost: 0,
    doubled: 0,
    not_recovered: 0,
    slowest_recovery_ms: 0,
    retried_fsyncs: 0,
    most_operations_per_second: 0,
    failures: [],
  };
}

export function count(tally: Tally, { kind, at }: Fault, lived: Lived): void {
  const { recoveryMs = 0 } = lived;
  const isRecovered = Number.isFinite(recoveryMs);
  add(tally, {
    runs: 1,
    met: lived.met.length > 0 ? 1 : 0,
    lost: lived.lost,
    doubled: lived.doubled,
    not_recovered: isRecovered ? 0 : 1,
    slowest_recovery_ms: isRecovered ? recoveryMs : 0,
    retried_fsyncs: lived.retriedSyncs,
    most_operations_per_second: lived.mostPerSecond,
    failures: [],
  });
  const [first] = lived.met;
  const where = `${kind.name} at ${at}${first === undefined ? "" : `, ${first.call} ${plainName(first.file)}`}`;
  for (const broken of lived.broken) tally.failures.push(`${where}: ${broken}`);
  if (lived.retriedSyncs > 0) tally.failures.push(`${where}: an fsync was retried on its descriptor`);
}

export function add(tally: Tally, other: Tally): void {
  tally.runs += other.runs;
  tally.met += other.met;
  tally.lost += other.lost;
  tally.doubled += other.doubled;
  tally.not_recovered += other.not_recovered;
  tally.slowest_recovery_ms = Math.max(tally.slowest_recovery_ms, other.slowest_recovery_ms);
  tally.retried_fsyncs += other.retried_fsyncs;
  tally.most_operations_per_second = Math.max(
    tally.most_operations_per_second,
    other.most_operations_per_second,
  );
  tally.failures.push(...other.failures);
}
