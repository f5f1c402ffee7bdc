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
    const kills = await killed(home, file, given, Number(options.get("kills") ?? 10), importedMs, archivedMs);
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

/** Kills the archiving process ever later in the pass, then lets a last one finish. */
async function killed(
  home: string,
  file: string,
  given: readonly Given[],
  times: number,
  importMs: number,
  archiveMs: number,
) {
  const root = path.join(home, "killed");
  await memd(home, root, "init");
  let hits = 0;
  for (let n = 1; n <= times; n++) {
    // The first kills fall into the import, the others into the summaries.
    const importing = n <= Math.ceil(times / 3);
    const args = importing ? ["import", file] : ["archive", "--now"];
    const share = importing ? n / (Math.ceil(times / 3) + 1) : (n - Math.ceil(times / 3)) / (times + 1);
    if (await killAfter(home, root, args, share * (importing ? importMs : archiveMs))) hits++;
  }
  await memd(home, root, "import", file);
  await memd(home, root, "archive", "--now");
  return { asked: times, hit: hits, ...(await verify(root, given)) };
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
