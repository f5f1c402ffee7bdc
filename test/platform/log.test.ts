import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { DAY_MS, epochMs } from "../../src/model/time.js";
import { fileLog, listeningLog, teeLog, type Log, type LogEvent } from "../../src/platform/log.js";
import { tempDir } from "../support/temp-dir.js";
import { handClock, type HandClock } from "../support/hand-clock.js";

let dir = "";
let clock: HandClock;
const file = (): string => `${dir}/memd.jsonl`;
const files = (): string[] => fs.readdirSync(dir).sort();

function linesOf(path: string): Record<string, unknown>[] {
  const lines = fs.readFileSync(path, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

function say(log: Log, n: number): void {
  log.write({ level: "info", event: "archive_started", n });
}

beforeEach(() => {
  dir = tempDir();
  clock = handClock(epochMs(Date.parse("2031-03-05T10:00:00Z")));
});

describe("the log file", () => {
  test("has one line per event, for its owner alone, with the clock's time", async () => {
    const log = fileLog(file(), clock);
    log.write({ level: "warn", event: "edit_conflict", file: "a.md", id: "m1" });
    log.write({ level: "debug", event: "noise" });
    await log.close();
    expect(linesOf(file())).toEqual([
      { level: 40, time: "2031-03-05T10:00:00.000Z", event: "edit_conflict", file: "a.md", id: "m1" },
    ]);
    expect(fs.statSync(file()).mode & 0o777).toBe(0o600);
  });

  test("begins anew with the day, whatever the machine's clock says", async () => {
    const log = fileLog(file(), clock);
    say(log, 1);
    await clock.advance(DAY_MS);
    say(log, 2);
    await clock.advance(DAY_MS);
    say(log, 3);
    await log.close();
    expect(files()).toEqual(["memd-2031-03-05.jsonl", "memd-2031-03-06.jsonl", "memd.jsonl"]);
    expect(linesOf(`${dir}/memd-2031-03-06.jsonl`)).toMatchObject([{ n: 2 }]);
    expect(linesOf(file())).toMatchObject([{ n: 3 }]);
  });

  test("goes on within the day after a restart, and begins anew after one on another day", async () => {
    const first = fileLog(file(), clock);
    say(first, 1);
    await first.close();
    const second = fileLog(file(), clock);
    say(second, 2);
    await second.close();
    expect(linesOf(file())).toMatchObject([{ n: 1 }, { n: 2 }]);
    await clock.advance(3 * DAY_MS);
    const third = fileLog(file(), clock);
    say(third, 3);
    await third.close();
    expect(files()).toEqual(["memd-2031-03-05.jsonl", "memd.jsonl"]);
    expect(linesOf(file())).toMatchObject([{ n: 3 }]);
  });

  test("begins anew at 10 MB, what stood before a restart counted, and no line is lost", async () => {
    const pad = "好".repeat(1_000_000);
    for (let n = 0; n < 2; n++) {
      const log = fileLog(file(), clock);
      for (let line = 0; line < 4; line++) log.write({ level: "info", event: "big", n: n * 4 + line, pad });
      await log.close();
    }
    expect(files()).toEqual(["memd-2031-03-05.2.jsonl", "memd-2031-03-05.jsonl", "memd.jsonl"]);
    for (const name of files())
      expect(fs.statSync(`${dir}/${name}`).size).toBeLessThanOrEqual(10 * 1024 * 1024);
    const all = ["memd-2031-03-05.jsonl", "memd-2031-03-05.2.jsonl", "memd.jsonl"].flatMap((name) =>
      linesOf(`${dir}/${name}`),
    );
    expect(all.map(({ n }) => n)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test("is kept for 30 days by its name's day; other files are let be", async () => {
    fs.writeFileSync(`${dir}/memd-notes.jsonl`, "mine");
    fs.writeFileSync(`${dir}/usage.jsonl`, "");
    const log = fileLog(file(), clock);
    for (let day = 0; day < 40; day++) {
      say(log, day);
      await clock.advance(DAY_MS);
    }
    await log.close();
    const kept = files().filter((name) => /^memd-2031/.test(name));
    expect(kept).toHaveLength(30);
    expect(kept[0]).toBe("memd-2031-03-14.jsonl");
    expect(files()).toContain("memd-notes.jsonl");
    expect(files()).toContain("usage.jsonl");
  });
});

describe("a log that cannot be written", () => {
  test("does not stop the work, and goes on once it can", async () => {
    const log = fileLog(`${dir}/none/memd.jsonl`, clock);
    say(log, 1);
    fs.mkdirSync(`${dir}/none`);
    say(log, 2);
    await log.close();
    expect(linesOf(`${dir}/none/memd.jsonl`)).toMatchObject([{ n: 2 }]);
  });

  test("nor does one that cannot be renamed", async () => {
    const log = fileLog(file(), clock);
    say(log, 1);
    fs.mkdirSync(`${dir}/memd-2031-03-05.jsonl`);
    await clock.advance(DAY_MS);
    say(log, 2);
    await log.close();
    expect(files()).toContain("memd-2031-03-05.2.jsonl");
    expect(linesOf(file())).toMatchObject([{ n: 2 }]);
  });

  test("that was never written to leaves nothing", async () => {
    await fileLog(file(), clock).close();
    expect(files()).toEqual([]);
  });
});

test("several logs hear the same", async () => {
  const heard: LogEvent[][] = [[], []];
  const log = teeLog(...heard.map((events) => listeningLog((event) => events.push(event))));
  log.write({ level: "info", event: "x" });
  await log.close();
  expect(heard).toEqual([[{ level: "info", event: "x" }], [{ level: "info", event: "x" }]]);
});

test.each<[string, (file: string, outside: string) => void]>([
  ["a link", (file, outside) => fs.symlinkSync(outside, file)],
  ["a pipe", (file) => void execFileSync("mkfifo", [file])],
  ["a second name of a file", (file, outside) => fs.linkSync(outside, file)],
])("%s in its place is not written through, and keeps nobody waiting", async (_what, put) => {
  const outside = `${dir}/outside.txt`;
  fs.writeFileSync(outside, "theirs\n");
  put(file(), outside);
  const log = fileLog(file(), clock);
  say(log, 1);
  await log.close();
  expect(fs.readFileSync(outside, "utf8")).toBe("theirs\n");
});
