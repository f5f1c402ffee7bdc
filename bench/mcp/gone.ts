/**
 * Whether `memd mcp` goes with its client, at moments by chance: while it starts, idle, or in the midst of calls that
 * change something, asking a memd that runs or a process of its own. What it acknowledged before must be there.
 */
import fs from "node:fs/promises";
import path from "node:path";
import { randomOf } from "../../test/faults/random.js";
import {
  childrenOf,
  GOINGS,
  isGone,
  type McpProcess,
  startMcp,
  strangeLines,
} from "../../test/support/mcp-process.js";
import { startDaemon } from "../search/daemon.js";
import { environmentIn } from "./environment.js";

const SEED = 11;
const SOON_MS = 1_000;
const LATEST_MS = 20_000;
const LOOK_MS = 10;
/** How long after the last thing it said a client goes at most. */
const LEAVES_WITHIN_MS = { starting: 1_500, idle: 300, asking: 800, alone: 6_000 };

interface Word {
  root: string;
  word: string;
}

export async function gone(
  home: string,
  asked: string,
  alone: string,
  moments: number,
): Promise<Record<string, unknown>> {
  const random = randomOf(SEED);
  const acknowledged: Word[] = [];
  const taken: number[] = [];
  const late = { starting: 0, idle: 0, calling: 0 };
  let strange = 0;
  const daemon = await startDaemon(home, asked);
  try {
    for (let moment = 0; moment < moments; moment++) {
      const root = random() < 0.5 ? asked : alone;
      const going = GOINGS[moment % GOINGS.length] ?? "eof";
      const memd = await startMcp({ args: ["-w", root], env: environmentIn(home), going });
      const phase = (["starting", "idle", "calling"] as const)[Math.floor(random() * 3)] ?? "idle";
      if (phase !== "starting") await memd.shakeHands();
      const calls = phase === "calling" ? callsOf(memd, moment, root, acknowledged) : [];
      if (phase === "starting") void memd.shakeHands();
      const within = phase === "calling" ? (root === asked ? "asking" : "alone") : phase;
      await pause(random() * LEAVES_WITHIN_MS[within]);
      const ms = await msUntilGone(memd);
      taken.push(ms);
      if (ms > SOON_MS) late[phase]++;
      memd.kill();
      await Promise.all(calls);
      strange += strangeLines(memd.lines).length;
    }
  } finally {
    await daemon.stop();
  }
  const texts = new Map([
    [asked, await everythingIn(asked)] as const,
    [alone, await everythingIn(alone)] as const,
  ]);
  return {
    moments,
    gone_within_1s: taken.filter((ms) => ms <= SOON_MS).length,
    late,
    worst_ms: Math.round(Math.max(...taken)),
    acknowledged: acknowledged.length,
    lost: acknowledged.filter(({ root, word }) => texts.get(root)?.includes(word) !== true).length,
    strange_lines: strange,
  };
}

/** Under way when the client goes: words whose calls are answered before are acknowledged. */
function callsOf(memd: McpProcess, moment: number, root: string, acknowledged: Word[]): Promise<void>[] {
  return [["remember", "text", /^Remembered/] as const, ["end", "memo", /^Kept/] as const].map(
    async ([tool, field, yes]) => {
      const word = `${tool}${moment}x`;
      const answer = await memd.call(tool, { [field]: `The word is ${word}.` });
      if (answer !== undefined && yes.test(answer.text)) acknowledged.push({ root, word });
    },
  );
}

/** The process, and whatever it has started. */
async function msUntilGone(memd: McpProcess): Promise<number> {
  const all = [memd.pid, ...childrenOf(memd.pid)];
  const began = performance.now();
  memd.leave();
  while (!all.every(isGone) && performance.now() - began < LATEST_MS) await pause(LOOK_MS);
  return performance.now() - began;
}

async function everythingIn(root: string): Promise<string> {
  const texts = [await fs.readFile(path.join(root, "memory.md"), "utf8").catch(() => "")];
  for (const folder of ["queue", "memory"]) {
    const entries = await fs
      .readdir(path.join(root, folder), { recursive: true, withFileTypes: true })
      .catch(() => []);
    for (const entry of entries)
      if (entry.isFile()) texts.push(await fs.readFile(path.join(entry.parentPath, entry.name), "utf8"));
  }
  return texts.join("\n");
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
