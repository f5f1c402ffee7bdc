/**
 * The built program over one real workspace, run after run, each with another
 * clock (MEMD_FAKE_NOW) and another time zone (TZ).
 */
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { packageRoot } from "../../../src/platform/package-root.js";
import { parseSummary } from "../../../src/protocol/summary.js";
import { parseVerbatim } from "../../../src/protocol/verbatim.js";
import { DAY, dayIn, YEAR } from "./calendar.js";

export interface BinaryRuns {
  runs: number;
  broken: string[];
}

const NOW = Date.parse("2026-02-20T23:30:00Z");
const TURNS: readonly [atMs: number, zone: string][] = [
  [NOW, "Asia/Shanghai"],
  [NOW + 10 * YEAR, "America/New_York"],
  [NOW - 10 * YEAR, "Pacific/Apia"],
  [NOW + DAY, "Pacific/Kiritimati"],
  [NOW + DAY, "Asia/Kathmandu"],
  [NOW + 60 * DAY, "Australia/Lord_Howe"],
];
const LONGEST_RUN_MS = 60_000;

/** The first so many of the turns. */
export async function binaryRuns(most: number): Promise<BinaryRuns> {
  const outside = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "memd-time-")));
  const workspace = path.join(outside, "ws");
  const found: BinaryRuns = { runs: 0, broken: [] };
  try {
    for (const dir of [workspace, ...HOMES.map((name) => path.join(outside, name))])
      fs.mkdirSync(dir, { mode: 0o700 });
    fs.writeFileSync(path.join(workspace, "workspace.json"), JSON.stringify({ format: 1, id: "time" }));
    const days = new Map<string, string>();
    const published = new Map<string, string>();
    for (const [turn, [at, zone]] of TURNS.slice(0, most).entries()) {
      say(workspace, turn, at);
      const { code, stderr } = await memd(outside, workspace, at, zone);
      found.runs++;
      if (code !== 0) found.broken.push(`run ${turn} ended with ${code}: ${stderr.slice(-300)}`);
      check(workspace, turn, zone, days, found.broken);
      checkSummaries(workspace, published, found.broken);
    }
  } finally {
    fs.rmSync(outside, { recursive: true, force: true, maxRetries: 5 });
  }
  return found;
}

/** What was just said, by the clock of that turn, and what was said 40 days before. */
function say(workspace: string, turn: number, at: number): void {
  const file = path.join(workspace, "history.json");
  const list = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, "utf8")) as unknown[]) : [];
  for (const ago of [0, 40]) {
    const createdAt = new Date(at - ago * DAY).toISOString();
    list.push({
      id: `t${turn}-${ago}`,
      role: "user",
      text: `We decided on lantern ${turn}${ago} at the quay.`,
      createdAt,
    });
  }
  fs.writeFileSync(`${file}.host`, JSON.stringify(list));
  fs.renameSync(`${file}.host`, file);
}

/** Each message one block, in the file of the day that it was in the zone of its turn, and there to stay. */
function check(
  workspace: string,
  turn: number,
  zone: string,
  days: Map<string, string>,
  broken: string[],
): void {
  const found = filesOf(workspace).flatMap(({ file, text }) => {
    const verbatim = file.includes("/summary/") ? undefined : parseVerbatim(text);
    return (verbatim?.blocks ?? []).map(({ filed }) => ({
      id: String(filed.message.id),
      at: filed.filedAt,
      day: verbatim?.day,
    }));
  });
  const ids = found.map(({ id }) => id);
  if (new Set(ids).size !== ids.length)
    broken.push(`after run ${turn} a message has two blocks: ${ids.join()}`);
  if (ids.length !== (turn + 1) * 2) broken.push(`after run ${turn} there are ${ids.length} blocks`);
  for (const { id, at, day = "" } of found) {
    const wanted = days.get(id) ?? dayIn(zone, at);
    if (day !== wanted) broken.push(`after run ${turn} ${id} is in ${day}, not in ${wanted}`);
    days.set(id, day);
  }
}

/** A summary that stands is written again only when it covers something else. */
function checkSummaries(workspace: string, published: Map<string, string>, broken: string[]): void {
  for (const { file, text } of filesOf(workspace)) {
    const summary = file.includes("/summary/") ? parseSummary(text) : undefined;
    if (summary === undefined) continue;
    const covers = JSON.stringify(summary.covers);
    const before = published.get(`${file} ${covers}`);
    if (before !== undefined && before !== text) broken.push(`${file} was written again`);
    published.set(`${file} ${covers}`, text);
    for (const line of summary.body.split("\n").filter((one) => one.startsWith("- ")))
      if (summary.body.split(line).length > 2) broken.push(`${file} says twice: ${line}`);
  }
}

function filesOf(workspace: string): { file: string; text: string }[] {
  const memory = path.join(workspace, "memory");
  if (!fs.existsSync(memory)) return [];
  return fs
    .readdirSync(memory, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => ({ file: `memory/${file}`, text: fs.readFileSync(path.join(memory, file), "utf8") }));
}

const HOMES = ["home", "run", "tmp"] as const;

async function memd(
  outside: string,
  workspace: string,
  at: number,
  zone: string,
): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(
    process.execPath,
    [path.join(packageRoot(), "bin", "memd.js"), "archive", "--now", "--json"],
    {
      cwd: workspace,
      stdio: ["ignore", "ignore", "pipe"],
      timeout: LONGEST_RUN_MS,
      killSignal: "SIGKILL",
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: path.join(outside, "home"),
        XDG_RUNTIME_DIR: path.join(outside, "run"),
        TMPDIR: path.join(outside, "tmp"),
        TZ: zone,
        NO_COLOR: "1",
        MEMD_FAKE_NOW: new Date(at).toISOString(),
      },
    },
  );
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stderr }));
  });
}
