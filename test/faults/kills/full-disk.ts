/**
 * A disk that is really full: filled to its last block while a daemon has work,
 * and given room again. What was acknowledged stays, nobody is told otherwise,
 * and the daemon neither spins nor gives up.
 */
import fs from "node:fs";
import path from "node:path";
import type { Binary } from "./binary.js";
import { chanceOf, type Chance } from "./chance.js";
import { smallDisk, type SmallDisk } from "./mounts.js";
import { blocksOf, look } from "./oracle.js";
import { eventually, pause, type Started } from "./place.js";
import type { Tally } from "./tally.js";
import { victims } from "./victims.js";
import { bringToRest, endOf, openWorld, type World } from "./world.js";

const READY_MS = 120_000;
const TOLD_MS = 20_000;
const STUCK_MS = 30_000;
/** Of one core, while the disk is full. A round every other second is far less; a loop is all of it. */
const MOST_CPU_SHARE = 0.35;
const WATCHES = 2;
const TICKS_PER_SECOND = 100;

export interface FullDiskExtent {
  rounds: number;
  /** How long the daemon's use of the processor is watched. */
  watchMs: number;
  /** Everything must be archived so soon after room has come back. */
  recoveredMs: number;
}

export interface FullDiskFigures {
  rounds: number;
  refused: number;
  recoveryMsMax: number;
  cpuShareMax: number;
}

export async function fullDisk(
  binary: Binary,
  extent: FullDiskExtent,
  seed: number,
  tally: Tally,
): Promise<FullDiskFigures | string> {
  const mounted = smallDisk("6m");
  if (mounted.is === "skipped") return `skipped: ${mounted.why}`;
  const { disk } = mounted;
  const figures: FullDiskFigures = { rounds: extent.rounds, refused: 0, recoveryMsMax: 0, cpuShareMax: 0 };
  try {
    const world = openWorld(binary, seed, path.join(disk.dir, "ws"), 1);
    world.host.isJournalledOnce = false;
    const daemon = world.place.launch(["start"], { now: new Date(world.nowMs).toISOString() });
    try {
      await eventually(() => daemon.output().includes("Ready."), READY_MS);
      const scene: Scene = { world, daemon, disk, chance: chanceOf(seed), extent, figures, tally };
      for (let round = 0; round < extent.rounds && !daemon.hasEnded(); round++) await fillOnce(scene, round);
      daemon.kill("SIGTERM");
      const ended = await daemon.ended;
      if (ended.code !== 0) tally.broken(`full disk: the daemon ended with ${endOf(ended)}`);
      await bringToRest(world, "after the full disk", tally);
    } finally {
      await world.place.end();
    }
  } finally {
    disk.end();
  }
  return figures;
}

interface Scene {
  world: World;
  daemon: Started;
  disk: SmallDisk;
  chance: Chance;
  extent: FullDiskExtent;
  figures: FullDiskFigures;
  tally: Tally;
}

async function fillOnce(scene: Scene, round: number): Promise<void> {
  const { world, daemon, disk, figures, tally } = scene;
  const { watchMs, recoveredMs } = scene.extent;
  const { host, nowMs } = world;
  const where = `full disk, round ${round}`;
  if (round % 2 === 0) {
    // Room for the drops and for nothing else.
    disk.fill(2);
    figures.refused += dropsRefused(world, 2);
    disk.fill();
  } else {
    figures.refused += dropsRefused(world, 3);
    await pause(scene.chance.below(60));
    disk.fill();
  }
  figures.refused += dropsRefused(world, 3);
  const said = await victims.say(world, {});
  if (said.code === 5) figures.refused += 1;
  else if (said.code !== 0) tally.broken(`${where}: memd say ended with ${endOf(said)}`);

  if (hasDrops(world) && !(await eventually(() => saysFull(world), TOLD_MS)))
    tally.broken(`${where}: memd status does not say that the disk is full`);
  if (daemon.hasEnded()) return;
  const share = await shareOfCore(daemon.pid, watchMs);
  figures.cpuShareMax = Math.max(figures.cpuShareMax, Math.round(share * 100) / 100);
  if (share > MOST_CPU_SHARE) tally.broken(`${where}: the daemon used ${share.toFixed(2)} of a core`);
  tally.found(where, look(host));

  // What comes from now on makes a pass due, and may itself wait for the next one.
  const acknowledged = [...host.required];
  disk.makeRoom();
  const since = performance.now();
  host.drop(nowMs);
  host.drop(nowMs);
  const archived = await eventually(() => areArchived(world, acknowledged), STUCK_MS);
  const ms = Math.round(performance.now() - since);
  figures.recoveryMsMax = Math.max(figures.recoveryMsMax, ms);
  if (!archived || ms > recoveredMs)
    tally.broken(`${where}: not everything was archived ${ms} ms after room had come back`);
}

function hasDrops({ host }: World): boolean {
  return fs.readdirSync(path.join(host.root, "inbox.d")).some((name) => name.endsWith(".json"));
}

async function saysFull({ place, nowMs }: World): Promise<boolean> {
  const { stdout } = await place.memd(["status", "--json"], { now: new Date(nowMs).toISOString() });
  return stdout.includes('"code": "disk_full"');
}

/** How many of them could not be written, as the host is told. */
function dropsRefused({ host, nowMs }: World, count: number): number {
  let refused = 0;
  for (let drop = 0; drop < count; drop++) {
    try {
      host.drop(nowMs);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      refused += 1;
    }
  }
  return refused;
}

function areArchived({ host }: World, marks: readonly number[]): boolean {
  const blocks = blocksOf(host.root);
  return marks.every((mark) => blocks.get(mark) === 1);
}

/** Twice, and the lesser: what was under way when the disk filled up comes to its end, and a loop to none. */
async function shareOfCore(pid: number, watchMs: number): Promise<number> {
  const shares: number[] = [];
  for (let watch = 0; watch < WATCHES; watch++) {
    const before = cpuSeconds(pid);
    await pause(watchMs);
    shares.push((cpuSeconds(pid) - before) / (watchMs / 1000));
  }
  return Math.min(...shares);
}

/** Of the whole process so far. */
function cpuSeconds(pid: number): number {
  // A process that has ended uses nothing; that it has is told at the end.
  if (!fs.existsSync(`/proc/${pid}/stat`)) return 0;
  const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
