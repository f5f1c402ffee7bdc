/** `memd mcp` as clients start it: what an agent does with it, what stands on its output, and whose memory it is. */
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { cliPlace, eventually, type Place } from "../support/cli.js";
import { type McpProcess, startMcp, strangeLines } from "../support/mcp-process.js";

const BIN = fileURLToPath(new URL("../../bin/memd.js", import.meta.url));
const AT = "2026-03-20T10:00:00Z";
const said = (id: string, text: string, more: object = {}) => ({
  id,
  role: "user",
  text,
  createdAt: AT,
  ...more,
});
const FILES = {
  "memory.md": "# Notes\n\n- The owner's key is under the pot.\n",
  "history.json": [
    said("h1", "The bridge code is 4471."),
    said("h2", "My boat is called Pelikan.", { user: "lin" }),
    said("h3", "My boat is called Reiher.", { user: "wei" }),
  ],
  "inbox.json": [],
};

async function withDaemon(place: Place): Promise<void> {
  await place.launch(["start"]).says("Ready.");
}

async function connected(place: Place, options: ClientOptions, args: string[] = []): Promise<Client> {
  const client = new Client({ name: "an agent", version: "1.0.0" }, options);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, "mcp", "-w", place.root, ...args],
    env: { ...place.environment },
  });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}

async function started(
  place: Place,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<McpProcess> {
  const memd = await startMcp({
    args: ["-w", place.root, ...args],
    env: { ...place.environment, ...env },
  });
  onTestFinished(() => memd.kill());
  return memd;
}

async function textOf(client: Client, name: string, given: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: given });
  return content.map((part) => ("text" in part && typeof part.text === "string" ? part.text : "")).join("\n");
}

/** Wherever an end of a turn may be by now; what memd is just writing is gone the next moment. */
function kept(place: Place): string {
  const files = [...place.files("queue"), ...place.files("memory")];
  return files
    .map((file) => (place.exists(file) && !file.endsWith(".tmp") ? place.read(file) : ""))
    .join("\n");
}

const OF_2025: ClientOptions = { versionNegotiation: { mode: "legacy" } };
const OF_2026: ClientOptions = { versionNegotiation: { mode: { pin: "2026-07-28" } } };

test.each([
  { era: "2025-11-25", options: OF_2025, isRunning: true },
  { era: "2026-07-28", options: OF_2026, isRunning: true },
  { era: "2026-07-28", options: OF_2026, isRunning: false },
])(
  "an agent of $era lists tools, searches, reads what it found, remembers and ends (memd running: $isRunning)",
  async ({ options, isRunning }) => {
    const place = cliPlace({ files: FILES });
    if (isRunning) await withDaemon(place);
    const agent = await connected(place, options);

    const { tools } = await agent.listTools();
    expect(tools.map(({ name }) => name)).toContain("search_memories");
    const found = await textOf(agent, "search_memories", { query: "bridge code" });
    expect(found).toContain("4471");
    const [, source = ""] = /4471\.? \[(memd:[^\] ]+)/.exec(found) ?? [];
    expect(await textOf(agent, "read", { source })).toContain("The bridge code is 4471.");
    expect(await textOf(agent, "remember", { text: "Lin Yue drinks oolong." })).toMatch(/^Remembered, as/);
    expect(place.read("memory.md")).toContain("Lin Yue drinks oolong.");
    const turn = { memo: "Told the code.", observations: ["Lin Yue moved to Porto on 2026-03-01."] };
    expect(await textOf(agent, "end", turn)).toBe("Kept.");
    expect(kept(place)).toContain("Told the code.");
    expect(kept(place)).toContain("moved to Porto");
  },
);

