/**
 * `bench prompt`: how long after the host's rename of `inbox.json` the keyword
 * prompt for it is in place, in a real daemon, by size of the memory; beside a
 * bare durable write of the same bytes in the same run.
 */
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { MAIN_SCOPE } from "../src/model/message.js";
import { printWorkspaceFile } from "../src/protocol/workspace-file.js";
import { randomOf } from "../test/faults/random.js";
import { writeScope } from "./search/corpus.js";
import { startDaemon } from "./search/daemon.js";
import { percentiles, questionsOf } from "./search/questions.js";
import { bareWrite } from "./bare.js";

const SIZES = [1_000, 10_000, 100_000] as const;
const ROUNDS = 40;
const WARM_UP = 5;
/** People do not type faster; two prompts a second are written at once, and then one. */
const APART_MS = 1_100;
const PATIENCE_MS = 30_000;

interface Figures {
  p50_ms: number;
  p95_ms: number;
}

export async function benchPrompt(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const given = options.get("passages");
  const sizes = given === undefined ? SIZES : [Number(given)];
  const bare: number[] = [];
  const figures: Record<string, Figures> = {};
  for (const passages of sizes) figures[`passages_${passages / 1000}k`] = await atSize(passages, bare);
  const floor = percentiles(bare);
  return { ...figures, floor_ms: floor.p50_ms, floor_p95_ms: floor.p95_ms, rounds: ROUNDS };
}

async function atSize(passages: number, bare: number[]): Promise<Figures> {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "memd-prompt-"));
  const root = path.join(home, "workspace");
  try {
    const chance = randomOf(passages);
    await writeScope(root, MAIN_SCOPE, passages, chance);
    await fs.writeFile(path.join(root, "workspace.json"), printWorkspaceFile("bench"));
    const first = await startDaemon(home, root);
    // Summaries of all those days are made once; what is measured is what comes after.
    await first.ask("POST", "/archive", {});
    await first.stop();
    const daemon = await startDaemon(home, root);
    const times: number[] = [];
    try {
      for (const [round, text] of questionsOf(ROUNDS + WARM_UP, chance).entries()) {
        const tookMs = await answered(root, `q-${round}`, text);
        const bytes = await fs.readFile(path.join(root, "teller", "prompt.md"));
        const began = performance.now();
        await bareWrite(path.join(home, `bare-${round}`), bytes);
        if (round >= WARM_UP) bare.push(performance.now() - began);
        if (round >= WARM_UP) times.push(tookMs);
        await new Promise((done) => setTimeout(done, APART_MS));
      }
    } finally {
      await daemon.stop();
    }
    return percentiles(times);
  } finally {
    await fs.rm(home, { recursive: true, force: true });
  }
}

/** From the host's rename until the prompt's data name the message; the prompt itself stands before that. */
async function answered(root: string, id: string, text: string): Promise<number> {
  const inbox = path.join(root, "inbox.json");
  const message = { id, role: "user", text, createdAt: new Date().toISOString() };
  await fs.writeFile(`${inbox}.tmp`, JSON.stringify([message]));
  const data = path.join(root, "teller", "prompt.json");
  const began = performance.now();
  await fs.rename(`${inbox}.tmp`, inbox);
  while (performance.now() - began < PATIENCE_MS) {
    const told = await fs.readFile(data, "utf8").catch(() => "");
    if (told.includes(`"${id}"`)) return performance.now() - began;
    await new Promise((done) => setTimeout(done, 1));
  }
  throw new Error(`no prompt for ${id} within ${PATIENCE_MS} ms`);
}
