/**
 * `bench prompt`: how long after the host's rename of `inbox.json` the keyword
 * prompt for it is in place, in a real daemon, by size of the memory and by how
 * long the host pauses between its turns; beside a bare durable publication of
 * the same two files in the same run.
 *
 * The host writes files and nothing else: the message into `inbox.json`, then,
 * once the prompt names it, message and answer into `history.json`, and the
 * inbox empty. `--passages 10000 --pauses 0.1,1 --rounds 20`.
 */
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { MAIN_SCOPE } from "../src/model/address.js";
import { printWorkspaceFile } from "../src/protocol/workspace-file.js";
import { randomOf } from "../test/faults/random.js";
import { writeScope } from "./search/corpus.js";
import { startDaemon } from "./search/daemon.js";
import { percentiles, questionsOf } from "./search/questions.js";
import { bareWrite } from "./bare.js";
import { Host } from "./host.js";

const SIZES = [10_000] as const;
/** Seconds, and rounds of each: a person at a keyboard, a script, a program in a loop. */
const PAUSES: ReadonlyMap<string, number> = new Map([
  ["0.1", 120],
  ["1", 40],
  ["5", 16],
]);
const DEFAULT_ROUNDS = 20;
const WARM_UP = 5;
const WARM_UP_PAUSE_S = 0.5;

interface Figures {
  p50_ms: number;
  p95_ms: number;
}

interface AtPause extends Figures {
  /** The same two files published with nothing but the system's calls. */
  bare_p50_ms: number;
  bare_p95_ms: number;
  rounds: number;
}

export async function benchPrompt(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const sizes = options.get("passages")?.split(",").map(Number) ?? SIZES;
  const pauses = options.get("pauses")?.split(",") ?? [...PAUSES.keys()];
  const rounds = Number(options.get("rounds") ?? 0);
  const figures: Record<string, Record<string, AtPause>> = {};
  for (const passages of sizes)
    figures[`passages_${passages / 1000}k`] = await atSize(passages, pauses, rounds);
  return figures;
}

async function atSize(
  passages: number,
  pauses: readonly string[],
  givenRounds: number,
): Promise<Record<string, AtPause>> {
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
    try {
      const host = new Host(root);
      for (const text of questionsOf(WARM_UP, chance)) await host.turn(text, WARM_UP_PAUSE_S);
      const figures: Record<string, AtPause> = {};
      for (const pause of pauses) {
        const rounds = givenRounds || (PAUSES.get(pause) ?? DEFAULT_ROUNDS);
        const times: number[] = [];
        const bare: number[] = [];
        for (const text of questionsOf(rounds, chance)) {
          times.push(await host.turn(text, Number(pause)));
          // After the pause, when nothing else is asked of the disk.
          bare.push(await barePublication(home, root));
        }
        const [own, floor] = [percentiles(times), percentiles(bare)];
        figures[`pause_${pause}s`] = {
          ...own,
          bare_p50_ms: floor.p50_ms,
          bare_p95_ms: floor.p95_ms,
          rounds,
        };
      }
      return figures;
    } finally {
      await daemon.stop();
    }
  } finally {
    await fs.rm(home, { recursive: true, force: true });
  }
}

async function barePublication(home: string, root: string): Promise<number> {
  const [markdown, data] = await Promise.all(
    ["prompt.md", "prompt.json"].map((name) => fs.readFile(path.join(root, "teller", name))),
  );
  const folder = path.join(home, "bare");
  await fs.mkdir(folder, { recursive: true });
  const began = performance.now();
  await bareWrite(path.join(folder, "prompt.md"), markdown ?? Buffer.alloc(0));
  await bareWrite(path.join(folder, "prompt.json"), data ?? Buffer.alloc(0));
  return performance.now() - began;
}
