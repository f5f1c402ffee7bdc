/**
 * What the processes of this part run: the built memd, or its sources in one
 * piece with their packages, which starts in two thirds of the time and may
 * carry a planted bug. Workers are the built ones in any case.
 */
import path from "node:path";
import { packageRoot } from "../../../src/platform/package-root.js";
import { bundle } from "../bundle.js";
import { PLANTS } from "./plants.js";

export interface Binary {
  entry: string;
  preload: string;
}

export interface Binaries {
  /** bin/memd.js over dist/; with a planted bug the same as `quick`. */
  built: Binary;
  quick: Binary;
}

export async function binaries(): Promise<Binaries> {
  const plant = PLANTS.find(({ name }) => name === process.env["MEMD_FAULTS_PLANT"]);
  const preload = await bundle("test/faults/kills/preload.ts");
  const quick = { entry: await bundle("test/faults/memd.ts", { plant, whole: true }), preload };
  const built = { entry: path.join(packageRoot(), "bin", "memd.js"), preload };
  return { built: plant === undefined ? built : quick, quick };
}
