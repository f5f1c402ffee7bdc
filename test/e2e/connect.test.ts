/** memd becomes the memory of an agent that has a past and settings of its person's, and goes again. Needs a build. */
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { HOST_NAMES } from "../../src/adapters/host.js";
import { treeOf, valueOf } from "../../src/adapters/json-tree.js";
import { generate } from "../adapters/generator/index.js";
import { cliPlace, eventually, isAlive, type Ended, type Place } from "../support/cli.js";

const SETTINGS =
  '{\r\n\t// mine\r\n\t"hooks": { "Stop": [ { "hooks": [ { "type": "command", "command": "ding.sh" } ] } ] },\r\n\t"model": "large",\r\n}';

function inHome(place: Place, file: string): string {
  return path.join(place.environment["HOME"] ?? "", file);
}

function put(place: Place, file: string, text: string): void {
  fs.mkdirSync(path.dirname(inHome(place, file)), { recursive: true });
  fs.writeFileSync(inHome(place, file), text);
}

/** Path, mode and content of every file in the home folder. */
function home(place: Place): Record<string, string> {
  const root = inHome(place, "");
  const files = fs.readdirSync(root, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    files
      .filter((file) => !/^(?:memd|\.claude\/projects)(?:\/|$)/.test(file))
      .map((file) => [file, path.join(root, file)] as const)
      .filter(([, at]) => fs.statSync(at).isFile())
      .map(([file, at]) => [
        file,
        `${(fs.statSync(at).mode & 0o777).toString(8)} ${fs.readFileSync(at, "latin1")}`,
      ]),
  );
}

