/** The lives of workers: forked on demand, kept, capped, killed, never left over. Needs a build. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { packageRoot, promptsFolder, workerEntry } from "../../src/platform/package-root.js";
import { openaiServer } from "../support/openai-server.js";
import { alive, aJob, groupOf, script, settingsWith, testPool, until, type TestPool } from "./given.js";

let pool: TestPool | undefined;

afterEach(async () => {
  await pool?.close();
  expect((pool?.pids ?? []).filter(alive)).toEqual([]);
  pool = undefined;
});

/** Answers every job; `work` may use `job`, `done(text)` and whatever Node has. */
const worker = (work: string): Promise<string> =>
  script(`
    import fs from "node:fs";
    import readline from "node:readline";
    import { spawn } from "node:child_process";
    const done = (text) => console.log(JSON.stringify({ outcome: { to: "done", usage: [],
      result: { kind: "summary", id: "x", by: "builtin", sections: [{ text }] } } }));
    readline.createInterface({ input: process.stdin }).on("line", (line) => { const { job } = JSON.parse(line); ${work} })
      .on("close", () => process.exit());
  `);

const builtin = settingsWith({ llm: { provider: "builtin" } });

test("a job is done by the real worker without a key or a network", async () => {
  pool = testPool(builtin);
  const outcome = await pool.run(aJob);
  expect(outcome).toMatchObject({ to: "done", result: { by: "builtin" }, usage: [] });
  expect(JSON.stringify(outcome)).toContain("Lisbon for 900 euros");
});

test("a worker is kept for the next job and goes when it has been idle for its time", async () => {
  pool = testPool(settingsWith({ worker: { keep_seconds: 0.3 } }), { entry: await worker("done(job.id)") });
  await pool.run(aJob);
  await pool.run(aJob);
  expect(pool.pids).toHaveLength(1);
  await until(() => pool?.counts().processes === 0);
  expect((await pool.run(aJob)).to).toBe("done");
  expect(pool.pids).toHaveLength(2);
});

test("no more workers than allowed; the rest waits its turn", async () => {
  const entry = await worker("setTimeout(() => done(job.id), 50)");
  const busy = testPool(settingsWith({ worker: { max_processes: 2 } }), { entry });
  pool = busy;
  const runs = Array.from({ length: 7 }, () => busy.run(aJob));
  expect(pool.counts()).toMatchObject({ processes: 2, running: 2, queued: 5 });
  const outcomes = await Promise.all(runs);
  expect(outcomes.every((outcome) => outcome.to === "done")).toBe(true);
  expect(pool.pids).toHaveLength(2);
  expect(pool.counts()).toMatchObject({ running: 0, queued: 0, done: 7 });
});

test("a worker that crashes fails its job with the end of its stderr, and the next job gets a new one", async () => {
  const entry = await worker(
    `console.error("x".repeat(9999) + "out of cheese"); process.exitCode = 7; process.exit()`,
  );
  pool = testPool(builtin, { entry });
  const outcome = await pool.run(aJob);
  expect(outcome).toMatchObject({
    to: "failed",
    reason: expect.stringMatching(/exit code 7.*out of cheese$/s),
  });
  expect(JSON.stringify(outcome).length).toBeLessThan(6000);
  expect((await pool.run(aJob)).to).toBe("failed");
  expect(pool.pids).toHaveLength(2);
});

test("what a worker had spent when it crashed is counted", async () => {
  const call = {
    at: "2026-01-28T01:00:00Z",
    role: "summary",
    feature: "day_summary",
    model: "m",
    outcome: "ok",
  };
  const usage = { ...call, tokensIn: 5, tokensOut: 1, tokensCached: 0, ms: 7 };
  const entry = await worker(
    `console.log('${JSON.stringify({ usage })}'); setTimeout(() => process.exit(1), 50)`,
  );
  pool = testPool(builtin, { entry });
  expect(await pool.run(aJob)).toMatchObject({ to: "failed", usage: [{ tokensIn: 5 }] });
});

test("a silent worker is killed as a group, even if it ignores SIGTERM and has children that do", async () => {
  const entry = await worker(`
    process.on("SIGTERM", () => {});
    const child = spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"]);
    child.on("spawn", () => console.log("grandchild " + child.pid));
  `);
  pool = testPool(settingsWith({ worker: { idle_timeout_minutes: 0.02 } }), { entry });
  expect(await pool.run(aJob)).toMatchObject({ to: "failed", reason: expect.stringContaining("silent") });
  const [pid] = pool.pids;
  await until(() => groupOf(pid ?? 0).length === 0);
});

test("heartbeats keep a slow worker alive", async () => {
  const entry = await worker(`
    const beat = setInterval(() => console.log('{"beat":true}'), 200);
    setTimeout(() => { clearInterval(beat); done("late"); }, 2500);
  `);
  pool = testPool(settingsWith({ worker: { idle_timeout_minutes: 0.02 } }), { entry });
  expect((await pool.run(aJob)).to).toBe("done");
});

