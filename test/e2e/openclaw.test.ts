/** memd in OpenClaw's memory slot, from its settings to its tools. Needs a build. */
import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cliPlace, eventually, type Place } from "../support/cli.js";
import { OpenClawHost } from "../support/openclaw-host.js";

const MAIN = "agent:main:main";
const GROUP = "agent:main:telegram:group:-100";

interface Hit {
  path: string;
  startLine: number;
  endLine: number;
  snippet: string;
  source: string;
}

/** Connected, and started as OpenClaw starts. */
async function connected(place: Place): Promise<OpenClawHost> {
  const folder = path.join(place.environment["HOME"] ?? "", ".openclaw");
  fs.mkdirSync(path.join(folder, "workspace", "memory"), { recursive: true });
  fs.writeFileSync(path.join(folder, "openclaw.json"), "{ plugins: { slots: { memory: 'memory-core' } } }\n");
  const ended = await place.memd(["connect", "openclaw", "--yes", "--no-start", "-w", place.root]);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  const host = new OpenClawHost(folder);
  await host.start();
  return host;
}

/** All that stands in days, of every scope. */
async function said(place: Place): Promise<string[]> {
  await place.memd(["archive", "--now"]);
  return place
    .files("memory")
    .filter((file) => /\d{4}-\d\d-\d\d[^/]*\.md$/.test(file) && !file.includes("summary/"))
    .flatMap((file) => place.read(file).split("\n"))
    .filter((line) => line !== "" && !/^(?:#|---|\w+:)/.test(line))
    .toSorted();
}

function told(place: Place): string[] {
  return place.files("queue/told").map((file) => (JSON.parse(place.read(file)) as { text: string }).text);
}

test("what was said is found in another session, read where it stands, and comes once with an import", async () => {
  const place = cliPlace();
  const host = await connected(place);
  const memd = place.launch(["start"]);
  await memd.says("Ready.");
  expect(host.systemPrompt()).toContain("memory_search");
  await host.turn(MAIN, "The ferry to Skye leaves at 22:10 from pier 4.", "Noted.", {
    calls: "I write it down.",
  });
  await host.turn(MAIN, "go on", "Done.");
  const search = async (query: string, key = MAIN): Promise<Hit[]> =>
    ((await host.call(key, "memory_search", { query })) as { results: Hit[] }).results;
  let results: Hit[] = [];
  await eventually("what was said is found", async () => {
    results = await search("ferry Skye pier");
    return results.some(({ snippet }) => snippet.includes("from pier 4"));
  });
  // The model still has all of it before it, and after `/new` none. One that is late says nothing.
  let [front, asked] = ["", 1];
  const question = ["When does the ferry to Skye leave?", "At 22:10."] as const;
  expect((await host.turn(MAIN, ...question)).told).not.toContain("pier 4");
  await eventually("it is told", async () => {
    asked++;
    host.begin(MAIN, "reset");
    front = (await host.turn(MAIN, ...question)).told;
    return front !== "";
  });
  expect(front).toMatch(/^<memd-memory>\n[^]*from pier 4[^]*\n<\/memd-memory>$/);
  const hit = results.find(({ snippet }) => snippet.includes("from pier 4"));
  expect(hit).toMatchObject({ path: expect.stringMatching(/^memd\//) as string, source: "sessions" });
  const lines = { path: hit?.path, from: hit?.startLine, lines: 1 };
  expect(await host.call(MAIN, "memory_get", lines)).toMatchObject({
    path: hit?.path,
    text: expect.stringContaining("The ferry to Skye leaves at 22:10 from pier 4.") as string,
  });
  // A group reads nothing of it, and what it says is its own.
  const inGroup = await host.turn(GROUP, "When does the ferry to Skye leave?", "I do not know.");
  expect(inGroup.told).not.toContain("pier 4");
  expect(
    (await search("ferry Skye pier", GROUP)).filter(({ snippet }) => snippet.includes("pier 4")),
  ).toEqual([]);
  // A host that is started again, and what it does by itself.
  await host.start();
  await host.turn(MAIN, "go on", "Done.");
  await host.turn("agent:main:main:heartbeat", "Read HEARTBEAT.md.", "HEARTBEAT_OK", {
    trigger: "heartbeat",
  });
  await host.turn(MAIN, "Store durable memories now.", "NO_REPLY", { trigger: "memory" });
  host.compact(MAIN);
  await host.turn(MAIN, "go on", "Done.");
  const all = [
    "The ferry to Skye leaves at 22:10 from pier 4.",
    "I write it down.",
    "Noted.",
    ...Array.from({ length: asked }, () => [...question]).flat(),
    ...["When does the ferry to Skye leave?", "I do not know."],
    ...Array.from({ length: 3 }, () => ["go on", "Done."]).flat(),
  ].toSorted();
  await eventually("all that was told is taken in", () => told(place).length === 0);
  expect(await said(place)).toEqual(all);
  const { stdout } = await place.memd(["import", host.writeStore(), "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ messages: all.length });
  expect(await said(place)).toEqual(all);
  expect(host.warnings.filter((warning) => !warning.includes("has not answered within"))).toEqual([]);
  expect((await place.memd(["stop"])).code).toBe(0);
}, 120_000);

test("its own memory files are found where they lie, as they change, and by nobody else", async () => {
  const place = cliPlace();
  const host = await connected(place);
  const memd = place.launch(["start"]);
  await memd.says("Ready.");
  const put = (file: string, text: string): void => fs.writeFileSync(path.join(host.workspace, file), text);
  const found = async (query: string, key = MAIN): Promise<Hit[]> =>
    ((await host.call(key, "memory_search", { query })) as { results: Hit[] }).results;
  put("MEMORY.md", "# What I know\n\n## Boats\n\nThe sloop is called Kittiwake.\n");
  put("memory/2026-03-07.md", "# 2026-03-07\n\nWe painted the hull ochre.\n");
  put("notes.md", "The sloop is nobody's business.\n");
  await eventually("both are found", async () => {
    const [boat] = await found("sloop Kittiwake");
    const [hull] = await found("hull ochre");
    return boat?.path === "MEMORY.md" && hull?.path === "memory/2026-03-07.md";
  });
  const [{ startLine } = { startLine: 0 }] = await found("sloop Kittiwake");
  expect(startLine).toBeLessThanOrEqual(5);
  const get = (given: object, key = MAIN): Promise<object> => host.call(key, "memory_get", given);
  expect(await get({ path: "MEMORY.md", from: 5, lines: 1 })).toEqual({
    path: "MEMORY.md",
    text: "The sloop is called Kittiwake.",
    from: 5,
    lines: 1,
    truncated: true,
    nextFrom: 6,
  });
  for (const other of [
    "notes.md",
    "../openclaw.json",
    "memory/../../openclaw.json",
    "/etc/passwd",
    "memd/memd.toml",
  ])
    expect(await get({ path: other })).toMatchObject({ text: "" });
  // One that is no text costs no other, and what a link leads to is not the agent's.
  put("memory/2026-03-06.md", "\u0000\u0000 binary");
  fs.symlinkSync(place.outside, path.join(host.workspace, "memory/out"));
  fs.writeFileSync(path.join(place.outside, "secret.md"), "The vault opens with osprey.\n");
  expect(await get({ path: "memory/out/secret.md" })).toMatchObject({ text: "" });
  expect(await get({ path: "MEMORY.md" }, GROUP)).toMatchObject({ text: "" });
  expect((await found("sloop Kittiwake", GROUP)).map((one) => one.path)).not.toContain("MEMORY.md");
  put("MEMORY.md", "# What I know\n\nThe sloop is called Guillemot.\n");
  fs.rmSync(path.join(host.workspace, "memory/2026-03-07.md"));
  await host.start();
  await eventually("what changed is found so, and what is gone is not", async () => {
    const [boat] = await found("sloop Guillemot");
    return (
      boat?.path === "MEMORY.md" &&
      !(await found("hull ochre")).some((one) => /hull|2026-03-07/.test(one.path))
    );
  });
  expect((await place.memd(["stop"])).code).toBe(0);
}, 120_000);

test("it fails open: with memd down, stuck, or without a workspace, and what was said is kept where it can be", async () => {
  const place = cliPlace();
  const host = await connected(place);
  expect(await host.turn(MAIN, "are you there?", "I am.")).toMatchObject({ told: "" });
  expect(told(place)).toEqual(["are you there?", "I am."]);
  expect(await host.call(MAIN, "memory_search", { query: "ferry" })).toMatchObject({
    results: [],
    disabled: true,
    error: expect.stringContaining("does not run") as string,
  });
  expect(await host.call(MAIN, "memory_get", { path: "memd/memory.md" })).toMatchObject({ disabled: true });
  // A turn that fails is told with the next one.
  await host.turn(MAIN, "and now?", "", { ends: "failed" });
  expect(told(place)).toHaveLength(2);
  const memd = place.launch(["start"]);
  await memd.says("Ready.");
  memd.kill("SIGSTOP");
  onTestFinished(() => memd.kill("SIGCONT"));
  const stuck = await host.turn(MAIN, "still there?", "Yes.");
  expect(stuck.told).toBe("");
  expect(stuck.ms.asked).toBeLessThan(800);
  memd.kill("SIGCONT");
  expect((await place.memd(["stop"])).code).toBe(0);
  const all = ["and now?", "are you there?", "I am.", "still there?", "Yes."];
  expect(await said(place)).toEqual(all.toSorted());
  place.write("memd.toml", '[agents]\nexclude = ["agent:main:main"]\n');
  await host.turn(MAIN, "between us", "Of course.");
  expect(told(place)).toEqual([]);
  fs.renameSync(place.root, `${place.root}-away`);
  await host.start();
  expect(await host.turn(MAIN, "and without?", "Without.")).toMatchObject({ told: "" });
  expect(host.warnings.length).toBeGreaterThan(0);
  fs.renameSync(`${place.root}-away`, place.root);
}, 120_000);
