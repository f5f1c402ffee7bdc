/**
 * `bench hooks --turns 200`: agents with hooks, and OpenClaw with memd's plugin, play their turns, with all that goes wrong, and what memd has
 * of them in the end is compared with what was said; how long each hook held the agent up, with memd there,
 * with one that does not answer, and with none.
 */
import { execFile } from "node:child_process";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { parseVerbatim } from "../../src/protocol/verbatim.js";
import { startDaemon } from "../search/daemon.js";
import { type Agent, Host, type Said } from "./host.js";
import { playOpenClaw, timesWithoutMemd } from "./openclaw.js";

const TEXTS = [
  "go on",
  "yes",
  "继续",
  "The ferry leaves at 22:10 from pier",
  "Fix the timetable of line",
  "Which pier was it?",
];
const QUIET_MS = 8000;

/** `agent`: only that one. */
export async function benchHooks(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const turns = Number(options.get("turns") ?? 200);
  const seed = Number(options.get("seed") ?? 1);
  const figures: Record<string, unknown> = {};
  for (const agent of ["claude-code", "codex", "openclaw"] as const) {
    if ((options.get("agent") ?? agent) !== agent) continue;
    figures[agent] =
      agent === "openclaw" ? await playedOpenClaw(turns, seed) : await played(agent, turns, seed);
  }
  return { turns, ...figures };
}

type Figures = Record<string, unknown>;

async function inWorkspace(play: (home: string, root: string) => Promise<Figures>): Promise<Figures> {
  const home = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), "memd-hooks-")));
  try {
    const root = path.join(home, "ws");
    await fs.mkdir(root, { mode: 0o700 });
    await fs.writeFile(path.join(root, "workspace.json"), JSON.stringify({ format: 1, id: "hooks" }));
    return await play(home, root);
  } finally {
    await fs.rm(home, { recursive: true, force: true });
  }
}

async function played(agent: Agent, turns: number, seed: number): Promise<Figures> {
  return inWorkspace(async (home, root) => {
    const random = randomOf(seed);
    const host = new Host(agent, home, root, await folders(home), random);
    let daemon = await startDaemon(home, root);
    await host.begin("startup");
    for (let turn = 1; turn <= turns; turn++) {
      const text = TEXTS[Math.floor(random() * TEXTS.length)] as string;
      await host.turn(spoken(text, turn), random() < 0.3 ? "Done." : `Done with ${turn}.`);
      if (turn % 40 === 0) await host.write();
      if (turn % 40 === 0) await host.begin(turn % 80 === 0 ? "fork" : "resume");
      if (turn % 70 === 0) {
        await daemon.stop();
        daemon = await startDaemon(home, root);
      }
    }
    await host.write();
    const withMemd = host.runs.map(({ ms }) => ms);
    const outputs = host.runs.map(({ output }) => output).filter((output) => output !== "");
    await host.run({ hook_event_name: "SessionStart", source: "resume" });
    await new Promise((done) => setTimeout(done, QUIET_MS));
    await daemon.ask("POST", "/archive", {});
    const kept = await saidIn(root);
    await daemon.stop();
    const without = await timesWithout(host);
    return {
      said: host.said.length,
      kept: kept.length,
      ...compared(host.said, kept),
      told_again: toldAgain(kept),
      briefed: outputs.length,
      hook_ms: { median: share(withMemd, 0.5), p95: share(withMemd, 0.95), longest: share(withMemd, 1) },
      hook_ms_without_memd: { median: share(without, 0.5), longest: share(without, 1) },
    };
  });
}

async function playedOpenClaw(turns: number, seed: number): Promise<Figures> {
  return inWorkspace(async (home, root) => {
    const random = randomOf(seed);
    const texts = (turn: number): { text: string; answer: string } => {
      const text = TEXTS[Math.floor(random() * TEXTS.length)] as string;
      return { text: spoken(text, turn), answer: random() < 0.3 ? "Done." : `Done with ${turn}.` };
    };
    const { daemon, ...play } = await playOpenClaw({ home, root, turns, random, texts });
    await daemon.ask("POST", "/archive", {});
    const kept = await saidIn(root);
    await daemon.stop();
    const without = await timesWithoutMemd(home);
    return {
      said: play.said.length,
      kept: kept.length,
      ...compared(play.said, kept),
      told_again: toldAgain(kept),
      briefed: play.briefings.length,
      asked: play.asked,
      answer_in_prompt: play.answered,
      hook_ms: {
        median: share(play.hookMs, 0.5),
        p95: share(play.hookMs, 0.95),
        longest: share(play.hookMs, 1),
      },
      hook_ms_without_memd: { median: share(without, 0.5), longest: share(without, 1) },
    };
  });
}

/** So that most are said once. */
function spoken(text: string, turn: number): string {
  return text.includes("pier") || text.includes("line") ? `${text} ${turn}` : text;
}

/** Memd's own words among what was said. */
function toldAgain(kept: readonly Said[]): number {
  return kept.filter(({ text }) => text.includes("<memd-memory>") || text.includes("What memd remembers"))
    .length;
}

/** A repository, a folder in it and a worktree of it. */
async function folders(home: string): Promise<string[]> {
  const [repo, tree] = [path.join(home, "boat"), path.join(home, "boat-wt")];
  await fs.mkdir(path.join(repo, "src"), { recursive: true });
  const git = (...args: string[]): Promise<unknown> =>
    promisify(execFile)("git", ["-C", repo, "-c", "user.name=a", "-c", "user.email=a@b", ...args]);
  await git("init", "-q");
  await git("commit", "-q", "--allow-empty", "-m", "begin");
  await git("worktree", "add", "-q", tree);
  return [repo, path.join(repo, "src"), tree];
}

async function saidIn(root: string): Promise<Said[]> {
  const said: Said[] = [];
  const memory = path.join(root, "memory");
  for (const name of await fs.readdir(memory, { recursive: true }))
    if (/(?:^|\/)\d{4}-\d\d-\d\d[^/]*\.md$/.test(name))
      for (const { filed } of parseVerbatim(await fs.readFile(path.join(memory, name), "utf8"))?.blocks ?? [])
        said.push({ role: filed.message.role === "user" ? "user" : "agent", text: filed.message.text });
  return said;
}

function compared(said: readonly Said[], kept: readonly Said[]): { lost: number; doubled: number } {
  const counts = new Map<string, number>();
  for (const { role, text } of said) counts.set(`${role} ${text}`, (counts.get(`${role} ${text}`) ?? 0) + 1);
  for (const { role, text } of kept) counts.set(`${role} ${text}`, (counts.get(`${role} ${text}`) ?? 0) - 1);
  const apart = [...counts.values()];
  return {
    lost: apart.reduce((sum, count) => sum + Math.max(0, count), 0),
    doubled: apart.reduce((sum, count) => sum + Math.max(0, -count), 0),
  };
}

/** One starts it, the others find that it was asked for. */
async function timesWithout(host: Host): Promise<number[]> {
  const times: number[] = [];
  await fs.mkdir(path.join(host.root, ".memd"), { recursive: true });
  await fs.writeFile(path.join(host.root, ".memd", "hook-start"), "");
  for (let run = 0; run < 20; run++)
    times.push((await host.run({ hook_event_name: "UserPromptSubmit", prompt: "go on" }))?.ms ?? 0);
  return times;
}

function share(times: readonly number[], part: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
}

function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
