/**
 * One file out of an entry and all it imports, from this project or from
 * everywhere: starts at once, runs without a loader, and may carry a planted bug.
 */
import fs from "node:fs";
import path from "node:path";
import { build, type Plugin } from "esbuild";
import { packageRoot } from "../../src/platform/package-root.js";
import { REMEMBERING, remembering } from "./model/remembering.js";
import { planted, type Plant } from "./plants.js";

const CACHE = path.join("node_modules", ".cache", "memd-faults");

/** What CommonJS packages find around them. */
const COMMON_JS = [
  'import { createRequire as __createRequire } from "node:module";',
  'import { fileURLToPath as __fileURLToPath } from "node:url";',
  'import { dirname as __dirnameOf } from "node:path";',
  "const require = __createRequire(import.meta.url);",
  "const __filename = __fileURLToPath(import.meta.url);",
  "const __dirname = __dirnameOf(__filename);",
].join("\n");

export interface BundleOptions {
  plant?: Plant | undefined;
  /** Pure functions keep what they gave (model/remembering.ts). */
  remember?: boolean;
  /** With its packages in it: what is started often starts in two thirds of the time. */
  whole?: boolean;
}

/** Path of the bundle; the same content has the same name. `entry` from the top of the project. */
export async function bundle(entry: string, options: BundleOptions = {}): Promise<string> {
  const { plant, remember = false, whole = false } = options;
  const root = packageRoot();
  const transform = (file: string, source: string): string =>
    plant?.file === file ? planted(plant, source) : source;
  const built = await build({
    entryPoints: [path.join(root, entry)],
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20",
    // These bring a program of their own, which they look for beside themselves.
    ...(whole ? { external: ["@vscode/ripgrep", "@photostructure/sqlite"] } : { packages: "external" }),
    logLevel: "silent",
    outdir: path.join(root, CACHE),
    entryNames: "[name]-[hash]",
    splitting: true,
    chunkNames: "chunk-[hash]",
    banner: { js: [...(whole ? [COMMON_JS] : []), ...(remember ? [REMEMBERING] : [])].join("\n") },
    plugins: [remember ? remembering(root, transform) : transforming(root, transform)],
  });
  fs.mkdirSync(path.join(root, CACHE), { recursive: true });
  for (const { path: file, contents } of built.outputFiles) {
    if (fs.existsSync(file)) continue;
    // Several runs may build the same at once: each name gets a whole file.
    const temp = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    fs.writeFileSync(temp, contents);
    fs.renameSync(temp, file);
  }
  const name = `${path.parse(entry).name}-`;
  const main = built.outputFiles.find(({ path: file }) => path.basename(file).startsWith(name));
  if (main === undefined) throw new Error(`nothing was built of ${entry}`);
  return main.path;
}

function transforming(root: string, transform: (file: string, source: string) => string): Plugin {
  return {
    name: "transforming",
    setup: (building) => {
      building.onLoad({ filter: /\.ts$/ }, ({ path: file }) => ({
        contents: transform(path.relative(root, file), fs.readFileSync(file, "utf8")),
        loader: "ts",
      }));
    },
  };
}
