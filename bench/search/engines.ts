/**
 * `bench engines --passages N`: both engines over the same made-up passages,
 * asked the same questions: what each takes of the heap, how fast it answers,
 * and whether the answers are the same to the last bit.
 */
import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { MAIN_SCOPE, OWNER } from "../../src/model/address.js";
import { epochMs, zoneOf } from "../../src/model/time.js";
import { nodeDisk } from "../../src/platform/node-disk.js";
import { indexThreads } from "../../src/platform/package-root.js";
import { indexIn, threadsIn, type EngineName } from "../../src/recall/index/open.js";
import { recall } from "../../src/recall/recall.js";
import { newReconcileState, reconcile } from "../../src/recall/reconcile.js";
import { randomOf } from "../../test/faults/random.js";
import { writeScope } from "./corpus.js";
import { percentiles, questionsOf } from "./questions.js";

const ENGINES = ["memory", "sqlite"] as const satisfies readonly EngineName[];
const ZONE = zoneOf("UTC");
const NOW = epochMs(Date.parse("2026-02-01T12:00:00Z"));
/** Past this the memory engine is the wrong one. */
const PASSAGES = 20_000;
const QUESTIONS = 200;
/** Asked before, so that what is measured is code that is compiled. */
const WARM_UP = 200;
const SETTINGS = { min_score: 0, limit: 10 };

interface Asked {
  build_seconds: number;
  /** Of the whole process before the engine was filled, and what it took; both after a full collection. */
  heap_before_mb: number;
  heap_mb: number;
  p50_ms: number;
  p95_ms: number;
  /** Ids, scores and parts of every hit, one line a question. */
  answers: string[];
}

export async function benchEngines(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const passages = Number(options.get("passages") ?? PASSAGES);
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "memd-engines-"));
  const root = path.join(home, "workspace");
  try {
    const chance = randomOf(passages);
    await writeScope(root, MAIN_SCOPE, passages, chance);
    const questions = questionsOf(WARM_UP + QUESTIONS, chance);
    const figures: Record<string, unknown> = { passages, questions: QUESTIONS };
    const all: string[][] = [];
    for (const name of ENGINES) {
      const { answers, ...measured } = await askedOf(name, root, questions);
      const answers_sha256 = createHash("sha256").update(answers.join("\n")).digest("hex").slice(0, 16);
      figures[name] = { ...measured, answers_sha256 };
      all.push(answers);
    }
    const [one = [], other = []] = all;
    return { ...figures, same_answers: one.filter((answer, at) => answer === other[at]).length };
  } finally {
    await fs.rm(home, { recursive: true, force: true });
  }
}

async function askedOf(name: EngineName, root: string, questions: readonly string[]): Promise<Asked> {
  const folder = path.join(root, ".memd", "index");
  const opened = await indexIn(
    folder,
    threadsIn(indexThreads()),
  )({ engine: name, pace: () => undefined, onLost: () => undefined, onFallback: () => undefined });
  const { engine } = opened;
  const ask = async (query: string): Promise<string> => {
    const { hits } = await recall({ engine, zone: ZONE, now: () => NOW, settings: SETTINGS }, query, OWNER);
    return JSON.stringify(hits.map(({ passage, score, parts }) => [passage.id, score, parts]));
  };
  try {
    // What is loaded with the first question is no engine's.
    await ask(questions[0] ?? "");
    const before = heapBytes();
    const began = performance.now();
    const parts = { disk: nodeDisk, workspace: { root }, engine, zone: ZONE, pace: () => undefined };
    await reconcile(parts, [], newReconcileState());
    const build_seconds = Math.round((performance.now() - began) / 100) / 10;
    const times: number[] = [];
    const answers: string[] = [];
    for (const question of questions) {
      const started = performance.now();
      const answer = await ask(question);
      times.push(performance.now() - started);
      answers.push(answer);
    }
    return {
      build_seconds,
      heap_before_mb: megabytes(before),
      heap_mb: megabytes(heapBytes() - before),
      ...percentiles(times.slice(WARM_UP)),
      answers: answers.slice(WARM_UP),
    };
  } finally {
    await engine.close();
  }
}

/** Of this thread, after everything that can be collected is; the threads of `sqlite` have heaps of their own. */
function heapBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e5) / 10;
}
