/** Which files exist after a pass, by local day: the example of 31 January and 1 February. */
import { expect, test } from "vitest";
import { cliPlace, type Place } from "../support/cli.js";
import { blocksOf, summariesOf } from "../support/cli-memory.js";

interface Zone {
  timezone: string;
  /** Offset of local midnight, as it stands in January. */
  offset: string;
}

const ZONES: Zone[] = [
  { timezone: "Asia/Shanghai", offset: "+08:00" },
  { timezone: "America/New_York", offset: "-05:00" },
];

/** Local days with the moments at both of their ends, from the newest to the month before last. */
const DAYS = [
  "2026-01-31",
  "2026-01-26",
  "2026-01-25",
  "2026-01-01",
  "2025-12-31",
  "2025-12-01",
  "2025-11-30",
  "2025-11-03",
];

function messagesOf({ offset }: Zone): object[] {
  return DAYS.flatMap((day) =>
    [
      ["first", "00:00:00.000"],
      ["last", "23:59:59.999"],
    ].map(([name, clock]) => ({
      id: `${day}-${name}`,
      role: "user",
      text: `The ferry of ${day} leaves at the ${name} moment; we decided to take bicycle number ${day.length}.`,
      createdAt: new Date(`${day}T${clock}${offset}`).toISOString(),
    })),
  ).reverse();
}

function placeOf(zone: Zone): Place {
  return cliPlace({
    files: { "memd.toml": `timezone = "${zone.timezone}"\n`, "history.json": messagesOf(zone) },
  });
}

/** Verbatim files without their slugs, each with the ids in it. */
function verbatim(place: Place): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const { path, message } of blocksOf(place))
    (found[path.replace(/(\d{4}-\d{2}-\d{2})-[^/]*\.md$/, "$1")] ??= []).push(message.id);
  return found;
}

const ids = (day: string): string[] => [`${day}-first`, `${day}-last`];

test.each(ZONES)("on 31 January in $timezone each day stands in the folder of its tier", async (zone) => {
  const place = placeOf(zone);
  const pass = await place.memd(["archive", "--now"], { now: `2026-01-31T23:59:50${zone.offset}` });
  expect(pass).toMatchObject({ code: 0, stderr: "" });
  expect(dayFiles(place)).toEqual([
    "memory/2026-01-26",
    "memory/2026-01-31",
    "memory/archive/2025-11/2025-11-03",
    "memory/archive/2025-11/2025-11-30",
    "memory/archive/2025-12/2025-12-01",
    "memory/archive/2025-12/2025-12-31",
    "memory/archive/2026-01/2026-01-01",
    "memory/archive/2026-01/2026-01-25",
  ]);
  for (const [file, found] of Object.entries(verbatim(place))) expect(found).toEqual(ids(file.slice(-10)));
  expect(summaryDates(place)).toEqual(["2025-11", "2025-12-01", "2025-12-31", "2026-01-01", "2026-01-25"]);

  const next = await place.memd(["archive", "--now"], { now: `2026-02-01T00:00:10${zone.offset}` });
  expect(next.code).toBe(0);
  expect(dayFiles(place)).toEqual([
    "memory/2026-01-31",
    "memory/archive/2025-11/2025-11-03",
    "memory/archive/2025-11/2025-11-30",
    "memory/archive/2025-12/2025-12-01",
    "memory/archive/2025-12/2025-12-31",
    "memory/archive/2026-01/2026-01-01",
    "memory/archive/2026-01/2026-01-25",
    "memory/archive/2026-01/2026-01-26",
  ]);
  const december = summariesOf(place).find(({ date }) => date === "2025-12");
  expect(december?.covers.map(({ day }) => day)).toEqual(["2025-12-01", "2025-12-31"]);
  expect(summaryDates(place)).toEqual([
    "2025-11",
    "2025-12",
    "2025-12-01",
    "2025-12-31",
    "2026-01-01",
    "2026-01-25",
    "2026-01-26",
  ]);
  expect(place.json<{ archived: unknown }[]>("history.json").map(({ archived }) => archived)).toEqual(
    DAYS.flatMap(() => [true, true]),
  );
});

test.each(ZONES)("a first pass on 1 February in $timezone summarises December as a month", async (zone) => {
  const place = placeOf(zone);
  const pass = await place.memd(["archive", "--now"], { now: `2026-02-01T00:00:10${zone.offset}` });
  expect(pass).toMatchObject({ code: 0, stderr: "" });
  expect(summaryDates(place)).toEqual(["2025-11", "2025-12", "2026-01-01", "2026-01-25", "2026-01-26"]);
});

function summaryDates(place: Place): string[] {
  return summariesOf(place)
    .map(({ date }) => date)
    .sort();
}

function dayFiles(place: Place): string[] {
  return Object.keys(verbatim(place)).sort();
}
