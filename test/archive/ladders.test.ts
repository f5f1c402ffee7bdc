import { describe, expect, test } from "vitest";
import { isWaiting, nextAttempt } from "../../src/archive/backoff.js";
import { Ladders, type Ladder } from "../../src/archive/ladders.js";
import type { ScopeId } from "../../src/model/address.js";
import { settingsSchema } from "../../src/model/settings.js";
import { DAY_MS, HOUR_MS, later, MINUTE_MS, type Day } from "../../src/model/time.js";
import type { JobId } from "../../src/model/work.js";
import { makeSummary } from "../../src/archive/summarise.js";
import { instant, openDesk, said } from "../support/archive-desk.js";
import { memoryWorkspace, WORKSPACE } from "../support/press.js";

const NOW = instant("2026-02-20T12:00:00Z");
const { archive } = settingsSchema.parse({});

describe("the next attempt", () => {
  test("follows the ladder, then comes once a day", () => {
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

test("of two ladders that a crash left for one summary the later step counts, whatever their times say", async () => {
  const { disk, press } = await memoryWorkspace();
  const step = (job: string, attempts: number, failedAt = NOW): Ladder => ({
    job: job as JobId,
    tier: "day",
    scope: "main" as ScopeId,
    date: "2026-02-10" as Day,
    attempts,
    failedAt,
    nextAt: later(failedAt, HOUR_MS),
    reason: "dead",
  });
  for (const ladder of [step("a", 3, later(NOW, -DAY_MS)), step("b", 2)])
    await new Ladders(press, WORKSPACE).failed(ladder);
  const ladders = new Ladders(press, WORKSPACE);
  await ladders.load();
  expect(ladders.all()).toEqual([step("a", 3, later(NOW, -DAY_MS))]);
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
  expect(await makeSummary(desk.archive.context, owed, run)).toEqual({ to: "changed" });
});
