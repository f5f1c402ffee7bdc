#!/usr/bin/env node
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [program, hook] = ["programs/main", "hook/hook-main"].map(
  (name) => new URL(`../dist/${name}.js`, import.meta.url),
);
if (!existsSync(fileURLToPath(program))) {
  process.stderr.write("memd: it is not built yet.\n  Run `npm run build` first.\n");
  process.exit(1);
}
const isHook = process.argv[2] === "hook" && existsSync(fileURLToPath(hook));
if (!isHook || !(await (await import(hook.href)).main())) await (await import(program.href)).main();
