/**
 * A workspace leaves and comes back: a public data set is imported and archived, exported as a folder
 * and as an archive, and each is imported into an empty workspace. Messages are compared block by
 * block, memory.md byte by byte, and the same questions are asked of both; then all of it is imported
 * once more. A vault's links are looked up among its notes.
 */
import { spawn } from "node:child_process";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { parseVerbatim } from "../src/protocol/verbatim.js";
import { startDaemon } from "./search/daemon.js";

const BINARY = path.resolve(import.meta.dirname, "../bin/memd.js");
const MB = 1_000_000;

interface Hit {
  passage: { id: string; text: string };
}

export async function benchExport(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const base = process.env["MEMD_BENCH_DATA"];
  const folder = options.get("data") ?? (base === undefined ? undefined : path.join(base, "locomo-dev"));
  if (folder === undefined)
    throw new Error("name the folder of messages.jsonl with --data DIR, or set MEMD_BENCH_DATA");
  const questions = (await linesOf<{ text: string }>(path.resolve(folder, "queries.jsonl")))
    .map(({ text }) => text)
    .slice(0, Number(options.get("questions") ?? 200));
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "memd-export-"));
  try {
    const root = path.join(home, "first");
    await memd(home, root, "init");
    await memd(home, root, "import", path.resolve(folder, "messages.jsonl"));
    await fs.writeFile(path.join(root, "memory.md"), "# Memory\n\n- kept as it is, without a last line feed");
    await memd(home, root, "archive", "--now");
    const first = await stateOf(home, root, questions);
    const figures: Record<string, unknown> = { messages: first.messages.size, questions: questions.length };
    for (const [shape, target] of [
      ["folder", path.join(home, "left")],
      ["archive", path.join(home, "left.tar.gz")],
    ] as const)
      figures[shape] = await thereAndBack(home, root, target, first, questions);
    const vault = path.join(home, "vault");
    const vault_ms = await memd(home, root, "export", vault, "--vault");
    return { ...figures, vault: { export_ms: vault_ms, ...(await linksIn(vault)) } };
  } finally {
    await fs.rm(home, { recursive: true, force: true });
  }
}

interface State {
  messages: ReadonlyMap<string, string>;
  answers: string[];
  memory: string;
}

async function thereAndBack(
  home: string,
  root: string,
  target: string,
  first: State,
  questions: readonly string[],
): Promise<Record<string, number | boolean>> {
  const export_ms = await memd(home, root, "export", target);
  const there = `${target}-there`;
  await memd(home, there, "init");
  const import_ms = await memd(home, there, "import", target);
  const second = await stateOf(home, there, questions);
  await memd(home, there, "import", target);
  const again = await messagesIn(there);
  const differs = (state: ReadonlyMap<string, string>): number =>
    [...first.messages].filter(([key, said]) => state.get(key) !== said).length;
  return {
    export_ms,
    import_ms,
    mb: Number(((await bytesIn(target)) / MB).toFixed(2)),
    missing_or_changed: differs(second.messages),
    added: second.messages.size - first.messages.size,
    same_answers: second.answers.filter((answer, index) => answer === first.answers[index]).length,
    same_memory: second.memory === first.memory,
    changed_by_second_import: differs(again) + again.size - second.messages.size,
  };
}

async function stateOf(home: string, root: string, questions: readonly string[]): Promise<State> {
  // What is owed of an import would come between two questions.
  await memd(home, root, "start", "--until-idle");
  const daemon = await startDaemon(home, root);
  const answers: string[] = [];
  for (const query of questions) {
    const { hits } = await daemon.ask<{ hits: Hit[] }>("POST", "/agent/memories/search", {
      query,
      limit: 10,
    });
    answers.push(JSON.stringify(hits.map(({ passage }) => [passage.id, passage.text])));
  }
  await daemon.stop();
  return {
    messages: await messagesIn(root),
    answers,
    memory: await fs.readFile(path.join(root, "memory.md"), "utf8"),
  };
}

/** All that is known of each but its id, by scope and id; one that stands twice is two. */
async function messagesIn(root: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of await fs.readdir(path.join(root, "memory"), { recursive: true })) {
    if (!name.endsWith(".md") || /(^|\/)(summary|documents)\//.test(name)) continue;
    const file = parseVerbatim(await fs.readFile(path.join(root, "memory", name)));
    for (const { filed } of file?.blocks ?? []) {
      const key = `${file?.scope} ${filed.message.id}`;
      found.set(found.has(key) ? `${key} again` : key, JSON.stringify(filed));
    }
  }
  return found;
}

/** Links that lead to no note, and comments of memd's. */
async function linksIn(vault: string): Promise<Record<string, number>> {
  const names = (await fs.readdir(vault, { recursive: true })).filter((name) => name.endsWith(".md"));
  const notes = new Set(names.map((name) => name.replace(/\.md$/, "")));
  const counts = { notes: notes.size, links: 0, dangling: 0, comments: 0 };
  for (const name of names) {
    const text = await fs.readFile(path.join(vault, name), "utf8");
    counts.comments += (text.match(/<!--/g) ?? []).length;
    for (const [, to = ""] of text.matchAll(/(?<!\\)\[\[([^\]|#]*)[^\]]*\]\]/g)) {
      counts.links++;
      if (!notes.has(to)) counts.dangling++;
    }
  }
  return counts;
}

async function bytesIn(target: string): Promise<number> {
  const stat = await fs.stat(target);
  if (stat.isFile()) return stat.size;
  const names = await fs.readdir(target, { recursive: true });
  const stats = await Promise.all(names.map((name) => fs.stat(path.join(target, name))));
  return stats.reduce((sum, each) => sum + (each.isFile() ? each.size : 0), 0);
}

async function linesOf<T>(file: string): Promise<T[]> {
  return (await fs.readFile(file, "utf8"))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
}

/** How many milliseconds it took. */
function memd(home: string, root: string, ...args: string[]): Promise<number> {
  const env = { ...process.env, XDG_RUNTIME_DIR: home, HOME: home, MEMD_WORKSPACE: root };
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BINARY, ...args], { env, stdio: ["ignore", "ignore", "inherit"] });
    child.once("exit", (code) =>
      code === 0
        ? resolve(Math.round(performance.now() - started))
        : reject(new Error(`memd ${args.join(" ")}: ${code}`)),
    );
  });
}
