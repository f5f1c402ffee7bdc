/**
 * `bench owed --exchanges N`: what an import of years weighs on the daemon while the historian
 * still owes it: how long a start takes until the prompt of what waits stands, when what is said
 * today has its records, how long `status` takes, and what the idle daemon holds.
 */
import { execFile } from "node:child_process";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { DAY_MS, epochMs, isoOf, MINUTE_MS, SECOND_MS } from "../src/model/time.js";
import { randomOf } from "../test/faults/random.js";
import { english } from "./search/corpus.js";
import { startDaemon } from "./search/daemon.js";
import { median, percentile, rounded } from "./stall.js";

const SEED = 11;
const YEARS = 4;
const OF_ONE_CONVERSATION = 50;
const BATCH_MESSAGES = 1000;
/** One exchange in so many says something of the person, or asks to have it remembered. */
const SAYS_SOMETHING = 10;
const STARTS = 5;
const ASKED_STATUS = 20;
const WORKED_WITHIN_MS = 120_000;
const BINARY = path.resolve(import.meta.dirname, "../bin/memd.js");
const OFF = "[cognitive]\nenabled = false\n";

export async function benchOwed(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const exchanges = Number(options.get("exchanges") ?? 100_000);
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "memd-owed-"));
  const kept = options.get("keep");
  const root = path.join(home, "workspace");
  try {
    const built = kept !== undefined && (await isThere(path.join(kept, "workspace.json")));
    if (built) await fs.cp(kept, root, { recursive: true, preserveTimestamps: true });
    const importSeconds = built ? undefined : await imported(home, root, exchanges);
    if (!built && kept !== undefined) await fs.cp(root, kept, { recursive: true, preserveTimestamps: true });
    const standing = await standingFigures(home, root);
    return { exchanges, import_s: importSeconds, ...standing, ...(await workedFigures(home, root)) };
  } finally {
    await fs.rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Nothing of it is worked yet. */
async function imported(home: string, root: string, exchanges: number): Promise<number> {
  await promisify(execFile)(process.execPath, [BINARY, "init", root], {
    env: { ...process.env, HOME: home },
  });
  await fs.writeFile(path.join(root, "memd.toml"), OFF);
  const daemon = await startDaemon(home, root);
  const started = performance.now();
  try {
    let batch: object[] = [];
    for (const message of messagesOf(exchanges)) {
      batch.push(message);
      if (batch.length < BATCH_MESSAGES) continue;
      await daemon.ask("POST", "/import", { messages: batch, more: true });
      batch = [];
    }
    if (batch.length > 0) await daemon.ask("POST", "/import", { messages: batch });
    // Asked for a prompt it is up to date with all that came.
    await daemon.ask("GET", "/prompt");
    return Math.round((performance.now() - started) / 100) / 10;
  } finally {
    await daemon.stop();
  }
}

/** Conversations one after the other, spread over the years. */
function* messagesOf(exchanges: number): Generator<object> {
  const random = randomOf(SEED);
  const language = english(random);
  const span = YEARS * 365 * DAY_MS;
  const conversations = Math.ceil(exchanges / OF_ONE_CONVERSATION);
  const from = Date.now() - span - 2 * DAY_MS;
  for (let number = 0; number < exchanges; number++) {
    const conversation = Math.floor(number / OF_ONE_CONVERSATION);
    const turn = number % OF_ONE_CONVERSATION;
    const at = from + (conversation / conversations) * span + turn * 2 * MINUTE_MS;
    const session = `s-${conversation}`;
    const word = language.word(100 + (number % 20_000));
    const told =
      number % 2 === 0 ? `I love ${word}.` : `Please remember that the ${word} key is in drawer ${turn}.`;
    const asked = number % SAYS_SOMETHING === 0 ? `${told} ` : "";
    const say = (id: string, role: string, text: string, after: number): object => ({
      id: `${id}-${number}-0000000000000000`,
      role,
      text,
      session,
      createdAt: isoOf(epochMs(Math.round(at + after))),
    });
    yield say("q", "user", `${asked}${language.sentence(12)}`, 0);
    yield say("a", "agent", `${language.sentence(25)} ${language.sentence(15)}`, 20 * SECOND_MS);
  }
}

/** One that has read all of it once, and has had the time to note what it read. */
async function firstFigures(home: string, root: string): Promise<Record<string, unknown>> {
  const checkpoint = path.join(root, ".memd", "checkpoint.jsonl");
  await fs.rm(checkpoint, { force: true });
  const daemon = await startDaemon(home, root);
  const started = performance.now();
  try {
    for (const late = Date.now() + WORKED_WITHIN_MS; !(await isThere(checkpoint)) && Date.now() < late;)
      await new Promise((done) => setTimeout(done, 100));
    return { first_start_ms: daemon.promptMs, checkpoint_s: rounded((performance.now() - started) / 1000) };
  } finally {
    await daemon.stop();
  }
}

/** Owed, and not worked: from the start of the process to the prompt of what waits. */
async function standingFigures(home: string, root: string): Promise<Record<string, unknown>> {
  await fs.writeFile(path.join(root, "memd.toml"), OFF);
  await say(root, "inbox.json", "start", "When does the first ferry leave?");
  const first = await firstFigures(home, root);
  const prompts: number[] = [];
  const statuses: number[] = [];
  let rssMb = 0;
  for (let start = 0; start < STARTS; start++) {
    await say(root, "inbox.json", `start-${start}`, "When does the last ferry leave?");
    const daemon = await startDaemon(home, root);
    prompts.push(daemon.promptMs);
    if (start === STARTS - 1) {
      for (let n = 0; n < ASKED_STATUS; n++) statuses.push(await timed(() => daemon.ask("GET", "/status")));
      rssMb = await daemon.rssMb();
    }
    await daemon.stop();
  }
  return {
    ...first,
    start_to_prompt_ms: prompts,
    start_to_prompt_p50_ms: median(prompts),
    status_p50_ms: rounded(percentile(statuses, 0.5)),
    status_p95_ms: rounded(percentile(statuses, 0.95)),
    idle_rss_mb: rssMb,
  };
}

interface Told {
  imported?: { exchanges: number; left: number };
}

/** With the historian at work: what is said today has its records while years wait. */
async function workedFigures(home: string, root: string): Promise<Record<string, unknown>> {
  await fs.writeFile(path.join(root, "memd.toml"), "");
  await say(root, "inbox.json", "today-start", "When does the last ferry leave?");
  const daemon = await startDaemon(home, root);
  try {
    const before = (await daemon.ask<Told>("GET", "/status")).imported;
    const at = Date.now() - 10 * MINUTE_MS;
    const said = [
      { id: "today-q", role: "user", text: "I love the harbor of Zanzibar.", createdAt: isoOf(epochMs(at)) },
      { id: "today-a", role: "agent", text: "I see.", createdAt: isoOf(epochMs(at + SECOND_MS)) },
    ];
    await fs.writeFile(path.join(root, "history.json"), JSON.stringify(said));
    const recordsMs = await timed(() => recorded(root, "today-q"));
    const meanwhile = await daemon.ask<Told>("GET", "/status");
    const statuses: number[] = [];
    for (let n = 0; n < ASKED_STATUS; n++) statuses.push(await timed(() => daemon.ask("GET", "/status")));
    const started = performance.now();
    await new Promise((done) => setTimeout(done, 10_000));
    const after = await daemon.ask<Told>("GET", "/status");
    const seconds = (performance.now() - started) / 1000;
    const worked = (meanwhile.imported?.left ?? 0) - (after.imported?.left ?? 0);
    return {
      prompt_while_worked_ms: daemon.promptMs,
      today_to_records_ms: rounded(recordsMs),
      owed_before: before?.left,
      owed_after: after.imported?.left,
      owed_per_second: rounded(worked / seconds),
      status_while_worked_p50_ms: rounded(percentile(statuses, 0.5)),
      status_while_worked_p95_ms: rounded(percentile(statuses, 0.95)),
      busy_rss_mb: await daemon.rssMb(),
    };
  } finally {
    await daemon.stop();
  }
}

async function recorded(root: string, id: string): Promise<void> {
  const file = path.join(root, "memory", "records", "users", "local.jsonl");
  for (
    const late = Date.now() + WORKED_WITHIN_MS;
    Date.now() < late;
    await new Promise((done) => setTimeout(done, 10))
  )
    if ((await fs.readFile(file, "utf8").catch(() => "")).includes(`"${id}"`)) return;
  throw new Error(`${id} has no record`);
}

async function say(root: string, list: string, id: string, text: string): Promise<void> {
  await fs.writeFile(
    path.join(root, list),
    JSON.stringify([{ id, role: "user", text, createdAt: isoOf(epochMs(Date.now())) }]),
  );
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function isThere(file: string): Promise<boolean> {
  return fs.access(file).then(
    () => true,
    () => false,
  );
}
