/** `memd hook` as one file, beside the built program: to find and open some fifty modules takes Node longer than all that it does. */
import { build } from "esbuild";

const requires =
  'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

await build({
  entryPoints: ["src/cli/hook-main.ts"],
  outdir: "dist/hook",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  banner: { js: requires },
  legalComments: "inline",
  logLevel: "warning",
});
