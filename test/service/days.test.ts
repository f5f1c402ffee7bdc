/** On which days how much was said, as whoever asks may know of it. */
import { expect, test } from "vitest";
import { OWNER, type ScopeId, viewerAt } from "../../src/model/address.js";
import { listDays } from "../../src/service/days.js";
import type { Memd } from "../../src/service/memd.js";
import { said } from "../support/archive-desk.js";
import { openStage } from "../support/stage.js";

const FILES = {
  "history.json": [
    { ...said("a", "2026-01-19T10:00:00Z", "one of Lin"), user: "lin" },
    { ...said("b", "2026-01-19T11:00:00Z", "two of Lin"), user: "lin" },
    { ...said("c", "2026-01-20T10:00:00Z", "one of Wei"), user: "wei" },
    { ...said("d", "2026-02-01T10:00:00Z", "three of Lin"), user: "lin" },
  ],
};

async function memory(): Promise<Memd> {
  const { supervisor: memd } = await openStage(FILES);
  await memd.start({ watch: false, work: true });
  await memd.archiveNow();
  await memd.settled();
  return memd;
}

test("each day and month with how much was said, its files and its summaries, the oldest first", async () => {
  const memd = await memory();
  const { days, months } = await listDays(memd, OWNER);
  expect(days.map(({ date, messages }) => [date, messages])).toEqual([
    ["2026-01-19", 2],
    ["2026-01-20", 1],
    ["2026-02-01", 1],
  ]);
  expect(months.map(({ date, messages }) => [date, messages])).toEqual([
    ["2026-01", 3],
    ["2026-02", 1],
  ]);
  expect(days[0]?.sources).toEqual([expect.stringMatching(/^memory\/.*2026-01-19/)]);
  expect(days[0]?.summaries).toEqual(["memory/summary/2026-01-19.md"]);
});

test("of what others said neither the day nor the number is told", async () => {
  const memd = await memory();
  const lin = viewerAt({ user: "lin", scope: "main" as ScopeId, session: "main" });
  const { days, months } = await listDays(memd, lin);
  expect(days.map(({ date, messages }) => [date, messages])).toEqual([
    ["2026-01-19", 2],
    ["2026-02-01", 1],
  ]);
  expect(months.map(({ date, messages }) => [date, messages])).toEqual([
    ["2026-01", 2],
    ["2026-02", 1],
  ]);
});
