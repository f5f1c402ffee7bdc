/**
 * `bench decade --messages 10000,100000,1000000`: what one scope costs as it grows, of a hundred messages a day: a
 * start until the first prompt, a search, a pass over one new day, the minute's look at the tree, forgetting a message,
 * taking everything along, memory and disk; and by how much each grows from size to size.
 */
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { LOCAL_USER, MAIN_SCOPE } from "../src/model/address.js";
import { MINUTE_MS } from "../src/model/time.js";
import { printSections, printSummary } from "../src/protocol/summary.js";
import { coverHash, openVerbatim } from "../src/protocol/verbatim.js";
import { summaryPath } from "../src/protocol/workspace.js";
import { printWorkspaceFile } from "../src/protocol/workspace-file.js";
import { randomOf } from "../test/faults/random.js";
import { writeScope } from "./search/corpus.js";
import { type Daemon, startDaemon } from "./search/daemon.js";
import { percentiles, questionsOf } from "./search/questions.js";
import { hundredths, median } from "./stall.js";

const SIZES = "10000,100000,1000000";
const WARM_UP = 200;
const QUESTIONS = 300;
const STARTS = 3;
const NEW_DAYS = 3;
const OF_A_DAY = 100;
const LOOKS = 3;
/** No records of made-up words: what is measured is what stands. */
const SETTINGS = "[cognitive]\nenabled = false\n";

type Figures = Record<string, number>;

export async function benchDecade(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const sizes = (options.get("messages") ?? SIZES).split(",").map(Number);
  const kept = options.get("keep");
  const figures: Figures[] = [];
  for (const messages of sizes) figures.push(await atSize(messages, kept));
  const growth = figures.slice(1).map((now, at) => growthOf(figures[at] ?? {}, now));
  return { sizes, figures, growth };
}

async function atSize(messages: number, kept: string | undefined): Promise<Figures> {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "memd-decade-"));
  const root = path.join(home, "workspace");
  const ready = kept === undefined ? undefined : path.join(kept, String(messages));
  try {
    if (ready !== undefined && (await isThere(ready))) await fs.rename(ready, root);
    else await built(home, root, messages);
    const figures = await measured(home, root);
    if (ready !== undefined) await fs.rename(root, ready);
    return { messages, ...figures };
  } finally {
    await fs.rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** With every summary made, as it is after a decade of days. */
async function built(home: string, root: string, messages: number): Promise<void> {
  const days = await writeScope(root, MAIN_SCOPE, messages, randomOf(messages));
  for (const file of days) await summarised(root, file);
  await fs.writeFile(path.join(root, "workspace.json"), printWorkspaceFile("bench"));
  await fs.writeFile(path.join(root, "memd.toml"), SETTINGS);
  await waiting(root);
  const daemon = await startDaemon(home, root);
  await daemon.ask("POST", "/archive", {});
  await daemon.stop();
}

/** By nobody: to have ten thousand days summarised takes an hour. Those of months are made of them. */
async function summarised(root: string, file: string): Promise<void> {
  const opened = openVerbatim(await fs.readFile(path.join(root, file)));
  const filed = [...(opened?.blocks ?? [])].map((block) => block.filed);
  const hash = coverHash(filed);
  if (opened === undefined || hash === undefined) throw new Error(`${file} is no day`);
  const { day, scope } = opened;
  const said = filed.map(({ message }) => message.text.split(". ")[0] ?? "");
  const body = printSections(day, [{ user: LOCAL_USER, text: said.slice(0, 8).join("\n\n") }]);
  const covers = [{ day, hash, messages: said.length }];
  const at = path.join(root, summaryPath(scope, day));
  await fs.mkdir(path.dirname(at), { recursive: true });
  const summary = { tier: "day", date: day, scope, by: "builtin", covers, edited: false, body } as const;
  await fs.writeFile(at, printSummary(summary));
}

async function measured(home: string, root: string): Promise<Figures> {
  const prompts: number[] = [];
  const readies: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const daemon = await startDaemon(home, root);
    prompts.push(daemon.promptMs);
    readies.push(daemon.readyMs);
    await daemon.stop();
  }
  const daemon = await startDaemon(home, root);
  try {
    // One that is kept is measured again.
    const run = Date.now();
    const search = await searched(daemon);
    const pass_ms = await passes(daemon, run);
    const look_cpu_ms = await looks(daemon);
    const busy_mb = await daemon.rssMb();
    return {
      prompt_ms: median(prompts),
      ready_ms: median(readies),
      search_p50_ms: search.p50_ms,
      search_p95_ms: search.p95_ms,
      pass_ms,
      look_cpu_ms,
      forget_ms: await forgotten(daemon, run),
      export_s: await exported(daemon, path.join(home, "export")),
      rss_mb: busy_mb,
      files_mb: await folderMb(root, (name) => name !== ".memd"),
      derived_mb: await folderMb(path.join(root, ".memd")),
    };
  } finally {
    await daemon.stop();
  }
}

