/**
 * The queue with real workers and an endpoint on loopback: workers are killed
 * while they work, answers are of no use, and for an hour there is nobody.
 *
 * `MEMD_JOBS=10000` for the whole of it.
 */
import { expect, onTestFinished, test } from "vitest";
import { HOUR_MS, SECOND_MS } from "../../src/model/time.js";
import { listeningLog, type LogEvent } from "../../src/platform/log.js";
import { nodeSpawn } from "../../src/platform/spawn.js";
import { parseRecords } from "../../src/protocol/records.js";
import { randomOf } from "../faults/random.js";
import { instant } from "../support/archive-desk.js";
import { openaiServer, type ScriptedAnswer, type SeenRequest } from "../support/openai-server.js";
import { diskInMemory, supervisorOn } from "../support/supervisor-in-memory.js";
import { handClock } from "../support/hand-clock.js";

const JOBS = Number(process.env["MEMD_JOBS"] ?? 60);
const LANES = 8;
/** One answer of so many takes its worker with it. */
const KILLED_OF = JOBS > 1000 ? 150 : 12;

test("workers that are killed, answers of no use and an endpoint that is gone lose and double nothing", async () => {
  const random = randomOf(5);
  const clock = handClock(instant("2026-03-02T12:00:00Z"));
  const silence = { from: clock.now() + 10 * SECOND_MS, to: clock.now() + HOUR_MS };
  const counts = { killed: 0, silent: 0 };
  const pids = new Set<number>();
  const answer = ({ body }: SeenRequest): ScriptedAnswer => {
    const prompt = body.messages.map(({ content }) => content).join("\n");
    if (clock.now() >= silence.from && clock.now() < silence.to) {
      counts.silent += 1;
      return { kind: "status", status: 503 };
    }
    if (random() * KILLED_OF < 1) {
      // Whichever of them asked: the others die at their work too.
      const [pid] = [...pids].slice(Math.floor(random() * pids.size));
      if (pid !== undefined) kill(pid, counts);
    }
    if (prompt.includes("<profile>"))
      return { kind: "ok", text: '{"name": null, "tags": [], "bullets": []}' };
    if (prompt.includes("<pairs>"))
      return {
        kind: "ok",
        text: JSON.stringify({ verdicts: pairsIn(prompt).map(() => ({ is: "different" })) }),
      };
    if (prompt.includes("⟦bad⟧")) return { kind: "ok", text: "I would rather not." };
    return { kind: "ok", text: JSON.stringify({ texts: notesIn(prompt) }) };
  };
  const server = await openaiServer(answer);
  const disk = await diskInMemory(clock);
  await disk.makeDir("/w/queue/pending");
  const bad = new Set<string>();
  const corrupt = new Set<string>();
  const ids = Array.from({ length: JOBS }, (_none, n) => `2026-03-02T11-00-00-${String(n).padStart(6, "0")}`);
  for (const [n, id] of ids.entries()) {
    const chance = random();
    if (n === 7 || chance < 0.01) corrupt.add(id);
    else if (chance < 0.11) bad.add(id);
    const job = {
      version: 1,
      kind: "end",
      createdAt: "2026-03-02T11:00:00Z",
      scope: "main",
      session: `s${n % LANES}`,
      user: "local",
      observations: [`${bad.has(id) ? "⟦bad⟧ " : ""}Crate number ${n} was seen in the shed.`],
    };
    disk.writeInPlace(`/w/queue/pending/${id}.json`, corrupt.has(id) ? `{"torn ${n}` : JSON.stringify(job));
  }
  const events: LogEvent[] = [];
  const supervisor = supervisorOn(disk, clock, {
    spawn: (request) => {
      const child = nodeSpawn(request);
      const { pid } = child;
      if (pid !== undefined) {
        pids.add(pid);
        void child.ended.then(() => pids.delete(pid));
      }
      return child;
    },
    log: listeningLog((event) => events.push(event)),
    settings: {
      llm: {
        provider: "openai",
        base_url: server.url,
        models: { summary: "m", historian: "m" },
        max_retries: 0,
      },
      worker: { max_processes: 3, keep_seconds: 7_200, idle_timeout_minutes: 300 },
      historian: { failed_files: JOBS },
    },
  });
  onTestFinished(async () => {
    await supervisor.stop();
    await supervisor.pool.close();
    await server.close();
  });
  await supervisor.start({ watch: false, work: true });
  const left = (): number =>
    Object.keys(disk.files()).filter((path) => /^\/w\/queue\/(?:pending|processing)\//.test(path)).length;
  while (left() > 0) {
    // Time goes on where nobody works, and waits where somebody does.
    await clock.advance(supervisor.historian.running === 0 ? 30_000 : 200);
    await new Promise((soon) => setTimeout(soon, 5));
  }

  const failed = Object.entries(disk.files()).filter(([path]) => path.startsWith("/w/queue/failed/"));
  const nameOf = (path: string): string => path.slice("/w/queue/failed/".length, -".json".length);
  for (const [path, text] of failed)
    expect(JSON.parse(text)).toMatchObject(
      corrupt.has(nameOf(path))
        ? { error: "it is not JSON", payload: expect.stringContaining("torn") as string }
        : { attempts: 4, error: expect.any(String) as string },
    );
  const gone = new Set(failed.map(([path]) => nameOf(path)));
  for (const id of [...bad, ...corrupt]) expect(gone).toContain(id);
  const done = events.filter(({ event }) => event === "job_done").map(({ job }) => String(job));
  expect([...done].sort()).toEqual(ids.filter((id) => !gone.has(id)));
  for (let lane = 0; lane < LANES; lane++) {
    const inOrder = done.filter((id) => Number(id.slice(-6)) % LANES === lane);
    expect(inOrder).toEqual([...inOrder].sort());
  }
  const records = parseRecords(disk.files()["/w/memory/records/2026-03.jsonl"] ?? "");
  expect(records.map(({ id }) => id).sort()).toEqual(
    ids.filter((id) => !corrupt.has(id)).map((id) => `${id}_1`),
  );
  // A worker that is killed at a later step, three times, takes the job; what was rewritten by then stands as it is.
  const rewritten = new Set([
    ...done,
    ...events.filter(({ event }) => event === "records_written").map(({ job }) => String(job)),
  ]);
  for (const { id, isAbsolute } of records) {
    const job = id.slice(0, -2);
    if (rewritten.has(job)) expect([id, isAbsolute]).toEqual([id, true]);
    if (bad.has(job)) expect([id, isAbsolute]).toEqual([id, false]);
  }
  expect(rewritten.size + bad.size).toBeGreaterThan(JOBS / 2);
  expect(counts.killed).toBeGreaterThan(0);
  expect(counts.silent).toBeGreaterThan(0);
}, 3_600_000);

function kill(pid: number, counts: { killed: number }): void {
  try {
    process.kill(pid, "SIGKILL");
    counts.killed += 1;
  } catch {
    // It has ended by itself meanwhile.
  }
}

function notesIn(prompt: string): string[] {
  return between(prompt, "notes").map((line) => (JSON.parse(line) as { text: string }).text);
}

function pairsIn(prompt: string): string[] {
  return between(prompt, "pairs");
}

function between(prompt: string, tag: string): string[] {
  const [from, to] = [prompt.lastIndexOf(`<${tag}>`), prompt.lastIndexOf(`</${tag}>`)];
  return prompt
    .slice(from + tag.length + 2, to)
    .split("\n")
    .filter((line) => line.trim() !== "");
}
