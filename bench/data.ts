/**
 * A public data set through the real binary: import, archive, and then every
 * message must stand in exactly one verbatim file with its text unchanged and
 * every day be covered by a summary; again after deleting `.memd/`, after doing
 * it all twice, and after `kill -9` at several moments of the pass.
 */
import { spawn } from "node:child_process";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { parseSummary } from "../src/protocol/summary.js";
import { parseVerbatim } from "../src/protocol/verbatim.js";

const IMPORT_KILLS = 4;
/** The first kill falls into the start of the process, not before it. */
const STARTING_MS = 500;
const BINARY = path.resolve(import.meta.dirname, "../bin/memd.js");

interface Given {
  conversation: string;
  id: string;
  text: string;
}

export async function benchData(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const base = process.env["MEMD_BENCH_DATA"];
  const folder = options.get("data") ?? (base === undefined ? undefined : path.join(base, "locomo-dev"));
  if (folder === undefined)
    throw new Error("name the folder of messages.jsonl with --data DIR, or set MEMD_BENCH_DATA");
  const file = path.resolve(folder, "messages.jsonl");
  const given = (await fs.readFile(file, "utf8"))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Given);
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "memd-data-"));
  try {
    const root = path.join(home, "once");
    await memd(home, root, "init");
    const started = performance.now();
    await memd(home, root, "import", file);
    const importedMs = performance.now() - started;
    await memd(home, root, "archive", "--now");
    const archivedMs = performance.now() - started - importedMs;
    const once = await verify(root, given);
    await fs.rm(path.join(root, ".memd"), { recursive: true });
    await memd(home, root, "archive", "--now");
    const withoutDerived = await verify(root, given);
    await memd(home, root, "import", file);
    await memd(home, root, "archive", "--now");
    const twice = await verify(root, given);
    const kills = await killed(
      home,
      file,
      given,
      Number(options.get("kills") ?? 10),
      importedMs,
      await countSummaries(root),
    );
    return {
      messages: given.length,
      import_ms: Math.round(importedMs),
      archive_ms: Math.round(archivedMs),
      once,
      withoutDerived,
      twice,
      kills,
    };
  } finally {
    await fs.rm(home, { recursive: true, force: true });
  }
}

/** Kills the pass when ever more of its summaries stand, each on a fresh import, and lets another one finish; and the import, ever later. */
async function killed(
  home: string,
  file: string,
  given: readonly Given[],
  times: number,
  importMs: number,
  summaries: number,
) {
  const imported = path.join(home, "imported");
  await memd(home, imported, "init");
  let importHits = 0;
  for (let n = 1; n <= IMPORT_KILLS; n++) {
    if (await killAfter(home, imported, ["import", file], (n / (IMPORT_KILLS + 1)) * importMs)) importHits++;
  }
  await memd(home, imported, "import", file);
  let passHits = 0;
  const found: Record<string, number>[] = [];
  const summariesAtKill: number[] = [];
  for (let n = 1; n <= times; n++) {
    const root = path.join(home, `killed-${n}`);
    await fs.cp(imported, root, { recursive: true });
    if (await killAtSummary(home, root, Math.floor(((n - 1) / times) * summaries))) passHits++;
    summariesAtKill.push(await countSummaries(root));
    await memd(home, root, "archive", "--now");
    found.push(await verify(root, given));
    await fs.rm(root, { recursive: true });
  }
  const sum = (name: string): number => found.reduce((total, figures) => total + (figures[name] ?? 0), 0);
  const totals = Object.fromEntries(
    ["missing", "changed", "doubled", "uncovered"].map((name) => [name, sum(name)]),
  );
  return { import_kills: importHits, pass_kills: passHits, summaries_at_kill: summariesAtKill, ...totals };
}

async function verify(root: string, given: readonly Given[]): Promise<Record<string, number>> {
  const blocks = new Map<string, string>();
  const days = new Set<string>();
  const covered = new Set<string>();
  let doubled = 0;
  for (const name of await fs.readdir(path.join(root, "memory"), { recursive: true })) {
    if (!name.endsWith(".md") || path.basename(name).startsWith(".")) continue;
    const text = await fs.readFile(path.join(root, "memory", name), "utf8");
    const summary = parseSummary(text);
    for (const { day } of summary?.covers ?? []) covered.add(`${summary?.scope} ${day}`);
    const verbatim = parseVerbatim(text);
    for (const { filed } of verbatim?.blocks ?? []) {
      const key = `${verbatim?.scope} ${filed.message.id}`;
      if (blocks.has(key)) doubled++;
      blocks.set(key, filed.message.text);
      days.add(`${verbatim?.scope} ${verbatim?.day}`);
    }
  }
  const keys = given.map(({ conversation, id }) => `${conversation} ${id}`);
  return {
    missing: keys.filter((key) => !blocks.has(key)).length,
    changed: given.filter(
      ({ text }, index) => blocks.has(keys[index] ?? "") && blocks.get(keys[index] ?? "") !== text,
    ).length,
    doubled,
    days: days.size,
    uncovered: [...days].filter((day) => !covered.has(day)).length,
  };
}

function run(home: string, root: string, args: readonly string[]) {
  const env = { ...process.env, XDG_RUNTIME_DIR: home, HOME: home, MEMD_WORKSPACE: root };
  return spawn(process.execPath, [BINARY, ...args], { env, stdio: ["ignore", "ignore", "inherit"] });
}

function memd(home: string, root: string, ...args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    run(home, root, args).once("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`memd ${args.join(" ")}: ${code}`)),
    );
  });
}

/** True when the process was still running. */
function killAfter(home: string, root: string, args: readonly string[], ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const child = run(home, root, args);
    const timer = setTimeout(() => child.kill("SIGKILL"), ms);
    child.once("exit", (_code, signal) => {
      clearTimeout(timer);
      resolve(signal === "SIGKILL");
    });
  });
}

async function countSummaries(root: string): Promise<number> {
  const names = await fs.readdir(path.join(root, "memory"), { recursive: true });
  return names.filter((name) => /summary\/[\d-]+\.md$/.test(name)).length;
}

/** Kills the pass as soon as so many summaries stand; true when it was still running. */
function killAtSummary(home: string, root: string, count: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = run(home, root, ["archive", "--now"]);
    let over = false;
    child.once("exit", (_code, signal) => {
      over = true;
      resolve(signal === "SIGKILL");
    });
    const look = async (): Promise<void> => {
      while (!over) {
        if ((await countSummaries(root)) >= count && performance.now() - started > STARTING_MS)
          child.kill("SIGKILL");
        await new Promise((done) => setTimeout(done, 5));
      }
    };
    const started = performance.now();
    look().catch(reject);
  });
}