async function searched(daemon: Daemon): Promise<{ p50_ms: number; p95_ms: number }> {
  const times: number[] = [];
  for (const query of questionsOf(WARM_UP + QUESTIONS, randomOf(7)))
    times.push(await timed(() => daemon.ask("POST", "/agent/memories/search", { query })));
  return percentiles(times.slice(WARM_UP));
}

/** A day of talk that comes, and a pass that files it. */
async function passes(daemon: Daemon, run: number): Promise<number> {
  const times: number[] = [];
  for (let day = 0; day < NEW_DAYS; day++) {
    const questions = questionsOf(OF_A_DAY, randomOf(day + 100));
    const messages = questions.map((text, at) => ({
      id: `new-${run}-${day}-${at}`,
      role: at % 2 === 0 ? "user" : "agent",
      text,
      createdAt: new Date(Date.UTC(2026, 1, 2 + day, 8, at)).toISOString(),
    }));
    times.push(
      await timed(async () => {
        await daemon.ask("POST", "/import", { messages });
        await daemon.ask("POST", "/archive", {});
      }),
    );
  }
  return Math.round(median(times));
}

/** Of the processor, for what a memd does each minute when nobody asks for anything. */
async function looks(daemon: Daemon): Promise<number> {
  await sleep(MINUTE_MS / 2);
  const before = await daemon.cpuMs();
  await sleep(LOOKS * MINUTE_MS);
  return Math.round(((await daemon.cpuMs()) - before) / LOOKS);
}

async function forgotten(daemon: Daemon, run: number): Promise<number> {
  const times: number[] = [];
  for (const id of [0, 1, 2].map((day) => `new-${run}-${day}-7`))
    times.push(await timed(() => daemon.ask("POST", "/forget", { id })));
  return Math.round(median(times));
}

async function exported(daemon: Daemon, to: string): Promise<number> {
  return hundredths((await timed(() => daemon.ask("POST", "/export", { folder: to }))) / 1000);
}

async function waiting(root: string): Promise<void> {
  const message = { id: "q-1", role: "user", text: "When does the last ferry leave?" };
  await fs.writeFile(path.join(root, "inbox.json"), JSON.stringify([message]));
}

/** What is ten times as large: by how much it costs more. */
function growthOf(before: Figures, now: Figures): Figures {
  const shared = Object.entries(now).filter(([name]) => (before[name] ?? 0) > 0);
  return Object.fromEntries(shared.map(([name, figure]) => [name, hundredths(figure / (before[name] ?? 1))]));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function folderMb(folder: string, counts: (name: string) => boolean = () => true): Promise<number> {
  let bytes = 0;
  for (const entry of await fs.readdir(folder, { withFileTypes: true })) {
    if (!counts(entry.name)) continue;
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) bytes += (await folderMb(file)) * 1e6;
    else bytes += (await fs.lstat(file)).size;
  }
  return bytes / 1e6;
}

async function isThere(file: string): Promise<boolean> {
  return (await fs.stat(file).catch(() => undefined)) !== undefined;
}

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
