/**
 * A long queue on a bad day: jobs that fail, files that are none, workers that
 * die, an endpoint that is down for an hour, and memd itself killed in between.
 *
 * `MEMD_JOBS=10000` for the whole of it.
 */
import { expect, test } from "vitest";
import type { JobOutcome } from "../../src/model/work.js";
import type { AbsolutiseJob } from "../../src/llm/jobs/absolutise.js";
import type { JobResult } from "../../src/llm/jobs/registry.js";
import { MINUTE_MS } from "../../src/model/time.js";
import { parseRecords } from "../../src/protocol/records.js";
import { randomOf } from "../faults/random.js";
import { instant } from "../support/archive-desk.js";
import { openStage, type Stage } from "../support/stage.js";
import { handClock } from "../support/hand-clock.js";

const JOBS = Number(process.env["MEMD_JOBS"] ?? 300);
const NOW = "2026-03-02T12:00:00Z";
const SCOPES = 20;
const SESSIONS = 5;
const KILLS = 4;

interface Made {
  id: string;
  lane: string;
  is: "good" | "bad" | "corrupt";
}

const scopeOf = (n: number): string => (n % SCOPES === 0 ? "main" : `project-${n % SCOPES}`);
const folderOf = (scope: string): string => (scope === "main" ? "memory" : `memory/scopes/${scope}`);

test("every job is done or has failed with its reason, none twice, none stranded, in order, and nothing observed is gone", async () => {
  const random = randomOf(11);
  const made: Made[] = [];
  const queue: Record<string, unknown> = {};
  for (let n = 0; n < JOBS; n++) {
    const id = `2026-03-02T11-00-00-${String(n).padStart(6, "0")}`;
    const [scope, session] = [scopeOf(n), `s${Math.floor(n / SCOPES) % SESSIONS}`];
    const chance = random();
    const is = chance < 0.01 ? "corrupt" : chance < 0.11 ? "bad" : "good";
    made.push({ id, lane: `${scope}/${session}`, is });
    const job = {
      version: 1,
      kind: "end",
      createdAt: "2026-03-02T11:00:00Z",
      scope,
      session,
      user: "local",
      observations: [`${is === "bad" ? "⟦bad⟧ " : ""}Thing number ${n} of Lin was seen.`],
    };
    queue[`queue/pending/${id}.json`] = is === "corrupt" ? `{"torn ${n}` : job;
  }
  const clock = handClock(instant(NOW));
  const hourOfSilence = { from: clock.now() + 2 * MINUTE_MS, to: clock.now() + 62 * MINUTE_MS };
  const counts = { died: 0, down: 0 };
  const answer = async (work: AbsolutiseJob): Promise<JobOutcome<JobResult>> => {
    const { kind, id, texts } = work;
    if (clock.now() >= hourOfSilence.from && clock.now() < hourOfSilence.to) {
      counts.down += 1;
      return { to: "unavailable", reason: "the endpoint is down", usage: [] };
    }
    if (texts.some(({ text }) => text.includes("⟦bad⟧")))
      return { to: "failed", reason: "no good", usage: [] };
    // The job is not at fault and has two more tries.
    if (random() < 0.002) {
      counts.died += 1;
      return { to: "failed", reason: "the worker was killed", usage: [] };
    }
    return { to: "done", usage: [], result: { kind, id, by: "m", texts: texts.map(({ text }) => text) } };
  };
  const profile = async ({ id }: { id: string }): Promise<JobOutcome<JobResult>> => ({
    to: "done",
    usage: [],
    result: { kind: "profile", id, by: "m", tags: [], bullets: [] } as never,
  });

  const options = {
    clock,
    absolutise: answer,
    profile,
    settings: { worker: { max_processes: 8 }, historian: { failed_files: JOBS } },
  };
  let stage = await openStage(queue, options);
  const done: string[] = [];
  const left = (): number =>
    Object.keys(stage.disk.files()).filter((path) => /^\/w\/queue\/(?:pending|processing)\//.test(path))
      .length;
  for (let life = 0; life <= KILLS; life++) {
    await stage.supervisor.start({ watch: false, work: true });
    const until = life === KILLS ? 0 : Math.floor((JOBS * (KILLS - life)) / (KILLS + 1));
    for (let steps = 0; left() > until && steps < 20_000; steps++) await clock.advance(1000);
    // Between two lives time goes on, and what was under way is left lying.
    await stage.supervisor.stop();
    done.push(...stage.events.filter(({ event }) => event === "job_done").map(({ job }) => String(job)));
    if (life < KILLS) stage = await reopened(stage, options);
  }

  expect(left()).toBe(0);
  const failed = Object.keys(stage.disk.files()).filter((path) => path.startsWith("/w/queue/failed/"));
  const bad = made.filter(({ is }) => is !== "good").map(({ id }) => id);
  const dead = failed
    .map((path) => path.slice("/w/queue/failed/".length, -".json".length))
    .filter((id) => !bad.includes(id));
  // A job whose worker dies three times has failed too.
  expect(dead.length).toBeLessThanOrEqual(1);
  expect(failed).toHaveLength(bad.length + dead.length);
  for (const path of failed)
    expect(JSON.parse(stage.disk.files()[path] ?? "")).toMatchObject({
      error: expect.stringMatching(/./) as string,
    });

  expect(new Set(done).size).toBe(done.length);
  expect([...done].sort()).toEqual(
    made.filter(({ id, is }) => is === "good" && !dead.includes(id)).map(({ id }) => id),
  );
  for (const lane of new Set(made.map((one) => one.lane))) {
    const ofLane = new Set(made.filter((one) => one.lane === lane).map(({ id }) => id));
    const inOrder = done.filter((id) => ofLane.has(id));
    expect(inOrder).toEqual([...inOrder].sort());
  }

  const records = Array.from({ length: SCOPES }, (_, n) => scopeOf(n)).flatMap((scope) =>
    parseRecords(stage.read(`${folderOf(scope)}/records/2026-03.jsonl`)),
  );
  const byId = new Map<string, (typeof records)[number]>(records.map((record) => [record.id, record]));
  expect(records).toHaveLength(byId.size);
  for (const { id, is } of made) {
    const record = byId.get(`${id}_1`);
    if (is === "corrupt") expect(record).toBeUndefined();
    else expect([id, record?.isAbsolute]).toEqual([id, is === "good" && !dead.includes(id)]);
  }
  expect(counts.down).toBeGreaterThan(0);
}, 600_000);

/** As after a kill: a new memd on the same disk. */
async function reopened(stage: Stage, options: Parameters<typeof openStage>[1]): Promise<Stage> {
  const files = Object.fromEntries(
    Object.entries(stage.disk.files()).flatMap(([path, text]) =>
      path.startsWith("/w/") && !path.startsWith("/w/.memd/") ? [[path.slice("/w/".length), text]] : [],
    ),
  );
  return openStage(files, options);
}
