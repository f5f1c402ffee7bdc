/**
 * Power cuts on real file systems: a disk goes away without its log at a chosen
 * file operation of memd's, right after an acknowledgement, or while a daemon
 * is at work, and comes back with what it had made durable.
 */
import fs from "node:fs";
import path from "node:path";
import type { Binary } from "./binary.js";
import { chanceOf, type Chance } from "./chance.js";
import { powerDisk, type ImageKind, type PowerDisk } from "./mounts.js";
import { look } from "./oracle.js";
import { pause } from "./place.js";
import type { Tally } from "./tally.js";
import { victims } from "./victims.js";
import { bringToRest, daysPass, openWorld, type World } from "./world.js";

/** Cuts in one workspace before it is brought to rest. */
const CUTS_AT_MOST = 15;
const PASS_OPERATIONS = 230;
const DAEMON_AT_WORK_MS = 1500;

/** When the power goes: each does something and cuts. */
const MOMENTS: readonly ((world: World, disk: PowerDisk, chance: Chance) => Promise<void>)[] = [
  async function inAPass(world, disk, chance) {
    const point = { n: 20 + chance.below(PASS_OPERATIONS), how: "cut" as const };
    const ended = await victims.archive(world, { point, cut: disk.cut });
    if (ended.signal === null) disk.cutNow();
  },
  async function afterSay(world, disk) {
    await victims.say(world, {});
    disk.cutNow();
  },
  async function afterImport(world, disk) {
    await victims.import(world, {});
    disk.cutNow();
  },
  async function atWork({ host, place, nowMs }, disk, chance) {
    const daemon = place.launch(["start"], { now: new Date(nowMs).toISOString() });
    const until = performance.now() + 300 + chance.below(DAEMON_AT_WORK_MS);
    for (; performance.now() < until; await pause(40)) host.drop(nowMs);
    disk.cutNow();
    daemon.kill("SIGKILL");
    await daemon.ended;
  },
  async function afterAPass(world, disk) {
    await victims.archive(world, {});
    disk.cutNow();
  },
];

/** How many cuts there were, or in a word why there were none. */
export async function powerCuts(
  binary: Binary,
  kind: ImageKind,
  cuts: number,
  seed: number,
  tally: Tally,
): Promise<number | string> {
  let done = 0;
  while (done < cuts) {
    const mounted = powerDisk(kind);
    if (mounted.is === "skipped") return `skipped: ${mounted.why}`;
    const { disk } = mounted;
    const wanted = Math.min(CUTS_AT_MOST, cuts - done);
    try {
      await cutAgainAndAgain(binary, `power cut on ${kind}`, disk, wanted, seed + done, tally);
    } finally {
      disk.end();
    }
    done += wanted;
  }
  return done;
}

async function cutAgainAndAgain(
  binary: Binary,
  name: string,
  disk: PowerDisk,
  cuts: number,
  seed: number,
  tally: Tally,
): Promise<void> {
  const chance = chanceOf(seed);
  const world = openWorld(binary, seed, path.join(disk.dir, "ws"));
  makeDurable(disk.dir);
  try {
    for (let cut = 0; cut < cuts; cut++) {
      const moment = MOMENTS[(seed + cut) % MOMENTS.length];
      await moment?.(world, disk, chance);
      await disk.comeBack();
      tally.found(`${name}, ${moment?.name ?? ""}`, look(world.host));
      daysPass(world);
    }
    if (world.imported.size > 0) await victims.import(world, {});
    await bringToRest(world, `after the last ${name}`, tally);
  } finally {
    await world.place.end();
  }
}

/** The workspace as it begins is nobody's to lose. */
function makeDurable(dir: string): void {
  for (const entry of fs.readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() && !entry.isDirectory()) continue;
    const fd = fs.openSync(path.join(entry.parentPath, entry.name), "r");
    fs.fsyncSync(fd);
    fs.closeSync(fd);
  }
}
