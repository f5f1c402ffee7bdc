/**
 * Real processes of the built memd, killed at chosen file operations; a disk
 * that is really full; power that really goes.
 */
import type { Part } from "../part.js";
import { binaries, type Binary } from "./binary.js";
import { chain, operationsOf } from "./chain.js";
import { chanceOf } from "./chance.js";
import { fullDisk, type FullDiskExtent } from "./full-disk.js";
import { IMAGES, type ImageKind } from "./mounts.js";
import { powerCuts } from "./power.js";
import { dealt, SHARP, SHORT, spread } from "./steps.js";
import { Tally } from "./tally.js";
import { KINDS, type Kind } from "./victims.js";

interface Extent {
  /** How often each kind of run is killed, besides the sharp places. */
  kills: Readonly<Record<Kind, number>>;
  chains: number;
  disk: FullDiskExtent;
  cuts: Readonly<Record<ImageKind, number>>;
}

const FULL: Extent = {
  kills: { archive: 280, start: 100, import: 190, say: 430 },
  chains: 24,
  disk: { rounds: 6, watchMs: 3000, recoveredMs: 5000 },
  cuts: { ext4: 16, xfs: 16 },
};
const SLICE: Extent = {
  kills: { archive: 1, start: 1, import: 1, say: 2 },
  chains: 1,
  // It shares the machine with every other test: five seconds are the long run's to hold.
  disk: { rounds: 1, watchMs: 3000, recoveredMs: 20_000 },
  cuts: { ext4: 1, xfs: 0 },
};
/** Of the long run, every so many chains run the built files as they are; the others the same in one piece. */
const BUILT_EVERY = 8;
/** More than cores: now and then one waits until the lock of a dead one has become stale. */
const LANES = 3;

export const kills: Part = async ({ seed, slice, say }) => {
  const extent = slice ? SLICE : FULL;
  const { built, quick } = await binaries();
  const chance = chanceOf(seed);
  const tally = new Tally(process.env["MEMD_FAULTS_PLANT"] !== undefined);
  const operations = slice ? SHORT : await learned(quick, seed);
  const steps = KINDS.flatMap((kind) => spread(kind, operations[kind], extent.kills[kind], chance));
  const chains = [[...SHARP], ...dealt(steps, extent.chains, chance)];
  let disk: unknown;
  const power: Record<string, unknown> = {};
  const besides = [
    async () => {
      disk = await fullDisk(quick, extent.disk, seed, tally);
    },
    ...IMAGES.filter((kind) => extent.cuts[kind] > 0).map((kind) => async () => {
      power[kind] = await powerCuts(quick, kind, extent.cuts[kind], seed, tally);
    }),
  ];
  const killing = chains.map((mine, index) => async () => {
    await chain(
      !slice && index % BUILT_EVERY === 0 ? built : quick,
      `chain ${index}`,
      mine,
      seed * 1000 + index,
      tally,
    );
    say(`${tally.kills} kills, ${tally.messages} messages at rest, ${tally.failures.length} failures`);
  });
  // A planted bug is most often noticed by a kill.
  const jobs = tally.planted ? [...killing, ...besides] : [...besides, ...killing];
  await inLanes(
    LANES,
    jobs.map((job) => async () => {
      if (!tally.done) await job();
    }),
  );
  return { ...tally.figures(), fullDisk: disk, powerCuts: power, failures: tally.failures };
};

/** What an undisturbed run of each kind asks the file system for. */
async function learned(binary: Binary, seed: number): Promise<Record<Kind, string[]>> {
  const runs = await inLanes(
    LANES,
    KINDS.map((kind) => async () => [kind, await operationsOf(binary, kind, seed)] as const),
  );
  return Object.fromEntries(runs) as Record<Kind, string[]>;
}

/** All of them, so many at a time; what each gave, in order. */
async function inLanes<T>(lanes: number, jobs: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  const left = [...jobs.entries()];
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) results[next[0]] = await next[1]();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}