test("standard output is JSON-RPC and nothing else, whatever is printed, asked or fails", async () => {
  const place = cliPlace({ files: FILES });
  const noise = `process.on("SIGUSR2", () => { console.log("noise"); console.info("%s", "noise"); });`;
  const memd = await started(place, [], {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURI(noise)}`,
  });
  await memd.shakeHands();
  process.kill(memd.pid, "SIGUSR2");
  await eventually("the noise is heard", () => memd.said().includes("noise"));
  memd.send("this is no JSON");
  memd.send({ jsonrpc: "2.0", method: "notifications/unheard_of" });
  expect(await memd.ask("nobody/knows")).toHaveProperty("error");
  expect(await memd.call("no_such_tool", {})).toMatchObject({ isError: true });
  expect(await memd.call("search_memories", { query: 7 })).toMatchObject({ isError: true });
  expect(await memd.ask("resources/read", { uri: "memd://../etc/passwd" })).toHaveProperty("error");
  place.write("memd.toml", "[mcp]\nno_such_setting = 1\n");
  expect(await memd.call("search_memories", { query: "bridge" })).toMatchObject({
    isError: true,
    text: expect.stringContaining("memd.toml") as string,
  });
  expect(memd.lines.length).toBeGreaterThanOrEqual(6);
  expect(strangeLines(memd.lines)).toEqual([]);
});

test("a workspace that is not there, and a reader that is none, are told on standard error", async () => {
  const place = cliPlace({ workspace: false });
  const missing = await place.memd(["mcp", "-w", `${place.outside}/nowhere`]);
  expect(missing).toMatchObject({ code: 3, stdout: "" });
  expect(missing.stderr).toContain("There is no folder");
  const nobody = await place.memd(["mcp", "-w", place.root, "--as", "a/b/c/d"]);
  expect(nobody).toMatchObject({ code: 2, stdout: "" });
  expect(nobody.stderr).toContain("a/b/c/d is no user/scope/session");
});

test("whoever is bound to a viewer finds nothing of another's, and none of the owner's tools", async () => {
  const place = cliPlace({ files: FILES });
  await withDaemon(place);
  const owner = await connected(place, {}, ["--tools", "all"]);
  const ownersTools = (await owner.listTools()).tools.map(({ name }) => name);
  expect(ownersTools).toEqual(expect.arrayContaining(["delete_memory", "add_document"]));
  expect(await textOf(owner, "search_memories", { query: "boat" })).toMatch(
    /Pelikan[^]*Reiher|Reiher[^]*Pelikan/,
  );

  const lin = await connected(place, {}, ["--as", "lin/main", "--tools", "all"]);
  const linsTools = (await lin.listTools()).tools.map(({ name }) => name);
  expect(ownersTools.filter((name) => !linsTools.includes(name))).toEqual(["delete_memory", "add_document"]);
  await expect(textOf(lin, "delete_memory", { id: "x" })).rejects.toThrow();

  const answers = [
    await textOf(lin, "search_memories", { query: "boat" }),
    await textOf(lin, "search_memories", { query: "Reiher owner's key pot" }),
    await textOf(lin, "get_prompt", {}),
    await textOf(lin, "get_history", {}),
    await textOf(lin, "memory_list", {}),
    await textOf(lin, "list_memories", { target_user_id: "wei" }),
    await textOf(lin, "read", { source: "memd://memory.md" }),
    JSON.stringify(await lin.listResources()),
  ];
  expect(answers[0]).toContain("Pelikan");
  for (const answer of answers) expect(answer).not.toMatch(/Reiher|4471|under the pot/);
});

test("a client of 2025 is told of the resources that it has subscribed to, and of no others", async () => {
  const place = cliPlace({ files: FILES });
  await withDaemon(place);
  const [silent, hearing] = [await started(place), await started(place)];
  for (const memd of [silent, hearing]) await memd.shakeHands();
  await hearing.ask("resources/subscribe", { uri: "memd://memory.md" });
  const updates = ({ lines }: McpProcess): string[] =>
    lines.filter((line) => line.includes("resources/updated"));
  let told = 0;
  await eventually("the change is told", async () => {
    await hearing.call("remember", { text: `Lin Yue has ${++told} boats.` });
    return updates(hearing).length > 0;
  });
  await silent.call("search_memories", { query: "boats" });
  expect(updates(hearing).every((line) => line.includes('"memd://memory.md"'))).toBe(true);
  expect(updates(silent)).toEqual([]);
});
