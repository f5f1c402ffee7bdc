/** A model that lives in this process: it answers at once, fails where it is told to, and remembers what it was asked. */
import type { UsageRecord } from "../../../src/model/work.js";
import type { SummaryJob, SummaryOutcome } from "../../../src/llm/jobs/summary.js";
import type { Spawn } from "../../../src/platform/spawn.js";
import { extractive } from "../../support/archive-desk.js";
import { workerIn } from "../../support/worker.js";

export interface TestModel {
  spawn: Spawn;
  /** Every call, in order. */
  calls: { job: string; done: boolean }[];
  /** The summary of this date fails until it is undefined. */
  difficult: string | undefined;
}

export function testModel(difficult: string): TestModel {
  const answer = async (job: SummaryJob): Promise<SummaryOutcome> => {
    const done = job.date !== model.difficult;
    model.calls.push({ job: job.id, done });
    return done ? extractive(job) : { to: "failed", reason: "no good", usage: [] };
  };
  const model: TestModel = {
    spawn: workerIn(answer, (outcome) => [{ usage: usageOf(outcome) }]),
    calls: [],
    difficult,
  };
  return model;
}

/** Told when a call has ended, before its outcome. */
function usageOf({ to }: SummaryOutcome): UsageRecord {
  return {
    at: "2026-02-20T12:00:00.000Z",
    role: "summary",
    feature: "day_summary",
    model: "test",
    tokensIn: 1,
    tokensOut: 1,
    tokensCached: 0,
    ms: 1,
    outcome: to === "done" ? "ok" : "failed",
  };
}
