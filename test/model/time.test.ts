import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addDays,
  DAY_MS,
  daysBetween,
  epochMs,
  isDay,
  isMonth,
  isoOf,
  lastDayOf,
  monthOf,
  monthsBetween,
  parseInstant,
  zoneOf,
  type Day,
  type EpochMs,
  type Month,
} from "../../src/model/time.js";

const utc = (text: string): EpochMs => epochMs(Date.parse(text));

const moment = fc
  .date({ min: new Date("1900-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((date) => epochMs(date.getTime()));
const day = moment.map((at) => isoOf(at).slice(0, 10) as Day);

describe("a time as somebody wrote it", () => {
  test.each([
    ["2026-01-05T10:00:00Z", "2026-01-05T10:00:00Z"],
    ["2026-01-05T10:00:00.123456789Z", "2026-01-05T10:00:00.123Z"],
    ["2026-01-05T10:00:00,5Z", "2026-01-05T10:00:00.5Z"],
    ["2026-01-05T10:00:00+08:00", "2026-01-05T02:00:00Z"],
    ["2026-01-05T10:00:00-0330", "2026-01-05T13:30:00Z"],
    ["2026-01-05 10:00:00+08", "2026-01-05T02:00:00Z"],
    ["2026-01-05 10:00:00 +08:00", "2026-01-05T02:00:00Z"],
    ["2026-01-05t10:00z", "2026-01-05T10:00:00Z"],
    ["2026-01-05 10:00", "2026-01-05T10:00:00Z"],
    ["2026-01-05T10:00:00", "2026-01-05T10:00:00Z"],
    ["2026-01-05", "2026-01-05T00:00:00Z"],
    ["  2026-01-05\n", "2026-01-05T00:00:00Z"],
    ["2024-02-29T23:59:59Z", "2024-02-29T23:59:59Z"],
  ])("%j is %s", (text, wanted) => {
    expect(parseInstant(text)).toBe(Date.parse(wanted));
  });

  test.each([
    "",
    "yesterday",
    "2026-02-30",
    "2026-02-30T10:00:00Z",
    "2025-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-01-32",
    "2026-01-05T25:00:00Z",
    "2026-01-05T10:60:00Z",
    "2026-01-05T10",
    "2026-01-05Z",
    "2026-01-05T10:00:00+25:00",
    "2026-1-5",
    "05.01.2026",
    "1767607200",
    "20260105",
    "2026-01-05T10:00:00Z and more",
    "+002026-01-05T10:00:00Z",
    "0001-01-01T00:00:00Z",
    "0000-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-14:00",
  ])("%j is no date", (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  test("what is written down is read as the same moment", () => {
    fc.assert(
      fc.property(moment, (at) => {
        expect(parseInstant(isoOf(at))).toBe(at);
      }),
    );
  });

  test("any text is a moment that can be written down again, or none", () => {
    const digits = fc.string({ unit: fc.constantFrom(..."0123456789-T: Z+.,"), maxLength: 30 });
    const shaped = fc
      .tuple(
        fc.nat(9999),
        fc.nat(13),
        fc.nat(32),
        fc.nat(25),
        fc.nat(61),
        fc.constantFrom("Z", "+14:00", "-12:00", "", "+99"),
      )
      .map(([y, mo, d, h, mi, zone]) => {
        const two = (n: number): string => String(n).padStart(2, "0");
        return `${String(y).padStart(4, "0")}-${two(mo)}-${two(d)}T${two(h)}:${two(mi)}:00${zone}`;
      });
    fc.assert(
      fc.property(fc.oneof(fc.string(), digits, shaped), (text) => {
        const at = parseInstant(text);
        if (at !== undefined) expect(parseInstant(isoOf(at))).toBe(at);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("a zone", () => {
  const shanghai = zoneOf("Asia/Shanghai");
  const newYork = zoneOf("America/New_York");

  test("cuts its days at its own midnight", () => {
    expect(
      [utc("2026-01-05T15:59:59.999Z"), utc("2026-01-05T16:00:00Z")].map((at) => shanghai.dayOf(at)),
    ).toEqual(["2026-01-05", "2026-01-06"]);
    expect(
      [utc("2026-01-05T04:59:59.999Z"), utc("2026-01-05T05:00:00Z")].map((at) => newYork.dayOf(at)),
    ).toEqual(["2026-01-04", "2026-01-05"]);
    expect([utc("2026-07-05T03:59:59Z"), utc("2026-07-05T04:00:00Z")].map((at) => newYork.dayOf(at))).toEqual(
      ["2026-07-04", "2026-07-05"],
    );
    expect(shanghai.clockOf(utc("2026-01-05T16:00:00Z"))).toBe("00:00:00");
    expect(shanghai.clockOf(utc("2026-01-05T15:59:59.999Z"))).toBe("23:59:59");
  });

  test("skips an hour of a night in spring, and has one twice in autumn, on one day each", () => {
    const clocks = (times: string[]) =>
      times.map((time) => `${newYork.dayOf(utc(time))} ${newYork.clockOf(utc(time))}`);
    expect(clocks(["2026-03-08T06:59:59Z", "2026-03-08T07:00:00Z"])).toEqual([
      "2026-03-08 01:59:59",
      "2026-03-08 03:00:00",
    ]);
    expect(clocks(["2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z"])).toEqual([
      "2026-11-01 01:30:00",
      "2026-11-01 01:30:00",
    ]);
  });

  test("says at every moment what the platform's calendar says", () => {
    // St. John's changed its clocks a minute after midnight, Lord Howe changes them by half an hour, Morocco twice within a month.
    const names = [
      "America/St_Johns",
      "Australia/Lord_Howe",
      "Africa/Casablanca",
      "Pacific/Apia",
      "Africa/Monrovia",
    ];
    const zones = names.map((name) => ({ name, zone: zoneOf(name) }));
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: Date.UTC(1971, 0, 1), max: Date.UTC(2030, 0, 1) }),
        ({ name, zone }, ms) => {
          const told = new Intl.DateTimeFormat("sv-SE", {
            timeZone: name,
            dateStyle: "short",
            timeStyle: "medium",
          }).format(ms);
          expect(`${zone.dayOf(epochMs(ms))} ${zone.clockOf(epochMs(ms))}`).toBe(told);
        },
      ),
      { numRuns: 2000 },
    );
    const nearChange = Date.parse("1999-10-31T02:31:00Z");
    const [stJohns] = zones;
    const clocks = [-1000, 0].map((ms) => stJohns?.zone.clockOf(epochMs(nearChange + ms)));
    expect(clocks).toEqual(["00:00:59", "23:01:00"]);
  });

  test("never goes back to a day that has ended, and has every day between", () => {
    fc.assert(
      fc.property(
        moment,
        fc.nat(40 * DAY_MS),
        fc.constantFrom(shanghai, newYork, zoneOf("UTC"), zoneOf("Europe/Lisbon")),
        (at, ms, zone) => {
          const [before, after] = [zone.dayOf(at), zone.dayOf(epochMs(at + ms))];
          expect(isDay(before)).toBe(true);
          expect(daysBetween(before, after)).toBeGreaterThanOrEqual(Math.floor(ms / DAY_MS) - 1);
          expect(daysBetween(before, after)).toBeLessThanOrEqual(Math.ceil(ms / DAY_MS) + 1);
          if (after !== before) expect(after > before).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("with a name that nobody knows is an error", () => {
    expect(() => zoneOf("Mars/Olympus")).toThrow(RangeError);
  });
});

describe("days and months", () => {
  test("are counted by the calendar, whatever clocks do", () => {
    expect(daysBetween("2026-03-07" as Day, "2026-03-09" as Day)).toBe(2);
    expect(daysBetween("2026-10-31" as Day, "2026-11-02" as Day)).toBe(2);
    expect(daysBetween("2026-01-05" as Day, "2025-12-31" as Day)).toBe(-5);
    expect(addDays("2024-02-28" as Day, 2)).toBe("2024-03-01");
    expect(monthsBetween("2025-12" as Month, "2026-02" as Month)).toBe(2);
    expect(monthsBetween("2026-02" as Month, "2025-12" as Month)).toBe(-2);
    expect(monthOf("2026-01-31" as Day)).toBe("2026-01");
    expect(["2024-02", "2026-02", "2025-12"].map((month) => lastDayOf(month as Month))).toEqual([
      "2024-02-29",
      "2026-02-28",
      "2025-12-31",
    ]);
  });

  test("add up", () => {
    fc.assert(
      fc.property(day, fc.integer({ min: -5000, max: 5000 }), (from, days) => {
        const to = addDays(from, days);
        expect(isDay(to)).toBe(true);
        expect(daysBetween(from, to)).toBe(days);
        expect(addDays(to, -days)).toBe(from);
      }),
    );
  });

  test("are told from other texts", () => {
    expect(["2026-01-05", "2024-02-29"].every(isDay)).toBe(true);
    expect(
      ["2026-02-29", "2026-01-05T10:00:00Z", "2026-01", " 2026-01-05", "2026-01-05\n", ""].some(isDay),
    ).toBe(false);
    expect(["2026-01", "2026-12"].every(isMonth)).toBe(true);
    expect(["2026-00", "2026-13", "2026-1", "2026-01-05", "2026-01\n", ""].some(isMonth)).toBe(false);
  });
});
