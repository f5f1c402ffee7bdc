/** What the machine has to do besides, and what it runs on. What cannot be told counts as free, and as plugged in. */
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

export interface Machine {
  isOnBattery(): Promise<boolean>;
  /** How much others have run or waited to, a core, over about the last minute: 1 is a machine that is busy. */
  loadPerCore(): number;
}

/** Linux tells of each supply of power in a folder. */
const POWER_SUPPLIES = "/sys/class/power_supply";
const PMSET_MS = 2000;

export function systemMachine(): Machine {
  const load = othersLoad({
    loadavg: () => os.loadavg()[0] ?? 0,
    cpuMs: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
    monotonicMs: () => performance.now(),
  });
  return {
    isOnBattery: () => (process.platform === "darwin" ? macOnBattery() : suppliesOnBattery(POWER_SUPPLIES)),
    loadPerCore: () => load() / Math.max(1, os.cpus().length),
  };
}

interface LoadSources {
  /** Of the whole machine, the mean of a minute. */
  loadavg: () => number;
  /** Of this process with its threads, since it began. */
  cpuMs: () => number;
  monotonicMs: () => number;
}

/** Over which the system's own figure fades. */
const FADES_MS = 60_000;

/** Less what this process had itself: its work would stop for its own sake. Its share fades as the system's figure does. */
export function othersLoad({ loadavg, cpuMs, monotonicMs }: LoadSources): () => number {
  let [lastCpuMs, lastMs, own] = [cpuMs(), monotonicMs(), 0];
  return () => {
    const [nowCpuMs, nowMs] = [cpuMs(), monotonicMs()];
    const wallMs = nowMs - lastMs;
    if (wallMs > 0) {
      const kept = Math.exp(-wallMs / FADES_MS);
      own = own * kept + ((nowCpuMs - lastCpuMs) / wallMs) * (1 - kept);
      [lastCpuMs, lastMs] = [nowCpuMs, nowMs];
    }
    return Math.max(0, loadavg() - own);
  };
}

/** On battery: one of the machine's, not of a mouse, discharges, and nothing that is plugged in gives power. */
export async function suppliesOnBattery(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  const supplies = await Promise.all(
    names.map(async (name) => {
      const read = async (file: string): Promise<string> =>
        (await readFile(path.join(folder, name, file), "utf8").catch(() => "")).trim();
      const [type, online, status] = [await read("type"), await read("online"), await read("status")];
      return { type, online, status, isOfDevice: (await read("scope")) === "Device" };
    }),
  );
  if (supplies.some(({ type, online }) => type === "Mains" && online === "1")) return false;
  return supplies.some(
    ({ type, status, isOfDevice }) => type === "Battery" && status === "Discharging" && !isOfDevice,
  );
}

function macOnBattery(): Promise<boolean> {
  return new Promise((resolve) => {
    execFile("pmset", ["-g", "batt"], { timeout: PMSET_MS }, (error, stdout) =>
      resolve(error === null && stdout.includes("'Battery Power'")),
    );
  });
}
