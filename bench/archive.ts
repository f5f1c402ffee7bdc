/**
 * Archiving 10 MB of history in 300 messages: the cycle of history.json without
 * workers (read, journal, mark pending, write verbatim, mark done, trim), then
 * the summaries with the built-in provider, beside a bare parse and durable
 * write of the same bytes on the same disk in the same run.
 */
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Archive } from "../src/archive/archive.js";
import { Catalogue } from "../src/archive/catalogue.js";
import { RetrySchedule } from "../src/archive/retries.js";
import { Ledger } from "../src/archive/ledger.js";
import { createPool } from "../src/llm/pool.js";
import { summarise } from "../test/support/summarise.js";
import { settingsSchema } from "../src/model/settings.js";
import { DAY_MS, zoneOf } from "../src/model/time.js";
import { systemClock, systemRandom } from "../src/platform/clock.js";
import { fileLocks } from "../src/platform/lock.js";
import { silentLog } from "../src/platform/log.js";
import { nodeDisk } from "../src/platform/node-disk.js";
import { promptsFolder, workerEntry } from "../src/platform/package-root.js";
import { nodeSpawn } from "../src/platform/spawn.js";
import { openJournal } from "../src/protocol/journal.js";
import { median, rounded, watchStalls } from "./stall.js";

const MESSAGES = 300;
const BYTES = 10 * 1000 * 1000;
const RUNS = 5;

export async function benchArchive(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const runs = Number(options.get("runs") ?? RUNS);
  const floors: number[] = [];
  const verbatim: number[] = [];
  const stalls: number[] = [];
  const workers: number[] = [];
  let bytes = 0;
  for (let run = 0; run < runs; run++) {
    const root = await fs.mkdtemp(path.join(options.get("dir") ?? os.tmpdir(), "memd-bench-"));
    try {
      const recent = historyText(0);
      bytes = Buffer.byteLength(recent);
      floors.push(await floorMs(root, recent));
      const cycle = await cycleMs(root, recent);
      verbatim.push(cycle.ms);
      stalls.push(cycle.stallMs);
      if (run === 0 && !options.has("no-workers"))
        workers.push(await workersMs(await fs.mkdtemp(path.join(root, "old-"))));
    } finally {
      await fs.rm(root, { recursive: true, force: true });
    }
  }
  return {
    messages: MESSAGES,
    bytes,
    runs,
    verbatim_ms: rounded(median(verbatim)),
    workers_ms: rounded(median(workers)),
    stall_max_ms: rounded(median(stalls)),
    stall_worst_ms: rounded(Math.max(...stalls)),
    floor_parse_write_ms: rounded(median(floors)),
    verbatim_over_floor: rounded(median(verbatim.map((ms, run) => ms / (floors[run] ?? 1)))),
  };
}

/** Messages of one day, `daysAgo` from now. */
function historyText(daysAgo: number): string {
  const words = ["deploy", "timeout", "ferry", "部署", "超时", "booking", "decided", "渡轮", "budget", "\n"];
  const start = Date.now() - daysAgo * DAY_MS - 3_600_000;
  const each = Math.floor(BYTES / MESSAGES) - 160;
  const messages = Array.from({ length: MESSAGES }, (_unused, index) => {
    const pieces = [`Message ${index}.`];
    for (let at = index, bytes = 0; bytes < each; at++) {
      const piece = ` ${words[(at * 7 + index) % words.length] ?? ""}${at % 97}`;
      bytes += Buffer.byteLength(piece);
      pieces.push(piece);
    }
    const text = pieces.join("");
    return {
      id: `m${index}`,
      role: index % 2 === 0 ? "user" : "agent",
      text,
      createdAt: new Date(start + index * 1000).toISOString(),
    };
  });
  return JSON.stringify(messages);
}

async function floorMs(root: string, text: string): Promise<number> {
  const file = path.join(root, "floor.json");
  await fs.writeFile(file, text);
  const started = performance.now();
  JSON.parse(await fs.readFile(file, "utf8"));
  const temp = await fs.open(`${file}.tmp`, "wx");
  await temp.writeFile(text);
  await temp.sync();
  await temp.close();
  await fs.rename(`${file}.tmp`, file);
  const dir = await fs.open(root, "r");
  await dir.sync();
  await dir.close();
  return performance.now() - started;
}

async function cycleMs(root: string, text: string): Promise<{ ms: number; stallMs: number }> {
  const archive = await openArchive(root);
  await fs.writeFile(path.join(root, "history.json"), text);
  const stalls = watchStalls();
  const started = performance.now();
  await archive.look();
  await archive.writeVerbatim();
  await archive.mirror();
  const ms = performance.now() - started;
  stalls.stop();
  const left = JSON.parse(await fs.readFile(path.join(root, "history.json"), "utf8")) as {
    archived: unknown;
  }[];
  if (left.length === 0 || left.some((entry) => entry.archived !== true))
    throw new Error("the cycle did not archive everything");
  return { ms, stallMs: stalls.maxMs() };
}

async function workersMs(root: string): Promise<number> {
  const archive = await openArchive(root);
  await fs.writeFile(path.join(root, "history.json"), historyText(10));
  await archive.look();
  await archive.writeVerbatim();
  const { clock, settings } = archive.context;
  const pool = createPool({
    spawn: nodeSpawn,
    clock,
    settings,
    environment: process.env,
    entry: workerEntry(),
    promptFolders: [promptsFolder()],
  });
  const started = performance.now();
  for (const owed of archive.due(false)) {
    const end = await summarise(archive, owed, (job) => pool.run(job));
    if (end.to !== "made") throw new Error(`no summary: ${JSON.stringify(end)}`);
  }
  const ms = performance.now() - started;
  await pool.close();
  return ms;
}

async function openArchive(root: string): Promise<Archive> {
  const clock = systemClock();
  const zone = zoneOf("UTC");
  const workspace = { root };
  const writer = { disk: nodeDisk, random: systemRandom, locks: fileLocks, guard: () => Promise.resolve() };
  const archive = new Archive({
    writer,
    workspace,
    clock,
    zone,
    settings: settingsSchema.parse({ timezone: "UTC" }),
    log: silentLog,
    journal: openJournal(writer, workspace),
    ledger: new Ledger(zone),
    catalogue: new Catalogue(nodeDisk, workspace),
    retries: new RetrySchedule(writer, workspace),
  });
  await archive.start();
  return archive;
}
