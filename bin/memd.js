#!/usr/bin/env node
// In the older kind of module: an agent waits for `memd hook` at every turn, and to begin as the newer takes longer.
"use strict";
const { existsSync } = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

const built = (name) => path.join(__dirname, "../dist", name);

async function run() {
  const hook = built("hook/hook-main.cjs");
  if (process.argv[2] === "hook" && existsSync(hook) && (await require(hook).main())) return;
  await (await import(pathToFileURL(built("programs/main.js")).href)).main();
}

if (existsSync(built("programs/main.js"))) void run();
else {
  process.stderr.write("memd: it is not built yet.\n  Run `npm run build` first.\n");
  process.exitCode = 1;
}
