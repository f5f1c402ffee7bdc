import fc from "fast-check";
import { expect, test } from "vitest";
import { type Child, type ChildRequest, lineSplitter, NODE, nodeSpawn } from "../../src/platform/spawn.js";
import { groupOf, until } from "../llm/given.js";

function run(source: string, more: Partial<ChildRequest> = {}): { child: Child; lines: string[] } {
  const lines: string[] = [];
  const child = nodeSpawn({
    argv: [NODE, "-e", source],
    environment: {},
    outputLimitBytes: 10_000_000,
    graceMs: 300,
    onLine: (line) => lines.push(line),
    ...more,
  });
  return { child, lines };
}

test("lines come out as they went in, however the bytes were cut", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme" })),
      fc.array(fc.integer({ min: 1, max: 7 })),
      (texts, sizes) => {
        const sent = texts.map((text) => text.replaceAll("\n", " "));
        const bytes = new TextEncoder().encode(sent.map((line) => `${line}\n`).join(""));
        const got: string[] = [];
        const feed = lineSplitter((line) => got.push(line));
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % Math.max(1, sizes.length)] ?? 5;
          feed(bytes.subarray(at, at + size));
          at += size;
        }
        expect(got).toEqual(sent.map((line) => line.toWellFormed()));
      },
    ),
  );
});

test("a child gets lines and gives lines, and only the environment it was given", async () => {
  const echo = `process.stdin.on("data", (d) => process.stdout.write(d)).on("end", () => process.exit(3));
    console.log(JSON.stringify(Object.keys(process.env)));`;
  const { child, lines } = run(echo, { environment: { GREETING: "hi" } });
  child.send("one 喂");
  await until(() => lines.length === 2);
  expect(JSON.parse(lines[0] ?? "")).toEqual(["GREETING"]);
  expect(lines[1]).toBe("one 喂");
  await child.killGroup();
});

test("how it ended is told: code, signal, or why it never began", async () => {
  expect(await run("process.exit(3)").child.ended).toEqual({ code: 3, overflowed: false });
  expect(await run("process.kill(process.pid, 'SIGKILL')").child.ended).toEqual({
    signal: "SIGKILL",
    overflowed: false,
  });
  const missing = nodeSpawn({
    argv: ["/no/such/program"],
    environment: {},
    outputLimitBytes: 1,
    graceMs: 1,
    onLine: () => undefined,
  });
  missing.send("lost");
  expect((await missing.ended).fault).toContain("ENOENT");
  expect((await missing.killGroup()).fault).toContain("ENOENT");
});

test("the last output before an exit is not lost", async () => {
  const { child, lines } = run(`process.stdout.write("x".repeat(300000) + "\\nlast\\n")`);
  await child.ended;
  expect(lines.at(-1)).toBe("last");
});

test("only the tail of stderr is kept", async () => {
  const { child } = run(`process.stderr.write("a".repeat(100000) + "the end")`);
  await child.ended;
  expect(child.stderrTail()).toMatch(/the end$/);
  expect(child.stderrTail().length).toBeLessThan(5000);
});

test("more output than allowed ends it; the count begins anew with every line sent", async () => {
  const chatty = `process.stdin.on("data", () => process.stdout.write("y".repeat(600) + "\\n"));`;
  const patient = run(chatty, { outputLimitBytes: 1000 });
  for (let round = 1; round <= 3; round++) {
    patient.child.send("go");
    await until(() => patient.lines.length === round);
  }
  await patient.child.killGroup();
  const flood = run(`setInterval(() => process.stdout.write("y".repeat(600) + "\\n"), 1)`, {
    outputLimitBytes: 1000,
  });
  expect(await flood.child.ended).toMatchObject({ overflowed: true });
});

test("a group that ignores SIGTERM is gone after the grace, grandchildren too", async () => {
  const stubborn = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);`;
  const { child, lines } = run(`${stubborn}
    const inner = require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(`${stubborn} console.log("up")`)}], { stdio: "pipe" });
    inner.stdout.on("data", () => console.log("up"));`);
  await until(() => lines.length > 0);
  expect(groupOf(child.pid ?? 0)).toHaveLength(2);
  expect(await child.killGroup()).toMatchObject({ signal: "SIGKILL" });
  await until(() => groupOf(child.pid ?? 0).length === 0);
});

test("grandchildren that a child leaves behind are swept up when it exits", async () => {
  const { child } = run(
    `require("child_process").spawn("sleep", ["1000"], { stdio: "inherit" }).on("spawn", () => process.exit(0))`,
    {
      environment: { PATH: process.env["PATH"] ?? "" },
    },
  );
  expect(await child.ended).toMatchObject({ code: 0 });
  await until(() => groupOf(child.pid ?? 0).length === 0);
});
