import { describe, expect, test } from "vitest";
import { isWaiting, nextAttempt, type Retry, RetrySchedule } from "../../src/archive/retries.js";
import type { ScopeId } from "../../src/model/address.js";
import { settingsSchema } from "../../src/model/settings.js";
import { DAY_MS, HOUR_MS, later, MINUTE_MS, type Day } from "../../src/model/time.js";
import type { JobId } from "../../src/model/work.js";
import { summarise } from "../support/summarise.js";
import { instant, openDesk, said } from "../support/archive-desk.js";
import { memoryWorkspace, WORKSPACE } from "../support/writer.js";

const NOW = instant("2026-02-20T12:00:00Z");
const { archive } = settingsSchema.parse({});

describe("the next attempt", () => {
  test("follows the retry, then comes once a day", () => {
    const waits = [1, 2, 3, 4, 5, 6, 60].map(
      (attempts) => (nextAttempt(attempts, NOW, archive) - NOW) / MINUTE_MS,
    );
    expect(waits).toEqual([10, 30, 120, 360, 720, 1440, 1440]);
  });

  test("waits as long as the endpoint asks, but no longer than a backlog does", () => {
    const waitOf = (retryAfterMs: number): number => nextAttempt(1, NOW, archive, retryAfterMs) - NOW;
    expect([0, HOUR_MS, 10 * DAY_MS, 1e300].map(waitOf)).toEqual([10 * MINUTE_MS, HOUR_MS, DAY_MS, DAY_MS]);
  });

  test("is waited for, unless a clock that was set back since has put it off for more than any step", () => {
    const long = { ...archive, backlog_hours: 96 };
    expect(
      [-1, 0, 1, DAY_MS, 2 * DAY_MS, 3 * DAY_MS, 4000 * DAY_MS].map((ms) =>
        isWaiting(later(NOW, ms), NOW, archive),
      ),
    ).toEqual([false, false, true, true, true, false, false]);
    expect(isWaiting(later(NOW, 4 * DAY_MS), NOW, long)).toBe(true);
  });
});

test("of two retries that a crash left for one summary the later step counts, whatever their times say", async () => {
  const { disk, writer } = await memoryWorkspace();
  const step = (job: string, attempts: number, failedAt = NOW): Retry => ({
    job: job as JobId,
    tier: "day",
    scope: "main" as ScopeId,
    date: "2026-02-10" as Day,
    attempts,
    failedAt,
    nextAt: later(failedAt, HOUR_MS),
    reason: "dead",
  });
  for (const retry of [step("a", 3, later(NOW, -DAY_MS)), step("b", 2)])
    await new RetrySchedule(writer, WORKSPACE).failed(retry);
  const retries = new RetrySchedule(writer, WORKSPACE);
  await retries.load();
  expect(retries.all()).toEqual([step("a", 3, later(NOW, -DAY_MS))]);
  expect(Object.keys(disk.files())).toEqual(["/w/queue/summaries/a.json"]);
});

test("a summary that was owed by a clock which has been put right since is not asked for", async () => {
  const desk = await openDesk({
    now: "2036-02-20T12:00:00Z",
    files: { "history.json": [said("a", "2026-02-20T10:00:00Z", "new")] },
  });
  await desk.archive.writeVerbatim();
  const [owed] = desk.archive.due(false);
  if (owed === undefined) throw new Error("nothing is owed");
  desk.clock.set(NOW);
  const run = (): never => {
    throw new Error("the model was asked");
  };
  expect(await summarise(desk.archive, owed, run)).toEqual({ to: "changed" });
});
