/**
 * `bench mcp`: how soon `memd mcp` has told its tools, how fast a search through it is beside the same search over the
 * socket, what the tools take of an agent's window, and whether it goes with its client (`--moments N`).
 */
import { spawn } from "node:child_process";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { MAIN_SCOPE } from "../../src/model/address.js";
import { randomOf } from "../../test/faults/random.js";
import { type McpProcess, startMcp } from "../../test/support/mcp-process.js";
import { writeScope } from "../search/corpus.js";
import { type Daemon, startDaemon } from "../search/daemon.js";
import { percentiles, questionsOf } from "../search/questions.js";
import { environmentIn } from "./environment.js";
import { gone } from "./gone.js";

const STARTS = 10;
const QUESTIONS = 300;
/** A daemon runs for weeks, a client of it for hours: what is measured is code that is compiled. */
const WARM_UP = 1_000;
const WARM_UP_THROUGH = 100;

export async function benchMcp(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const passages = Number(options.get("passages") ?? 10_000);
  const moments = Number(options.get("moments") ?? 200);
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "memd-mcp-"));
  try {
    const root = await emptyWorkspace(home, "small");
    return {
      passages,
      ...(await startFigures(home, root)),
      ...(await searchFigures(home, passages)),
      gone: await gone(
        home,
        await emptyWorkspace(home, "asked"),
        await emptyWorkspace(home, "alone"),
        moments,
      ),
      tokens: { basic: await tokensOf(home, root, "basic"), all: await tokensOf(home, root, "all") },
    };
  } finally {
    await fs.rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function emptyWorkspace(home: string, name: string): Promise<string> {
  const root = path.join(home, name);
  await fs.mkdir(root, { recursive: true });
  await fs.writeFile(path.join(root, "workspace.json"), JSON.stringify({ format: 1, id: "bench" }));
  for (const list of ["history.json", "inbox.json"]) await fs.writeFile(path.join(root, list), "[]\n");
  return root;
}

const through = (home: string, root: string, ...args: string[]): Promise<McpProcess> =>
  startMcp({ args: ["-w", root, ...args], env: environmentIn(home) });

/** One after the other, so that both have the same machine. */
async function startFigures(home: string, root: string): Promise<Record<string, number>> {
  const [lists, floors]: [number[], number[]] = [[], []];
  for (let start = 0; start < STARTS; start++) {
    const began = performance.now();
    const memd = await through(home, root);
    await memd.shakeHands();
    await memd.ask("tools/list");
    lists.push(performance.now() - began);
    memd.kill();
    floors.push(await bareStart());
  }
  return { tools_list_ms: percentiles(lists).p50_ms, floor_ms: percentiles(floors).p50_ms };
}

/** Until a node that does nothing else has said something. */
function bareStart(): Promise<number> {
  const began = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["-e", "process.stdout.write('x')"]);
    child.stdout.once("data", () => resolve(performance.now() - began));
  });
}

/** Each question is asked both ways, now this way first and now that. */
async function searchFigures(home: string, passages: number): Promise<Record<string, number>> {
  const root = await emptyWorkspace(home, "large");
  const chance = randomOf(passages);
  await writeScope(root, MAIN_SCOPE, passages, chance);
  const daemon = await summarised(home, root);
  const memd = await through(home, root);
  try {
    await memd.shakeHands();
    const bySocket = (query: string): Promise<unknown> =>
      daemon.ask("POST", "/agent/memories/search", { query, marks: true });
    const byMcp = async (query: string): Promise<void> => {
      const answer = await memd.call("search_memories", { query });
      if (answer?.isError !== false) throw new Error(answer?.text ?? "memd mcp has ended");
    };
    for (const query of questionsOf(WARM_UP, chance)) await bySocket(query);
    for (const query of questionsOf(WARM_UP_THROUGH, chance)) await byMcp(query);
    const times = { socket: [] as number[], mcp: [] as number[] };
    for (const [index, query] of questionsOf(QUESTIONS, chance).entries()) {
      const ways = [
        [times.socket, bySocket],
        [times.mcp, byMcp],
      ] as const;
      for (const [taken, ask] of index % 2 === 0 ? ways : [...ways].reverse()) {
        const began = performance.now();
        await ask(query);
        taken.push(performance.now() - began);
      }
    }
    const { p50_ms, p95_ms } = percentiles(times.mcp);
    return { search_p50_ms: p50_ms, search_p95_ms: p95_ms, socket_p95_ms: percentiles(times.socket).p95_ms };
  } finally {
    memd.kill();
    await daemon.stop();
  }
}

/** The summaries of all those days are made once; what is measured is what comes after. */
async function summarised(home: string, root: string): Promise<Daemon> {
  const first = await startDaemon(home, root);
  await first.ask("POST", "/archive", {});
  await first.stop();
  return startDaemon(home, root);
}

async function tokensOf(home: string, root: string, tools: "basic" | "all"): Promise<number> {
  const memd = await through(home, root, "--tools", tools);
  try {
    await memd.shakeHands();
    const listed = await memd.ask("tools/list");
    return encode(JSON.stringify(listed?.result)).length;
  } finally {
    memd.kill();
  }
}
