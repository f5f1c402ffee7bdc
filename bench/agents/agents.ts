/**
 * `bench agents --calls N`: two agents over MCP and a host that only writes files, at once on one workspace with a memd
 * that runs. In the end every word that was acknowledged must stand once where it belongs, and each prompt must have
 * shown the newest input.
 */
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { randomOf } from "../../test/faults/random.js";
import { type McpProcess, startMcp } from "../../test/support/mcp-process.js";
import { environmentIn } from "../mcp/environment.js";
import { type Daemon, startDaemon } from "../search/daemon.js";
import { Host } from "./host.js";
import { KINDS, type Kind, memosIn, standingIn, wordsIn } from "./standing.js";

const SEED = 5;
const AGENTS = 2;
/** Questions of one agent that are under way at once. */
const AT_ONCE = 2;
/** Of so many calls one is the host's: a message, its prompt and its answer. */
const CALLS_FOR_A_TURN = 10;
const LOOK_MS = 250;
const WORKED_WITHIN_MS = 120_000;
const TOOLS = ["search", "search", "read", "read", "remember", "end"] as const;

export interface AgentsFigures extends Record<string, unknown> {
  calls: number;
  /** Words that were acknowledged, by kind. */
  acknowledged: Record<Kind, number>;
  lost: number;
  doubled: number;
  wrong_prompts: number;
  failed_calls: number;
  /** What it was, for whoever looks for the reason. */
  faults: string[];
}

export async function benchAgents(options: ReadonlyMap<string, string>): Promise<AgentsFigures> {
  return agents({ calls: Number(options.get("calls") ?? 2_000) });
}

