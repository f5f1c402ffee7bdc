import fs from "node:fs";
import { expect, test } from "vitest";
import {
  afterFailure,
  JOB_EVENT_MEANINGS,
  JOB_EVENTS,
  JOB_LIFE,
  JOB_STATES,
  stateAfter,
} from "../../src/historian/life.js";
import { nextDueAt, workable, type Waiting } from "../../src/historian/queue-reader.js";
import { DAY_MS, epochMs, isoOf, later } from "../../src/model/time.js";

test("every state but the last can be left, and every event can happen", () => {
  for (const state of JOB_STATES) expect(Object.keys(JOB_LIFE[state]).length > 0).toBe(state !== "gone");
  for (const event of JOB_EVENTS)
    expect(JOB_STATES.some((state) => stateAfter(state, event) !== undefined)).toBe(true);
});

test("what is not in the table cannot happen", () => {
  expect(stateAfter("pending", "retried")).toBeUndefined();
  expect(stateAfter("gone", "claimed")).toBeUndefined();
});

test("from everywhere a job can come to an end", () => {
  for (const state of JOB_STATES) {
    const reached = new Set([state]);
    for (const at of reached) for (const next of Object.values(JOB_LIFE[at])) reached.add(next);
    expect(reached).toContain("gone");
  }
});

test("the document shows the table as it is", () => {
  const text = fs.readFileSync(new URL("../../docs/PROTOCOL.md", import.meta.url), "utf8");
  for (const state of JOB_STATES)
    for (const [event, next] of Object.entries(JOB_LIFE[state]))
      expect(text).toContain(
        `| ${state} | ${event} | ${next} | ${JOB_EVENT_MEANINGS[event as keyof typeof JOB_EVENT_MEANINGS]} |`,
      );
});

test("as many tries again as are set, each after a longer wait, and then no more", () => {
  expect([1, 2, 3, 4].map((attempts) => afterFailure(attempts, 3))).toEqual([
    { then: "failed", waitSeconds: 30 },
    { then: "failed", waitSeconds: 120 },
    { then: "failed", waitSeconds: 600 },
    { then: "gave_up" },
  ]);
  expect(afterFailure(1, 0)).toEqual({ then: "gave_up" });
  expect(afterFailure(9, 12)).toEqual({ then: "failed", waitSeconds: 600 });
});

const NOW = epochMs(Date.parse("2026-03-02T10:00:00Z"));
function waiting(id: string, session: string, notBefore?: number): Waiting {
  const job = {
    version: 1,
    kind: "end",
    createdAt: isoOf(NOW),
    scope: "main",
    session,
    observations: ["x"],
  } as const;
  return {
    id,
    job: {
      ...job,
      observations: ["x"],
      ...(notBefore !== undefined && { notBefore: isoOf(epochMs(NOW + notBefore)) }),
    },
  };
}

test("of each conversation the oldest, and one that waits holds up its own only", () => {
  const jobs = [
    waiting("0003", "b"),
    waiting("0001", "a", 60_000),
    waiting("0002", "a"),
    waiting("0004", "b"),
    waiting("0005", "c"),
  ];
  const lane = (session: string): string => JSON.stringify(["main", session, null]);
  expect(workable(jobs, new Set(), NOW).map(({ id }) => id)).toEqual(["0003", "0005"]);
  expect(workable(jobs, new Set([lane("b")]), NOW).map(({ id }) => id)).toEqual(["0005"]);
  expect(workable(jobs, new Set(), epochMs(NOW + 60_000)).map(({ id }) => id)).toEqual([
    "0001",
    "0003",
    "0005",
  ]);
  expect(nextDueAt(jobs, NOW)).toBe(NOW + 60_000);
  expect(nextDueAt([waiting("0001", "a")], NOW)).toBeUndefined();
});

test("what is of today comes first, and what was imported last; of one conversation in order all the same", () => {
  const time = (days: number): string => isoOf(later(NOW, -days * DAY_MS)).replaceAll(/[:.]/g, "-");
  const past = (days: number): string => `${time(days)}-past-0a1b2c3d`;
  const [today, yesterday] = [`${time(0.5)}-rounds-0a1b2c3d`, `${time(1.5)}-abcdefgh`];
  const jobs = [
    waiting(past(300), "a"),
    waiting(yesterday, "b"),
    waiting(today, "c"),
    waiting(past(0.1), "a"),
  ];
  const ids = workable(jobs, new Set(), NOW).map(({ id }) => id);
  expect(ids).toEqual([today, yesterday, past(300)]);
});