test("the real worker beats while an endpoint thinks", async () => {
  const server = await openaiServer([{ kind: "hangs" }]);
  const llm = {
    provider: "openai",
    base_url: server.url,
    models: { summary: "m" },
    request_timeout_seconds: 3,
  };
  pool = testPool(settingsWith({ llm, worker: { idle_timeout_minutes: 0.03 } }));
  expect(await pool.run(aJob)).toMatchObject({
    to: "unavailable",
    reason: expect.stringContaining("no whole answer"),
  });
  await server.close();
});

test("a worker that floods its output is killed at the cap", async () => {
  const entry = await worker(`setInterval(() => process.stdout.write("y".repeat(65536)), 0)`);
  pool = testPool(settingsWith({ worker: { output_limit_mb: 0.5 } }), { entry });
  expect(await pool.run(aJob)).toMatchObject({
    to: "failed",
    reason: expect.stringContaining("wrote more than"),
  });
});

test("an answer of megabytes in one line arrives whole", async () => {
  pool = testPool(builtin, { entry: await worker(`done("喂".repeat(3_000_000))`) });
  const outcome = await pool.run(aJob);
  expect(outcome.to === "done" && outcome.result.sections[0]?.text).toBe("喂".repeat(3_000_000));
});

test("a worker that cannot be started fails the job", async () => {
  pool = testPool(builtin, { entry: "/nowhere/worker.js" });
  expect(await pool.run(aJob)).toMatchObject({
    to: "failed",
    reason: expect.stringContaining("Cannot find module"),
  });
});

test("a worker sees only the key it needs", async () => {
  const settings = settingsWith({ llm: { provider: "openai", api_key_env: "TEST_KEY" } });
  pool = testPool(settings, { entry: await worker("done(JSON.stringify(process.env))") });
  const outcome = await pool.run(aJob);
  const seen = JSON.parse((outcome.to === "done" && outcome.result.sections[0]?.text) || "{}") as Record<
    string,
    string
  >;
  expect(seen).toMatchObject({ TEST_KEY: "k-test" });
  expect(Object.keys(seen)).not.toContain("ANOTHER_SECRET");
});

test("a cancelled job ends at once, running or waiting, and its worker with it", async () => {
  pool = testPool(settingsWith({ worker: { max_processes: 1 } }), { entry: await worker("") });
  const [first, second] = [new AbortController(), new AbortController()];
  const running = pool.run(aJob, first.signal);
  const waiting = pool.run(aJob, second.signal);
  second.abort();
  expect(await waiting).toMatchObject({ to: "unavailable", reason: "cancelled" });
  first.abort();
  expect(await running).toMatchObject({ to: "unavailable", reason: "cancelled" });
  expect(pool.counts()).toMatchObject({ processes: 0, queued: 0 });
  expect(await pool.run(aJob, AbortSignal.abort())).toMatchObject({ to: "unavailable" });
});

test("close settles everything and leaves no process, whatever the workers do", async () => {
  const entry = await worker(`
    process.on("SIGTERM", () => {});
    fs.writeFileSync(process.argv[1] + "." + process.pid, "");
    setInterval(() => {}, 1000);
  `);
  const stubborn = testPool(settingsWith({ worker: { max_processes: 2 } }), { entry });
  pool = stubborn;
  const runs = [1, 2, 3].map(() => stubborn.run(aJob));
  await until(() => pool?.pids.length === 2 && pool.pids.every((pid) => existsSync(`${entry}.${pid}`)));
  await pool.close();
  expect((await Promise.all(runs)).map((outcome) => outcome.to)).toEqual(Array(3).fill("unavailable"));
  expect(pool.pids.filter(alive)).toEqual([]);
  expect(await pool.run(aJob)).toMatchObject({ to: "unavailable" });
});

test("no worker outlives a parent that is killed with -9", async () => {
  const server = await openaiServer([{ kind: "hangs" }]);
  const parent = spawn(process.execPath, ["--input-type=module", "-e", parentSource(server.url)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  parent.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  await until(() => printed.includes("\n") && server.requests.length === 1);
  const workerPid = Number(printed);
  expect(alive(workerPid)).toBe(true);
  parent.kill("SIGKILL");
  await until(() => groupOf(workerPid).length === 0);
  await server.close();
});

function parentSource(url: string): string {
  const dist = `${packageRoot()}/dist`;
  const settings = settingsWith({ llm: { provider: "openai", base_url: url, models: { summary: "m" } } });
  return `
    import { createPool } from "${dist}/llm/pool.js";
    import { nodeSpawn } from "${dist}/platform/spawn.js";
    import { systemClock } from "${dist}/platform/clock.js";
    const pool = createPool({ clock: systemClock(), environment: process.env, entry: ${JSON.stringify(workerEntry())},
      settings: ${JSON.stringify(settings)}, promptFolders: [${JSON.stringify(promptsFolder())}],
      spawn: (request) => { const child = nodeSpawn(request); console.log(child.pid); return child; } });
    void pool.run(${JSON.stringify(aJob)});
  `;
}
