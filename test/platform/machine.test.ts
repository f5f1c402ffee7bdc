/** What the machine runs on and what else it has to do, as files and counters tell it. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { othersLoad, suppliesOnBattery } from "../../src/platform/machine.js";
import { tempDir } from "../support/temp-dir.js";

async function supplies(all: Record<string, Record<string, string>>): Promise<boolean> {
  const folder = tempDir();
  for (const [name, files] of Object.entries(all)) {
    fs.mkdirSync(path.join(folder, name));
    for (const [file, text] of Object.entries(files))
      fs.writeFileSync(path.join(folder, name, file), `${text}\n`);
  }
  return suppliesOnBattery(folder);
}
const battery = (status: string): Record<string, string> => ({ type: "Battery", status });
const mains = (online: string): Record<string, string> => ({ type: "Mains", online });

test("a laptop is on battery where its own discharges and nothing is plugged in", async () => {
  expect(await supplies({ AC: mains("0"), BAT0: battery("Discharging") })).toBe(true);
  expect(await supplies({ BAT0: battery("Discharging") })).toBe(true);
  expect(await supplies({ AC: mains("1"), BAT0: battery("Discharging") })).toBe(false);
  expect(await supplies({ AC: mains("1"), BAT0: battery("Charging") })).toBe(false);
});

test("a machine without a battery, or of which nothing can be told, is on none; a mouse's is not its own", async () => {
  expect(await supplies({ AC: mains("1") })).toBe(false);
  expect(await supplies({})).toBe(false);
  expect(await suppliesOnBattery(path.join(tempDir(), "nothing"))).toBe(false);
  expect(await supplies({ mouse: { ...battery("Discharging"), scope: "Device" } })).toBe(false);
});

test("what memd runs itself is not counted as the machine's load, and fades with the machine's figure", () => {
  const now = { ms: 0, cpuMs: 0, load: 0 };
  const others = othersLoad({
    loadavg: () => now.load,
    cpuMs: () => now.cpuMs,
    monotonicMs: () => now.ms,
  });
  // Ten minutes on one core of its own: the machine's figure is 1, and all of it is memd's.
  Object.assign(now, { ms: 600_000, cpuMs: 600_000, load: 1 });
  expect(others()).toBeLessThan(0.01);
  Object.assign(now, { ms: 610_000, cpuMs: 610_000, load: 3 });
  expect(others()).toBeCloseTo(2, 1);
  // It has stopped, and the figure has gone down by as much as its own share has.
  Object.assign(now, { ms: 670_000, cpuMs: 610_000, load: 3 / Math.E });
  expect(others()).toBeCloseTo(2 / Math.E, 1);
});
