/** Writes the table of calls in docs/PROTOCOL.md anew: `npm run calls`. */
import { readFileSync, writeFileSync } from "node:fs";
import { SERVED } from "../src/service/runs.js";
import { callsTable } from "../test/house/calls.js";

const FILE = new URL("../docs/PROTOCOL.md", import.meta.url);
const lines = readFileSync(FILE, "utf8").split("\n");
const begin = lines.findIndex((line) => /^\|\s*call\s*\|\s*operation\s*\|/.test(line)) + 2;
const end = lines.findIndex((line, at) => at > begin && !line.startsWith("|"));
const rows = callsTable(SERVED).map((row) => `| ${row.join(" | ")} |`.replace("|  |", "| |"));
writeFileSync(FILE, [...lines.slice(0, begin), ...rows, ...lines.slice(end)].join("\n"));