function answer({ code, stdout, stderr }: Ended): Record<string, unknown> {
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

test("shown, agreed to, connected with the past, twice, and taken out again", async () => {
  const place = cliPlace({ workspace: false });
  const { messages } = await generate("claude-code", inHome(place, ""), { seed: 11, sessions: 3 });
  put(place, ".claude/settings.json", SETTINGS);
  fs.chmodSync(inHome(place, ".claude/settings.json"), 0o640);
  put(place, ".claude.json", '{\n  "numStartups": 7,\n  "mcpServers": {}\n}\n');
  const before = home(place);
  const memd = (...args: string[]): Promise<Ended> => place.memd(args, { cwd: place.outside });

  expect(await memd("connect", "claude-code")).toMatchObject({ code: 2 });
  const shown = await memd("connect", "claude-code", "--dry-run");
  expect(shown).toMatchObject({ code: 0, stderr: "" });
  expect(shown.stdout).toContain(`The workspace is ${inHome(place, "memd")}: none was named`);
  expect(shown.stdout).toContain(`+++ ${inHome(place, ".claude/settings.json")}`);
  expect(shown.stdout).toMatch(/^\+.*memd\.js' hook claude-code --workspace '/m);
  expect(home(place)).toEqual(before);
  expect(fs.existsSync(inHome(place, "memd"))).toBe(false);

  const first = answer(await memd("connect", "claude-code", "--yes", "--json"));
  const { pid = -1 } = first["daemon"] as { pid?: number };
  onTestFinished(() => void (isAlive(pid) && process.kill(pid, "SIGKILL")));
  expect(first).toMatchObject({
    workspace: inHome(place, "memd"),
    made: true,
    files: [{ outcome: "written" }, { outcome: "written" }],
    imported: { messages: messages.length, fresh: messages.length },
    daemon: { started: true },
  });
  expect(isAlive(pid)).toBe(true);
  const connected = home(place);
  expect(connected[".claude/settings.json"]).toMatch(/^640 /);
  expect(answer(await memd("connect", "claude-code", "--yes", "--json"))).toMatchObject({
    made: false,
    files: [{ outcome: "same" }, { outcome: "same" }],
    imported: { messages: messages.length, fresh: 0 },
    daemon: { started: false },
  });
  expect(home(place)).toEqual(connected);
  const { findings } = answer(await memd("doctor", "--json", "-w", inHome(place, "memd"))) as {
    findings: unknown[];
  };
  expect(findings).toContainEqual({
    check: "claude-code",
    ok: true,
    detail: `connected to ${inHome(place, "memd")}`,
  });

  // What a session would tell it.
  const prompt = {
    session_id: "s-9",
    hook_event_name: "UserPromptSubmit",
    prompt: "Where did the quokka go?",
  };
  const line = hookIn(inHome(place, ".claude/settings.json"), "UserPromptSubmit");
  const heard = spawnSync("sh", ["-c", line], { env: place.environment, input: JSON.stringify(prompt) });
  expect([heard.status, heard.stderr.toString()]).toEqual([0, ""]);
  await eventually("what the hook told is found", async () =>
    (await memd("search", "quokka", "-w", inHome(place, "memd"))).stdout.includes("Where did the quokka go?"),
  );

  const { command, args } = serverIn(inHome(place, ".claude.json"));
  expect(await firstAnswer(command, args, place)).toMatchObject({ serverInfo: { name: "memd" } });
  expect(await memd("stop", "-w", inHome(place, "memd"))).toMatchObject({ code: 0 });

  // The agent counts its starts, its person turns to another model.
  const edit = (file: string, from: string, to: string): void =>
    put(place, file, fs.readFileSync(inHome(place, file), "utf8").replace(from, to));
  edit(".claude.json", '"numStartups": 7', '"numStartups": 8');
  edit(".claude/settings.json", "large", "small");
  const gone = await memd("disconnect", "claude-code", "--yes");
  expect(gone).toMatchObject({ code: 0, stderr: "" });
  expect(gone.stdout).toContain("Disconnected from Claude Code.");
  expect(home(place)).toEqual({
    ...before,
    ".claude/settings.json": `640 ${SETTINGS.replace("large", "small")}`,
    ".claude.json": before[".claude.json"]?.replace("7", "8"),
  });
  const again = await memd("disconnect", "claude-code", "--yes");
  expect(again.stdout).toContain("memd is not connected to Claude Code: nothing was changed.");
  expect(fs.existsSync(inHome(place, "memd/workspace.json"))).toBe(true);
}, 240_000);

test("every agent, with files of its person's and without, in a workspace that is named", async () => {
  const place = cliPlace();
  const env = { CODEX_HOME: inHome(place, "codex"), CLAUDE_CONFIG_DIR: inHome(place, "claude") };
  put(place, "codex/config.toml", 'model = "large"\n[mcp_servers.docs]\ncommand = "docs"');
  put(place, ".gemini/settings.json", '{\n    "hooks": {},\n    "theme": "dark"\n}');
  put(place, ".openclaw/openclaw.json", "{ agents: { list: ['a'], }, }\n");
  for (const folder of ["claude", ".cursor"]) fs.mkdirSync(inHome(place, folder));
  const before = home(place);
  const run = async (...args: string[]): Promise<Ended> => {
    const ended = await place.memd(args, { env });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    return ended;
  };
  for (const agent of HOST_NAMES) {
    const { stdout } = await run("connect", agent, "--yes", "--no-start", "-w", place.root);
    expect(stdout).toContain("Connected to");
  }
  const connected = home(place);
  expect(Object.keys(connected)).toEqual([
    ".cursor/hooks.json",
    ".cursor/mcp.json",
    ".gemini/settings.json",
    ".openclaw/openclaw.json",
    "claude/.claude.json",
    "claude/settings.json",
    "codex/config.toml",
    "codex/hooks.json",
  ]);
  const { findings } = JSON.parse((await run("doctor", "--json")).stdout) as {
    findings: { check: string; detail: string }[];
  };
  expect(findings.filter(({ detail }) => detail === `connected to ${place.root}`)).toHaveLength(
    HOST_NAMES.length,
  );
  for (const agent of HOST_NAMES) await run("disconnect", agent, "--yes");
  expect(home(place)).toEqual(before);
}, 240_000);

test("an agent that is not there, and settings that cannot be read", async () => {
  const place = cliPlace();
  const missing = await place.memd(["connect", "cursor", "--yes", "--json"]);
  expect(missing.code).toBe(2);
  expect(JSON.parse(missing.stdout)).toMatchObject({
    error: { code: "host_missing", message: expect.stringContaining(inHome(place, ".cursor")) as string },
  });
  put(place, ".cursor/mcp.json", '{\n  "mcpServers": [\n}\n');
  const before = home(place);
  const broken = await place.memd(["connect", "cursor", "--yes"]);
  expect(broken.code).toBe(1);
  expect(broken.stderr).toContain(`${inHome(place, ".cursor/mcp.json")}, line 3: `);
  expect(home(place)).toEqual(before);
  expect(await place.memd(["connect", "emacs"])).toMatchObject({ code: 2 });
});

/** The last line of that event, which is memd's. */
function hookIn(file: string, event: string): string {
  const { hooks } = valueOf(treeOf(fs.readFileSync(file, "utf8"))) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  return hooks[event]?.at(-1)?.hooks.at(-1)?.command ?? "";
}

function serverIn(file: string): { command: string; args: string[] } {
  const { mcpServers } = JSON.parse(fs.readFileSync(file, "utf8")) as {
    mcpServers: Record<string, { command: string; args: string[] }>;
  };
  return mcpServers["memd"] ?? { command: "", args: [] };
}

/** What the server says to its client's first words. */
async function firstAnswer(command: string, args: readonly string[], place: Place): Promise<unknown> {
  const child = spawn(command, args, { env: place.environment, stdio: ["pipe", "pipe", "ignore"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  const line = await new Promise<string>((resolve) => {
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes("\n")) resolve(said.slice(0, said.indexOf("\n")));
    });
  });
  child.stdin.end();
  await ended;
  return (JSON.parse(line) as { result?: unknown }).result;
}
