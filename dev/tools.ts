/** Writes the table of tools in docs/MCP.md anew: `npm run calls`. */
import { readFileSync, writeFileSync } from "node:fs";
import { toolsTable } from "../test/house/calls.js";

const FILE = new URL("../docs/MCP.md", import.meta.url);
const lines = readFileSync(FILE, "utf8").split("\n");
const begin = lines.findIndex((line) => /^\|\s*tool\s*\|/.test(line)) + 2;
const end = lines.findIndex((line, at) => at >= begin && !line.startsWith("|"));
const rows = toolsTable().map((row) => `| ${row.join(" | ")} |`);
writeFileSync(FILE, [...lines.slice(0, begin), ...rows, ...lines.slice(end)].join("\n"));
