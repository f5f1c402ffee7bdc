/**
 * Whether any text stops the clock: a daemon is given texts made to be slow, for
 * every regular expression of the sources, a third of them as messages, as queries and as documents
 * each and one as `memory.md`, and is pinged all the while by another process. So is a bare
 * server that does nothing else: its longest silence is that of the machine.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import readline from "node:readline";
import { hostileTo, regexpsIn } from "../test/attacks/regexps.js";
import { startDaemon, type Daemon } from "./search/daemon.js";
import { median } from "./stall.js";

const SOURCES = path.resolve(import.meta.dirname, "../src");
const MB = 1_000_000;
const LARGEST_CHARS = 10 * MB;
/** What history.json holds before the oldest go. */
const HISTORY_CHARS = 8 * MB;
const RUNS = [
  "密码",
  "年",
  "e\u0301",
  "\u001b[31m",
  "-eyJa",
  "password=!",
  "x_",
  "😀",
  " ",
  "\n",
  "### 12:00:00 x <!-- ",
];
const SIZES = [1000, 8000, 30_000, 60_000, 200_000, MB, LARGEST_CHARS];
/** On new workspaces each, in turn; the median counts. */
const STARTS = 5;
const AT = Date.parse("2026-03-01T08:00:00Z");

export async function benchHostile(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const count = Number(options.get("texts") ?? 400);
  const texts = textsOf(count, Number(options.get("mb") ?? 60) * MB);
  const [messages = [], queries = [], documents = []] = [0, 1, 2].map((role) =>
    texts.filter((_text, index) => index % 3 === role),
  );
  const home = await fs.mkdtemp(path.join(tmpdir(), "memd-hostile-"));
  try {
    const { first, rest } = parted(messages);
    const starts: Record<"calm" | "hostile", Daemon[]> = { calm: [], hostile: [] };
    for (let run = 1; run < STARTS; run++)
      for (const [name, waiting] of [["calm", []] as const, ["hostile", first] as const]) {
        const started = await startOn(home, `${name}-${run}`, waiting);
        await started.stop();
        starts[name].push(started);
      }
    const calm = await startOn(home, "calm", []);
    await calm.stop();
    const daemon = await startOn(home, "hostile", first);
    starts.calm.push(calm);
    starts.hostile.push(daemon);
    const bare = await startBare(path.join(home, "bare.sock"));
    const [pinger, barePinger] = [await startPinger(daemon.socket), await startPinger(bare.socket)];
    const silence: Record<string, number> = {};
    const floor: Record<string, number> = {};
    const peakMb: Record<string, number> = { start: await daemon.peakMb() };
    const phase = async (name: string, work: () => Promise<void>): Promise<void> => {
      await work();
      silence[name] = await pinger.longestMs();
      floor[name] = await barePinger.longestMs();
      peakMb[name] = await daemon.peakMb();
    };
    await phase("waiting", () => pause(3000));
    await phase("messages", () => drop(daemon.root, rest));
    await phase("queries", () => search(daemon, queries));
    await phase("documents", () => addDocuments(daemon, documents));
    await phase("memory", async () => {
      await fs.writeFile(
        path.join(daemon.root, "memory.md"),
        `# Notes\n\n${texts.find(({ length }) => length > MB) ?? ""}\n`,
      );
      await pause(3000);
    });
    await phase("archive", () => daemon.ask("POST", "/archive", {}));
    await phase("afterwards", () => pause(3000));
    for (const each of [pinger, barePinger, bare]) each.stop();
    await daemon.stop();
    const again = await startDaemon(home, daemon.root);
    await again.stop();
    return {
      texts: texts.length,
      mb: Math.round(texts.reduce((sum, { length }) => sum + length, 0) / MB),
      longest_silence_ms: Math.max(...Object.values(silence)),
      silence_ms: silence,
      bare_server_ms: floor,
      peak_rss_mb: Math.max(...Object.values(peakMb)),
      peak_mb: peakMb,
      // Until the prompt of what waits stands; `done`: until nothing is left to do.
      start_ms: {
        calm: median(starts.calm.map(({ promptMs }) => promptMs)),
        hostile: median(starts.hostile.map(({ promptMs }) => promptMs)),
        again: again.promptMs,
      },
      done_ms: { calm: calm.readyMs, hostile: daemon.readyMs, again: again.readyMs },
      faults: await faultsIn(daemon.root),
    };
  } finally {
    await fs.rm(home, { recursive: true, force: true });
  }
}

/** What its log tells that went wrong: one text may stop the index while everything else answers. */
async function faultsIn(root: string): Promise<string[]> {
  const lines = (await fs.readFile(path.join(root, "logs/memd.jsonl"), "utf8")).split("\n");
  return lines.filter((line) => line.startsWith('{"level":50')).map((line) => line.slice(0, 300));
}

