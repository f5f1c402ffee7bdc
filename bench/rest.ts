/**
 * `bench rest --passages 500,10000,100000 --seconds 300`: what a memd costs that nobody talks to: its memory once it
 * has come to rest, after questions and a prompt, and the processor's time from then on.
 */
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { MAIN_SCOPE } from "../src/model/address.js";
import { printWorkspaceFile } from "../src/protocol/workspace-file.js";
import { randomOf } from "../test/faults/random.js";
import { writeScope } from "./search/corpus.js";
import { type Daemon, startDaemon } from "./search/daemon.js";
import { questionsOf } from "./search/questions.js";
import { hundredths } from "./stall.js";

const SIZES = "500,10000,100000";
const QUESTIONS = 20;
/** Longer than it takes to come to rest. */
const QUIET_MS = 210_000;
const SECONDS = 300;

interface Standing {
  passages: number;
  daemon: Daemon;
  busyMb: number;
}

export async function benchRest(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const sizes = (options.get("passages") ?? SIZES).split(",").map(Number);
  const seconds = Number(options.get("seconds") ?? SECONDS);
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "memd-rest-"));
  const standing: Standing[] = [];
  try {
    for (const passages of sizes) {
      const one = { passages, daemon: await started(path.join(home, String(passages)), passages), busyMb: 0 };
      standing.push(one);
      one.busyMb = await talkedTo(one.daemon, passages);
    }
    await new Promise((done) => setTimeout(done, QUIET_MS));
    const before = await Promise.all(standing.map(({ daemon }) => daemon.cpuMs()));
    await new Promise((done) => setTimeout(done, seconds * 1000));
    const rows = standing.map(async ({ passages, daemon, busyMb }, at) => ({
      passages,
      busy_mb: busyMb,
      rest_mb: await daemon.rssMb(),
      cpu_percent: hundredths(((await daemon.cpuMs()) - (before[at] ?? 0)) / seconds / 10),
    }));
    return { seconds, rest: await Promise.all(rows) };
  } finally {
    for (const { daemon } of standing) await daemon.stop();
    await fs.rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function started(home: string, passages: number): Promise<Daemon> {
  const root = path.join(home, "workspace");
  await writeScope(root, MAIN_SCOPE, passages, randomOf(passages));
  await fs.writeFile(path.join(root, "workspace.json"), printWorkspaceFile("bench"));
  await fs.writeFile(
    path.join(root, "inbox.json"),
    JSON.stringify([{ id: "q-1", role: "user", text: "When does the last ferry leave?" }]),
  );
  return startDaemon(home, root);
}

/** What it takes then. */
async function talkedTo(daemon: Daemon, passages: number): Promise<number> {
  for (const query of questionsOf(QUESTIONS, randomOf(passages)))
    await daemon.ask("POST", "/agent/memories/search", { query });
  return daemon.rssMb();
}
