#!/usr/bin/env node
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const built = new URL("../dist/cli/main.js", import.meta.url);
if (!existsSync(fileURLToPath(built))) {
  process.stderr.write("memd: it is not built yet.\n  Run `npm run build` first.\n");
  process.exit(1);
}
const { main } = await import(built.href);
await main();