/** Long and short ones, no more than `chars` together. */
function textsOf(count: number, chars: number): string[] {
  const seeds = [...RUNS, ...regexpsIn(SOURCES).flatMap(hostileTo)];
  const step = Math.max(1, seeds.length / count);
  const texts: string[] = [];
  let left = chars;
  for (let at = 0; texts.length < count; at++) {
    const seed = seeds[Math.floor(at * step) % seeds.length] ?? "";
    // One of 10 MB in each role, and a few of 1 MB, among many that are as long as a page.
    const size = at >= 3 && at < 6 ? LARGEST_CHARS : at % 60 === 7 ? MB : (SIZES[at % 5] ?? 1000);
    const text = seed.repeat(Math.ceil(size / seed.length)).slice(0, Math.min(size, left));
    if (text === "") break;
    left -= text.length;
    texts.push(text);
  }
  return texts;
}

function parted(texts: readonly string[]): { first: string[]; rest: string[] } {
  const first: string[] = [];
  let chars = 0;
  for (const text of texts) {
    if (chars + text.length > HISTORY_CHARS || first.length === 200) continue;
    chars += text.length;
    first.push(text);
  }
  const taken = new Set(first);
  return { first, rest: texts.filter((text) => !taken.has(text)) };
}

function messageOf(text: string, index: number): Record<string, unknown> {
  return { id: `m-${index}`, role: "user", text, createdAt: new Date(AT + index * 60_000).toISOString() };
}

type Place = Daemon & { root: string; socket: string };

async function startOn(home: string, name: string, waiting: readonly string[]): Promise<Place> {
  const root = path.join(home, name);
  await fs.mkdir(root, { mode: 0o700 });
  await fs.writeFile(path.join(root, "workspace.json"), JSON.stringify({ format: 1, id: name }));
  const messages = waiting.map(messageOf);
  await fs.writeFile(path.join(root, "history.json"), JSON.stringify(messages));
  await fs.writeFile(path.join(root, "inbox.json"), JSON.stringify(messages.slice(-5)));
  const daemon = await startDaemon(home, root);
  const [socket = ""] = (await fs.readFile(path.join(root, ".memd", "owner"), "utf8")).split("\n");
  return { ...daemon, root, socket };
}

async function drop(root: string, texts: readonly string[]): Promise<void> {
  const folder = path.join(root, "inbox.d");
  await fs.mkdir(folder, { recursive: true });
  for (const [index, text] of texts.entries()) {
    const name = path.join(folder, `d-${index}`);
    await fs.writeFile(`${name}.tmp`, JSON.stringify({ ...messageOf(text, 1000 + index), id: `d-${index}` }));
    await fs.rename(`${name}.tmp`, `${name}.json`);
  }
  const isOver = async (): Promise<boolean> => (await fs.readdir(folder)).length === 0;
  for (let waits = 0; waits < 600 && !(await isOver()); waits++) await pause(200);
  if (!(await isOver())) throw new Error("the drops are not taken in");
}

async function search(daemon: Daemon, texts: readonly string[]): Promise<void> {
  for (const text of texts)
    await daemon
      .ask("POST", "/agent/memories/search", { query: text.slice(0, MB) })
      .catch((error: unknown) => refusedAs("empty_query", error));
}

function refusedAs(code: string, error: unknown): void {
  if (!String(error).includes(code)) throw error;
}

async function addDocuments(daemon: Daemon, texts: readonly string[]): Promise<void> {
  for (const [index, text] of texts.entries())
    if (/\S/.test(text))
      await daemon
        .ask("POST", "/documents", { text, id: `doc-${index}`, title: `Title ${text.slice(0, 300)}` })
        // One that holds binary data is refused.
        .catch((error: unknown) => refusedAs("value_invalid", error));
}

const PINGS = `
const http = require("node:http");
const agent = new http.Agent({ keepAlive: true });
let longest = 0;
const ping = () => {
  const from = performance.now();
  http.get({ socketPath: process.argv[1], path: "/ping", agent }, (response) => {
    response.resume().on("end", () => {
      longest = Math.max(longest, performance.now() - from);
      setTimeout(ping, 10);
    });
  }).on("error", () => process.exit());
};
ping();
process.stdin.on("data", () => {
  process.stdout.write(Math.round(longest) + "\\n");
  longest = 0;
});
`;

const BARE = `
require("node:http").createServer((_request, response) => response.end("{}"))
  .listen(process.argv[1], () => process.stdout.write("\\n"));
process.stdin.on("end", () => process.exit()).resume();
`;

async function startBare(socket: string): Promise<{ socket: string; stop: () => void }> {
  const child = spawn(process.execPath, ["-e", BARE, socket], { stdio: ["pipe", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return { socket, stop: () => void child.kill() };
}

async function startPinger(socket: string): Promise<{ longestMs: () => Promise<number>; stop: () => void }> {
  const child = spawn(process.execPath, ["-e", PINGS, socket], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const longestMs = async (): Promise<number> => {
    child.stdin.write("\n");
    return Number((await lines.next()).value);
  };
  await longestMs();
  return { longestMs, stop: () => void child.kill() };
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
