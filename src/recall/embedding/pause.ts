/** Whether what can wait should: the machine runs on its battery, or has better to do. */
import type { Settings } from "../../model/settings.js";
import type { Machine } from "../../platform/machine.js";

/** Why, in words; undefined where nothing is in the way. */
export async function pauseOn(
  machine: Machine,
  { pause_on_battery, pause_above_load }: Settings["embedding"],
): Promise<string | undefined> {
  if (pause_on_battery && (await machine.isOnBattery())) return "on battery";
  if (pause_above_load === 0) return undefined;
  const load = machine.loadPerCore();
  return load > pause_above_load ? `the machine is busy (load ${load.toFixed(1)} per core)` : undefined;
}
