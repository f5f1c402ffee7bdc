/** `memd hook` as one file, beside the built program: to find and open some fifty modules takes Node longer than all that it does. */
import { rm } from "node:fs/promises";
import { build } from "esbuild";

/** What packages of before ES modules take for granted. */
const requires = [
  'import { createRequire } from "node:module";',
  'import { fileURLToPath as pathOfUrl } from "node:url";',
  "const require = createRequire(import.meta.url);",
  "const __filename = pathOfUrl(import.meta.url);",
].join(" ");

// Its parts are named by what they hold: those of before would stay.
await rm("dist/hook", { recursive: true, force: true });
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
