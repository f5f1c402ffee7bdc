import { expect, test } from "vitest";
import { settingsSchema } from "../../src/model/settings.js";
import { changedKeys, liveOf, reloads } from "../../src/model/settings-changes.js";

const before = settingsSchema.parse({ retention: { archive_days: 90 } });

test("what differs is told by its key, however deep it stands, also where it has come or gone", () => {
  const after = settingsSchema.parse({
    timezone: "Asia/Shanghai",
    archive: { backoff_minutes: [1, 2] },
    context: { tokens: { memory: 100 }, off: [] },
  });
  expect(changedKeys(before, after).sort()).toEqual([
    "archive.backoff_minutes",
    "context.tokens.memory",
    "retention.archive_days",
    "timezone",
  ]);
  expect(changedKeys(before, settingsSchema.parse({ retention: { archive_days: 90 } }))).toEqual([]);
});

test("what is said of recall, the historian, the prompt and agents reloads, and nothing else", () => {
  const keys = ["recall.limit", "historian.gate", "agents.exclude", "context.tokens.memory"];
  expect(keys.filter((key) => !reloads(key))).toEqual([]);
  const others = ["timezone", "llm.models.summary", "embedding.weight", "topics.enabled", "mcp.tools"];
  expect(others.filter(reloads)).toEqual([]);
  for (const table of Object.keys(liveOf(before))) expect(reloads(`${table}.any`)).toBe(true);
});
