import { expect, test } from "vitest";
import { chooseProvider, keyVariable, parseWorkerLine, workerEnvironment } from "../../src/llm/job-line.js";
import { budgetLeft, parseUsage, usageTotals } from "../../src/llm/usage.js";
import { zoneOf, type Day } from "../../src/model/time.js";
import { callAt } from "../support/usage.js";
import { settingsWith } from "./given.js";

const shanghai = zoneOf("Asia/Shanghai");
const calls = [
  callAt("2026-01-27T17:00:00Z"),
  callAt("2026-01-28T01:00:00Z", { outcome: "timeout", tokensOut: 0 }),
  callAt("2026-01-27T10:00:00Z"),
  callAt("2026-01-28T02:00:00Z", { model: "large" }),
  callAt("not a time"),
];

test("totals are per local day, role and model, oldest first", () => {
  expect(usageTotals(calls, shanghai)).toMatchObject([
    { day: "2026-01-27", model: "small", calls: 1, failures: 0, tokensIn: 100 },
    { day: "2026-01-28", model: "large", calls: 1 },
    { day: "2026-01-28", model: "small", calls: 2, failures: 1, tokensIn: 200, tokensOut: 10, ms: 10 },
  ]);
});

test("the budget counts today only, ends at 0, and without a cap there is none", () => {
  const today = "2026-01-28" as Day;
  expect(budgetLeft(calls, today, shanghai, 1000)).toBe(1000 - 320);
  expect(budgetLeft(calls, today, shanghai, 50)).toBe(0);
  expect(budgetLeft(calls, "2026-01-29" as Day, shanghai, 50)).toBe(50);
  expect(budgetLeft(calls, today, shanghai, undefined)).toBeUndefined();
});

test.each([
  ["nothing is set", {}, {}, "builtin"],
  ["some key happens to be in the environment", {}, { OPENAI_API_KEY: "k" }, "builtin"],
  ["the named key is there", { api_key_env: "MY_KEY" }, { MY_KEY: "k" }, "openai"],
  ["the named key is not there", { api_key_env: "MY_KEY" }, {}, "builtin"],
  ["an endpoint without a key is named", { base_url: "http://127.0.0.1:1/v1" }, {}, "openai"],
  ["it is said outright", { provider: "builtin", api_key_env: "MY_KEY" }, { MY_KEY: "k" }, "builtin"],
])("when %s", (_when, llm, environment, provider) => {
  expect(chooseProvider(settingsWith({ llm }).llm, environment)).toBe(provider);
});

test("OpenAI's own key is never sent to another address", () => {
  expect(keyVariable(settingsWith({ llm: { provider: "openai" } }).llm)).toBe("OPENAI_API_KEY");
  const { llm } = settingsWith({ llm: { provider: "openai", base_url: "http://127.0.0.1:1/v1" } });
  expect(workerEnvironment(llm, { OPENAI_API_KEY: "k", PATH: "/bin", HOME: "/root" })).toEqual({
    PATH: "/bin",
  });
});

test("a line that is no record of a call is none", () => {
  const good = callAt("2026-01-28T01:00:00Z");
  expect(parseUsage(good)).toEqual(good);
  for (const bad of [
    null,
    5,
    {},
    { ...good, tokensIn: "100" },
    { ...good, tokensOut: -1 },
    { ...good, ms: 1e308 },
    { ...good, at: 5 },
  ])
    expect(parseUsage(bad)).toBeUndefined();
});

test("a worker's line is believed as far as it can be read", () => {
  expect(parseWorkerLine('{"usage":null}')).toEqual({ beat: true });
  for (const outcome of ["null", "{}", '{"to":"done","result":{}}', '{"to":"failed"}'])
    expect(parseWorkerLine(`{"outcome":${outcome}}`)).toMatchObject({ outcome: { to: "failed", usage: [] } });
  const endless = '{"outcome":{"to":"unavailable","reason":"busy","retryAfterMs":1e999}}';
  expect(parseWorkerLine(endless)).toEqual({ outcome: { to: "unavailable", reason: "busy", usage: [] } });
});