export async function agents({ calls }: { calls: number }): Promise<AgentsFigures> {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "memd-agents-"));
  const root = path.join(home, "workspace");
  await fs.mkdir(root);
  await fs.writeFile(path.join(root, "workspace.json"), JSON.stringify({ format: 1, id: "bench" }));
  for (const list of ["history.json", "inbox.json"]) await fs.writeFile(path.join(root, list), "[]\n");
  const started: McpProcess[] = [];
  const daemon = await startDaemon(home, root);
  try {
    for (let agent = 0; agent < AGENTS; agent++) {
      const memd = await startMcp({ args: ["-w", root], env: environmentIn(home) });
      started.push(memd);
      await memd.shakeHands();
    }
    return await played(root, daemon, started, calls);
  } finally {
    for (const memd of started) memd.kill();
    await daemon.stop();
    await fs.rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function played(
  root: string,
  daemon: Daemon,
  processes: readonly McpProcess[],
  calls: number,
): Promise<AgentsFigures> {
  const host = new Host(root);
  const team = processes.map((memd, index) => new Agent(memd, index));
  const seen = new Set<string>();
  let isOver = false;
  const looking = (async () => {
    for (; !isOver; await pause(LOOK_MS))
      for (const memo of await memosIn(root)) wordsIn(memo).forEach((word) => seen.add(word));
  })();
  const turns = Math.ceil(calls / CALLS_FOR_A_TURN);
  const asked = calls - turns;
  let begun = 0;
  // As the agents go on, so does the conversation.
  const hosting = (async () => {
    for (let turn = 0; turn < turns; turn++) {
      while (begun < (turn / turns) * asked) await pause(LOOK_MS / 10);
      await host.turn();
    }
  })();
  const lanes = team.flatMap((agent) =>
    Array.from({ length: AT_ONCE }, async () => {
      while (begun < asked) {
        begun++;
        await agent.call();
      }
    }),
  );
  await Promise.all([hosting, ...lanes]);
  await host.turn({ isAnswered: false });
  await team[0]?.seesNewest(host);
  await worked(daemon);
  await daemon.ask("POST", "/archive", {});
  isOver = true;
  await looking;

  const acknowledged: Record<Kind, string[]> = {
    message: host.said,
    remembered: [],
    memo: [],
    observation: [],
  };
  for (const agent of team)
    for (const kind of ["remembered", "memo", "observation"] as const)
      acknowledged[kind].push(...agent.kept[kind]);
  const standing = await standingIn(root);
  const faults = team.flatMap((agent) => agent.failed);
  let [lost, doubled] = [0, 0];
  for (const kind of KINDS)
    for (const word of acknowledged[kind]) {
      const count = standing.count(kind, word);
      if (count === 1 || (count === 0 && kind === "memo" && seen.has(word))) continue;
      if (count === 0) lost++;
      else doubled++;
      faults.push(`${kind} ${word} stands ${count} times`);
    }
  return {
    calls,
    acknowledged: {
      message: acknowledged.message.length,
      remembered: acknowledged.remembered.length,
      memo: acknowledged.memo.length,
      observation: acknowledged.observation.length,
    },
    lost,
    doubled,
    wrong_prompts: host.wrongPrompts,
    failed_calls: team.reduce((sum, { failed }) => sum + failed.length, 0),
    faults: faults.slice(0, 10),
  };
}

/** An agent that searches, reads what it found, remembers and ends. */
class Agent {
  readonly kept: Record<Exclude<Kind, "message">, string[]> = { remembered: [], memo: [], observation: [] };
  readonly failed: string[] = [];
  readonly #random: () => number;
  #sources: string[] = [];
  #words = 0;

  constructor(
    readonly memd: McpProcess,
    readonly index: number,
  ) {
    this.#random = randomOf(SEED + index);
  }

  async call(): Promise<void> {
    const number = ++this.#words;
    const word = (kind: string): string => `${kind}${"ab"[this.index]}${number}x`;
    switch (this.#pick(TOOLS)) {
      case "search": {
        const query = `ferry ${this.#pick(["heron", "stork", "kestrel"])}${1 + Math.floor(number / 4)}x`;
        const found = await this.#ask("search_memories", { query });
        this.#sources = found.match(/memd:\/\/[^\s\]]+/g) ?? this.#sources;
        return;
      }
      case "read": {
        const [source] = this.#sources;
        if (source === undefined) await this.#ask("get_prompt", {});
        else await this.#ask("read", { source });
        return;
      }
      case "remember": {
        const fact = word("kestrel");
        const told = await this.#ask("remember", { text: `The harbor of ${fact} is closed in winter.` });
        if (told.startsWith("Remembered")) this.kept.remembered.push(fact);
        return;
      }
      case "end": {
        const [memo, observed] = [word("plover"), word("curlew")];
        const observations = [`Lin Yue bought a boat named ${observed} on 2026-03-01.`];
        const told = await this.#ask("end", { memo: `Told of ${memo}.`, observations });
        if (told !== "Kept.") return;
        this.kept.memo.push(memo);
        this.kept.observation.push(observed);
      }
    }
  }

  /** The prompt over MCP shows what the host said last. */
  async seesNewest(host: Host): Promise<void> {
    const newest = host.said.at(-1) ?? "";
    if (!(await this.#ask("get_prompt", {})).includes(newest)) host.wrongPrompts++;
  }

  #pick<T>(of: readonly [T, ...T[]]): T {
    return of[Math.floor(this.#random() * of.length)] ?? of[0];
  }

  async #ask(tool: string, given: object): Promise<string> {
    const answer = await this.memd.call(tool, given);
    if (answer?.isError === false) return answer.text;
    this.failed.push(`${tool} ${JSON.stringify(given)}: ${answer?.text ?? "no answer"}`);
    return "";
  }
}

/** Until nothing waits in the queue. */
async function worked(daemon: Daemon): Promise<void> {
  for (const late = Date.now() + WORKED_WITHIN_MS; Date.now() < late; await pause(LOOK_MS)) {
    const { jobs } = await daemon.ask<{ jobs: { state: string }[] }>("GET", "/queue");
    if (jobs.every(({ state }) => state === "failed")) return;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
