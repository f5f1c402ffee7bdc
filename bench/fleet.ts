/**
 * `bench fleet --workspaces 1000 --messages 500 --talking 20 --turns 30`: one memd for every workspace below a folder.
 * What it takes once all of them rest: memory and open files; then, how long a prompt takes while some of them are
 * talked to at once, each by a host of its own that pauses between its turns (the first turns of all of them, in which
 * they are opened, stand apart), and what it takes when those rest again.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { MAIN_SCOPE } from "../src/model/address.js";
import { printWorkspaceFile } from "../src/protocol/workspace-file.js";
import { randomOf } from "../test/faults/random.js";
import { Host } from "./host.js";
import { writeScope } from "./search/corpus.js";
import { percentiles, questionsOf } from "./search/questions.js";

const BINARY = path.resolve(import.meta.dirname, "../bin/memd.js");
const PAUSE_S = 2;
const LOOKS_EACH_MS = 10;
/** Turns in which all of them are opened and warm up. */
const WARM_UP = 5;
/** Longer than it takes to come to rest. */
const QUIET_MS = 240_000;
const run = promisify(execFile);

export async function benchFleet(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const number = (name: string, otherwise: number): number => Number(options.get(name) ?? otherwise);
  const [workspaces, messages] = [number("workspaces", 1000), number("messages", 500)];
  const [talking, turns] = [Math.min(number("talking", 20), workspaces), number("turns", 30)];
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "memd-fleet-"));
  const root = path.join(home, "root");
  const env = { ...process.env, XDG_RUNTIME_DIR: home, HOME: home, XDG_CONFIG_HOME: home };
  try {
    await filled(home, root, { workspaces, messages, env });
    const began = performance.now();
    const child = spawn(process.execPath, [BINARY, "start", "--root", root], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      await says(child, "Ready.");
      const readyS = (performance.now() - began) / 1000;
      const atStart = await taken(child);
      await sleep(QUIET_MS);
      const rest = await taken(child);
      const times = await talks(root, talking, turns);
      const busy = await taken(child);
      await sleep(QUIET_MS);
      const again = await taken(child);
      return {
        workspaces,
        messages,
        ready_s: Math.round(readyS),
        at_start: atStart,
        rest,
        talking,
        turns,
        ...times,
        busy,
        rest_again: again,
      };
    } finally {
      const ended = new Promise((done) => child.once("exit", done));
      child.kill("SIGTERM");
      await ended;
    }
  } finally {
    await fs.rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** One is archived as a whole, and is what all of them are at first. */
async function filled(
  home: string,
  root: string,
  { workspaces, messages, env }: { workspaces: number; messages: number; env: NodeJS.ProcessEnv },
): Promise<void> {
  const first = path.join(home, "first");
  await writeScope(first, MAIN_SCOPE, messages, randomOf(messages));
  await fs.writeFile(path.join(first, "workspace.json"), printWorkspaceFile("bench"));
  await run(process.execPath, [BINARY, "start", "--until-idle", "-w", first], { env });
  await fs.rm(path.join(first, ".memd", "owner"), { force: true });
  for (let at = 0; at < workspaces; at++)
    await fs.cp(first, path.join(root, `team-${at % 10}`, `w-${at}`), { recursive: true });
}

async function talks(
  root: string,
  talking: number,
  turns: number,
): Promise<{ p50_ms: number; p95_ms: number }> {
  const all = await Promise.all(
    Array.from({ length: talking }, async (_, at) => {
      const host = new Host(path.join(root, `team-${at % 10}`, `w-${at}`), `h${at}`, LOOKS_EACH_MS);
      // Not all in one moment.
      await sleep((PAUSE_S * 1000 * at) / talking);
      const times: number[] = [];
      // People who think, each for another while.
      const chance = randomOf(at + 1);
      for (const text of questionsOf(turns, chance))
        times.push(await host.turn(text, PAUSE_S * (0.5 + chance())));
      return times;
    }),
  );
  const woken = all.map(([first = 0]) => first);
  return {
    ...percentiles(all.flatMap((times) => times.slice(WARM_UP))),
    ...{ first_p50_ms: percentiles(woken).p50_ms, first_p95_ms: percentiles(woken).p95_ms },
  };
}

interface Taken {
  rss_mb: number;
  fds: number;
  /** Of its workers too. */
  processes: number;
}

async function taken({ pid }: ChildProcess): Promise<Taken> {
  const status = await fs.readFile(`/proc/${pid}/status`, "utf8");
  const fds = await fs.readdir(`/proc/${pid}/fd`);
  const children = await fs.readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return {
    rss_mb: Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024),
    fds: fds.length,
    processes: children.split(" ").filter((one) => one !== "").length,
  };
}

function says(child: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let told = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      told += chunk.toString();
      if (told.includes(text)) resolve();
    });
    child.once("exit", (code) => reject(new Error(`memd ended with ${code}: ${told}`)));
  });
}

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
