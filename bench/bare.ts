/** The floors of a machine: what is measured beside them says something on another one too. */
import { spawnSync } from "node:child_process";
import fs from "node:fs/promises";
import path from "node:path";
import { median, rounded } from "./stall.js";

const STARTS = 9;

/** How long Node takes to do nothing: no program of it is faster. */
export function nodeMs(): number {
  const taken: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const began = performance.now();
    spawnSync(process.execPath, ["-e", "0"]);
    taken.push(performance.now() - began);
  }
  return rounded(median(taken));
}

/** A durable write with nothing but the system's calls: the floor of everything that is published. */
export async function bareWrite(file: string, content: Uint8Array): Promise<void> {
  const temp = `${file}.tmp`;
  const out = await fs.open(temp, "wx", 0o600);
  await out.write(content);
  await out.sync();
  await out.close();
  await fs.rename(temp, file);
  const dir = await fs.open(path.dirname(file), "r");
  await dir.sync();
  await dir.close();
}
