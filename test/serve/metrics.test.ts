/** What Prometheus reads, the docs name and the board asks for. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { Histogram } from "../../src/model/histogram.js";
import type { Day } from "../../src/model/time.js";
import { packageRoot } from "../../src/platform/package-root.js";
import { type Lags, metricsOf } from "../../src/serve/metrics.js";
import { statusOf } from "../../src/service/status.js";
import { openStage } from "../support/stage.js";

const DOCS = path.join(packageRoot(), "docs");
const USAGE = {
  day: "2026-03-01" as Day,
  role: "summary",
  model: 'a "large" one',
  calls: 1,
  failures: 0,
  tokensCached: 0,
  ms: 5,
} as const;

async function figures(lags: Partial<Lags> = {}): Promise<string[]> {
  const stage = await openStage({ "history.json": [] });
  const status = await statusOf(stage.supervisor, "socket");
  const nothing = { archiveMs: 0, indexMs: 0, prompts: new Histogram([0.1, 1]), usage: [] };
  return metricsOf(status, { ...nothing, ...lags }, "1.2.3")
    .trimEnd()
    .split("\n");
}

test("buckets hold all that took no longer, and what took longer than any is counted", async () => {
  const prompts = new Histogram([0.1, 1]);
  for (const seconds of [0.05, 0.1, 0.5, 7]) prompts.note(seconds);
  expect((await figures({ prompts })).filter((line) => line.startsWith("memd_prompt_seconds"))).toEqual([
    'memd_prompt_seconds_bucket{le="0.1"} 2',
    'memd_prompt_seconds_bucket{le="1"} 3',
    'memd_prompt_seconds_bucket{le="+Inf"} 4',
    "memd_prompt_seconds_sum 7.65",
    "memd_prompt_seconds_count 4",
  ]);
});

test("how far it is behind, in seconds; tokens of all days by model, whatever it is called", async () => {
  const usage = [
    { ...USAGE, tokensIn: 10, tokensOut: 1 },
    { ...USAGE, day: "2026-03-02" as Day, tokensIn: 5, tokensOut: 2 },
  ];
  const lines = await figures({ archiveMs: 61_500, indexMs: 250, usage });
  for (const line of [
    'memd_info{version="1.2.3"} 1',
    "memd_archive_lag_seconds 61.5",
    "memd_index_lag_seconds 0.25",
    'memd_model_tokens_total{model="a \\"large\\" one",direction="in"} 15',
    'memd_model_tokens_total{model="a \\"large\\" one",direction="out"} 3',
  ])
    expect(lines).toContain(line);
});

test("the docs name every figure with its kind, and no other", async () => {
  const told = (await figures()).flatMap(
    (line) => /^# TYPE (\w+) (\w+)$/.exec(line)?.slice(1).join(" ") ?? [],
  );
  const rows = fs.readFileSync(path.join(DOCS, "METRICS.md"), "utf8").matchAll(/^\| `(\w+)` \| (\w+) \|/gm);
  expect([...rows].map(([, name, kind]) => `${name} ${kind}`).sort()).toEqual(told.sort());
});

test("the board asks for figures that there are", async () => {
  const names = new Set((await figures()).flatMap((line) => /^# TYPE (\w+)/.exec(line)?.[1] ?? []));
  const board = JSON.parse(fs.readFileSync(path.join(DOCS, "grafana.json"), "utf8")) as {
    panels: { targets: { expr: string }[] }[];
  };
  const asked = board.panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => expr.match(/\bmemd_\w+/g) ?? []),
  );
  expect(asked.length).toBeGreaterThan(10);
  for (const name of asked) expect([...names]).toContain(name.replace(/_bucket$/, ""));
});

test("a message that waits for its day and its place in the index is behind, until it has both", async () => {
  const stage = await openStage({ "history.json": [] });
  const { upkeep } = stage.supervisor;
  expect(upkeep.unreadForMs).toBe(0);
  stage.write("inbox.json", [
    { id: "q-1", role: "user", text: "When does the ferry leave?", createdAt: "2026-03-02T12:00:00Z" },
  ]);
  stage.supervisor.changed();
  expect(upkeep.hasUnread).toBe(true);
  await stage.supervisor.settled();
  expect([upkeep.hasUnread, upkeep.unreadForMs]).toEqual([false, 0]);
  expect(upkeep.promptTimes.count).toBeGreaterThan(0);
});
