/**
 * What the processes of this part run: the built memd, or its sources in one
 * piece with their packages, which starts in two thirds of the time and may
 * carry a planted bug. Workers are the built ones in any case.
 */
import fs from "node:fs";
import path from "node:path";
import { build, type Plugin } from "esbuild";
import { packageRoot } from "../../../src/platform/package-root.js";
import { bundle } from "../bundle.js";
import { planted, type Plant } from "../plants.js";
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

/** What CommonJS packages find around them. */
const BANNER = [
  'import { createRequire as __createRequire } from "node:module";',
  'import { fileURLToPath as __fileURLToPath } from "node:url";',
  'import { dirname as __dirnameOf } from "node:path";',
  "const require = __createRequire(import.meta.url);",
  "const __filename = __fileURLToPath(import.meta.url);",
  "const __dirname = __dirnameOf(__filename);",
].join("\n");

export async function binaries(): Promise<Binaries> {
  const plant = PLANTS.find(({ name }) => name === process.env["MEMD_FAULTS_PLANT"]);
  const preload = await bundle("test/faults/kills/preload.ts");
  const quick = { entry: await inOnePiece(plant), preload };
  const built = { entry: path.join(packageRoot(), "bin", "memd.js"), preload };
  return { built: plant === undefined ? built : quick, quick };
}

async function inOnePiece(plant: Plant | undefined): Promise<string> {
  const root = packageRoot();
  const outdir = path.join(root, "node_modules", ".cache", "memd-faults");
  const { outputFiles } = await build({
    entryPoints: [path.join(root, "test/faults/kills/memd.ts")],
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20",
    // It brings a program of its own, which it looks for beside itself.
    external: ["@vscode/ripgrep"],
    splitting: true,
    banner: { js: BANNER },
    outdir,
    entryNames: "memd-whole-[hash]",
    chunkNames: "whole-[hash]",
    logLevel: "silent",
    plugins: plant === undefined ? [] : [planting(root, plant)],
  });
  fs.mkdirSync(outdir, { recursive: true });
  for (const { path: file, contents } of outputFiles) {
    if (fs.existsSync(file)) continue;
    // Several runs may build the same at once: each name gets a whole file.
    const temp = `${file}.${process.pid}`;
    fs.writeFileSync(temp, contents);
    fs.renameSync(temp, file);
  }
  const entry = outputFiles.find(({ path: file }) => path.basename(file).startsWith("memd-whole-"));
  if (entry === undefined) throw new Error("nothing was bundled");
  return entry.path;
}

function planting(root: string, plant: Plant): Plugin {
  const file = path.join(root, plant.file);
  return {
    name: "plant",
    setup: (plugin) =>
      plugin.onLoad({ filter: /\.ts$/ }, (loaded) =>
        loaded.path === file
          ? { contents: planted(plant, fs.readFileSync(file, "utf8")), loader: "ts" }
          : undefined,
      ),
  };
}
