/** Puts the planted bugs of a part in, one at a time: its slice has to notice each. */
import { spawn } from "node:child_process";
import { bundle } from "./bundle.js";
import type { PartName } from "./part.js";
import type { Plant } from "./plants.js";

/** Names of the plants that the slice of their part did not notice. */
export async function missedPlants(
  part: PartName,
  plants: readonly Plant[],
  seed: number,
  say: (line: string) => void,
): Promise<string[]> {
  const missed: string[] = [];
  for (const plant of plants) {
    const entry = await bundle("test/faults/main.ts", { plant });
    const code = await slice(entry, part, seed, plant);
    say(`planted: ${plant.name}: ${code === 1 ? "noticed" : `NOT NOTICED (exit code ${code})`}`);
    if (code !== 1) missed.push(plant.name);
  }
  return missed;
}

function slice(entry: string, part: PartName, seed: number, plant: Plant): Promise<number | null> {
  const args = [entry, "--part", part, "--slice", "--seed", String(seed)];
  const child = spawn(process.execPath, args, {
    stdio: "ignore",
    env: { ...process.env, MEMD_FAULTS_PLANT: plant.name },
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
}
