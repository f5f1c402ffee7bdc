/** Every face is read off the table of operations, and what it says of the others is so. */
import type { Command } from "commander";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { createProgram } from "../../src/cli/main.js";
import { openWorkspace } from "../../src/library/memd.js";
import { TOOLS } from "../../src/serve/mcp/tools.js";
import { OPERATIONS } from "../../src/service/operations.js";
import type { Operation } from "../../src/service/operations/operation.js";
import { cliPlace } from "../support/cli.js";
import { toolsTable } from "./calls.js";
import { readFile } from "./sources.js";

const rows: Readonly<Record<string, Operation>> = OPERATIONS;
const programs = createProgram();

/** Of commands that ask for nothing of the table: they make a workspace, start a memd, put somebody through to one, have an agent call it, or install what it can use. */
const OF_NO_ROW = [
  "init",
  "start",
  "mcp",
  "chat",
  "service install",
  "service remove",
  "service status",
  "completion",
  "connect",
  "disconnect",
  "embed install",
  "workspaces",
  "config trust",
];

describe("the command line", () => {
  test("each command that a row names is there, and each command that is there is named by a row", () => {
    const named = Object.values(rows).flatMap(({ command }) => command ?? []);
    expect([...new Set([...named, ...OF_NO_ROW])].sort()).toEqual(leavesOf(programs).sort());
    expect(named.filter((command) => OF_NO_ROW.includes(command))).toEqual([]);
  });

  test("a command of what may be asked on somebody's behalf takes --as", () => {
    const lacking = Object.values(rows).flatMap(({ access, command }) =>
      access === "viewer" && command !== undefined && !takesReader(command) ? [command] : [],
    );
    // A turn is ended where --user, --scope and --session say; `prompt --for` is of another conversation, and a hook reads as its own.
    expect(lacking.sort()).toEqual(["end", "hook", "prompt"]);
  });
});

test("the library has a method for each row that names one, and no other but of itself", async () => {
  const memory = await openWorkspace(cliPlace().root);
  const named = Object.values(rows).flatMap(({ method }) => method ?? []);
  expect([...named, "folder", "ask", "close"].sort()).toEqual(Object.keys(memory).sort());
  await memory.close();
});

describe("tools", () => {
  test("each asks operations that are there, on behalf of whoever has it", () => {
    for (const { asks, access } of TOOLS)
      for (const name of asks) expect(rows[name]?.access === "viewer" || access === "owner").toBe(true);
    expect(new Set(TOOLS.map(({ name }) => name)).size).toBe(17);
    expect(TOOLS.filter(({ isBasic }) => isBasic)).toHaveLength(8);
  });

  test("no argument names a workspace or a reader", () => {
    const names = TOOLS.flatMap(({ input }) => Object.keys(input.shape));
    expect(names.filter((name) => ["as", "workspace", "user", "scope", "folder"].includes(name))).toEqual([]);
  });

  test("the page about them has all, with what they say of themselves", () => {
    const lines = readFile("docs/MCP.md").split("\n");
    const begin = lines.findIndex((line) => /^\|\s*tool\s*\|/.test(line)) + 2;
    const shown = lines.slice(begin, lines.indexOf("", begin)).map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
    expect(shown).toEqual(toolsTable());
  });
});

describe("how agents are connected", () => {
  const page = readFile("docs/MCP.md");
  const blocks = (language: string): string[] =>
    [...page.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``, "g"))].map(([, text = ""]) => text);
  const server = z.looseObject({ command: z.literal("npx"), args: z.array(z.string()) });
  const ARGS = ["-y", "memd", "mcp", "-w", "/path/to/my-agent"];

  test("every configuration starts the same server", () => {
    const [claude, code] = blocks("json").map((text): unknown => JSON.parse(text));
    const inClaude = z.object({ mcpServers: z.object({ memd: server }) }).parse(claude).mcpServers.memd;
    const inCode = z.object({ servers: z.object({ memd: server }) }).parse(code).servers.memd;
    const codex = z
      .object({ mcp_servers: z.object({ memd: server }) })
      .parse(parse(blocks("toml").join("\n"))).mcp_servers.memd;
    const [, json = ""] = /openclaw mcp set memd '(.*)'/.exec(page) ?? [];
    const openclaw = server.parse(JSON.parse(json));
    for (const { args } of [inClaude, inCode, codex, openclaw]) expect(args).toEqual(ARGS);
    expect(page).toContain(`claude mcp add memd -- npx ${ARGS.join(" ")}`);
  });

  test("server.json is of this package, as registries take it", () => {
    const manifest = z.object({ name: z.string(), version: z.string(), mcpName: z.string() });
    const { name, version, mcpName } = manifest.parse(JSON.parse(readFile("package.json")));
    const listed = z
      .object({
        name: z.literal(mcpName),
        description: z.string().max(100),
        version: z.literal(version),
        packages: z.tuple([
          z.object({
            registryType: z.literal("npm"),
            identifier: z.literal(name),
            version: z.literal(version),
            transport: z.object({ type: z.literal("stdio") }),
            packageArguments: z.array(z.looseObject({ type: z.string(), name: z.string().optional() })),
          }),
        ]),
      })
      .parse(JSON.parse(readFile("server.json")));
    const options = commandAt("mcp")?.options.map(({ long }) => long);
    const [{ packageArguments }] = listed.packages;
    for (const { type, name: option } of packageArguments)
      expect(type === "positional" || options?.includes(option ?? "")).toBe(true);
  });
});

function takesReader(command: string): boolean {
  return commandAt(command)?.options.some(({ long }) => long === "--as") === true;
}

function commandAt(path: string): Command | undefined {
  return path
    .split(" ")
    .reduce<Command | undefined>((at, name) => at?.commands.find((one) => one.name() === name), programs);
}

function leavesOf(command: Command, above = ""): string[] {
  return command.commands.flatMap((inner) => {
    const path = `${above} ${inner.name()}`.trim();
    return inner.commands.length > 0 ? leavesOf(inner, path) : [path];
  });
}
