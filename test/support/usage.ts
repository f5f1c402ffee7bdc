import type { UsageRecord } from "../../src/model/work.js";

/** A call that a model answered. */
export const callAt = (at: string, more: Partial<UsageRecord> = {}): UsageRecord => ({
  at,
  role: "summary",
  feature: "day_summary",
  model: "small",
  tokensIn: 100,
  tokensOut: 10,
  tokensCached: 0,
  ms: 5,
  outcome: "ok",
  ...more,
});
