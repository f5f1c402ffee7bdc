/**
 * Processes that count up in one file under its lock, while holders of the lock
 * die or stand still and others break what they left: no number is written
 * twice, none is lost, and who wakes up without its lock writes nothing.
 */
import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { bundle } from "../bundle.js";
import type { Plant } from "../plants.js";
import { comesTrue, isStopped } from "./looking.js";
import type { Dice } from "./random.js";

const PROCESSES = 6;
const LONG_AGO = new Date(0);
/** A lock counts as held for five seconds after its holder last showed itself; then a few looks of those who wait. */
const STALE_MS = 5000;
const LOOKS_MS = 1500;
const PATIENCE_MS = 20_000;

export interface CounterFigures {
  counted: number;
  /** Holders that died or stood still, and whose lock was broken. */
  broken: number;
  /** Until others went on past the lock of a dead holder that nobody made look old. */
  staleMs: number;
  failures: string[];
}

export async function runCounters(options: {
  dir: string;
  /** How many are to die or to stand still while they hold the lock. */
  holders: number;
  slice: boolean;
  dice: Dice;
  plant: Plant | undefined;
}): Promise<CounterFigures> {
  const { dir, holders: wanted, slice, dice, plant } = options;
  const preload = await bundle("test/faults/races/slow-calls.ts");
  const entry = await bundle("test/faults/races/counting.ts", { plant });
  const folder = path.join(dir, "count");
  fs.mkdirSync(folder);
  const file = path.join(folder, "counter");
  const ledger = path.join(folder, "ledger");
  fs.writeFileSync(file, "0");
  fs.writeFileSync(ledger, "");
  const start = (): ChildProcess =>
    spawn(process.execPath, ["--import", preload, entry, file, ledger, "slow"], {
      stdio: ["pipe", "ignore", "inherit"],
    });
  const processes = Array.from({ length: PROCESSES }, start);
  const failures: string[] = [];
  let staleMs = 0;
  let holders = 0;
  try {
    while (holders < wanted && failures.length === 0) {
      if (!(await grows(ledger))) failures.push("nobody counts any more");
      await pause(dice.between(0, 20));
      const index = processes.findIndex(({ pid }) => fs.existsSync(`${file}.holds.${pid}`));
      const victim = processes[index];
      if (processes.some(({ exitCode }) => exitCode !== null))
        failures.push("one that counted has ended by itself");
      if (victim === undefined) continue;
      const dies = holders % 2 === 0;
      if (dies) await killed(victim);
      else victim.kill("SIGSTOP");
      if (await holds(victim, file, dies)) {
        holders++;
        // The last one is left to become old by itself.
        if (slice || holders < wanted) fs.utimesSync(`${file}.lock`, LONG_AGO, LONG_AGO);
        const since = performance.now();
        if (!(await grows(ledger))) failures.push("nobody got past the lock of a dead holder");
        if (!slice && holders === wanted) staleMs = Math.round(performance.now() - since);
      }
      // Whatever it held is another's by now, and must not be taken for its own again.
      fs.rmSync(`${file}.holds.${victim.pid}`, { force: true });
      if (dies) processes[index] = start();
      else victim.kill("SIGCONT");
    }
    if (staleMs > STALE_MS + LOOKS_MS)
      failures.push(`the lock of a dead holder held others up for ${staleMs} ms`);
  } finally {
    await Promise.all(processes.map(killed));
  }
  const counted = fs.readFileSync(ledger, "utf8").trim().split("\n").map(Number);
  const twice = counted.filter((value, index) => counted.indexOf(value) !== index);
  if (twice.length > 0) failures.push(`${twice.length} updates were lost, the first is number ${twice[0]}`);
  if (Number(fs.readFileSync(file, "utf8")) < Math.max(...counted)) failures.push("the counter went back");
  return { counted: counted.length, broken: holders, staleMs, failures };
}

/** Whether it stands still between taking the lock and looking whether it still has it. */
async function holds(process: ChildProcess, file: string, dead: boolean): Promise<boolean> {
  if (!dead) await comesTrue(() => isStopped(process.pid ?? -1));
  return fs.existsSync(`${file}.holds.${process.pid}`) && fs.existsSync(`${file}.lock`);
}

async function grows(file: string): Promise<boolean> {
  const { size } = fs.statSync(file);
  const until = performance.now() + PATIENCE_MS;
  while (fs.statSync(file).size === size) {
    if (performance.now() > until) return false;
    await pause(5);
  }
  return true;
}

async function killed(process: ChildProcess): Promise<void> {
  const gone = new Promise((done) => process.once("exit", done));
  if (process.exitCode !== null || process.signalCode !== null) return;
  process.kill("SIGKILL");
  await gone;
}
