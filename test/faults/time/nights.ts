/** Named cases of zones: nights on which a clock is changed, days that were skipped, a zone that changes between two starts. */
import { DAY, HOUR, SECOND, ZONES } from "./calendar.js";
import type { Mood } from "./model-witness.js";
import { Scene } from "./scene.js";
import { standingOn } from "./standing.js";

type Case = () => Promise<readonly string[]>;

/** Both ends of the world, and its middle. */
const HOMES = ["Asia/Shanghai", "Pacific/Kiritimati", "America/New_York"] as const;

const good = (): Mood => "good";

async function said(scene: Scene, instants: readonly string[]): Promise<void> {
  for (const [n, text] of instants.entries()) {
    const at = Date.parse(text);
    await scene.say({ id: `m${n}`, scope: "main", createdAt: text, said: at });
  }
}

/** Says them all in a disorder, passes, and gives the days that there are with their messages. */
async function night(zone: string, instants: readonly string[]): Promise<{ scene: Scene; days: string }> {
  const scene = new Scene({ now: Date.parse(instants[0] ?? "") - HOUR, zone });
  await scene.open();
  await said(scene, instants);
  scene.setClock(Math.max(...instants.map((text) => Date.parse(text))) + SECOND);
  await scene.pass(good);
  const days = standingOn(scene.disk).days.map(
    ({ day, blocks }) => `${day}: ${blocks.map(({ filed }) => filed.message.id).join(" ")}`,
  );
  return { scene, days: days.join("; ") };
}

function nightCase(zone: string, instants: readonly string[], wanted: string): Case {
  return async () => {
    const { scene, days } = await night(zone, instants);
    // As much again six days later, when the days have grown old.
    scene.setClock(scene.now + 6 * DAY);
    await scene.pass(good);
    return [...scene.expected.broken, ...(days === wanted ? [] : [`the days are ${days}`])];
  };
}

export const NIGHTS: Readonly<Record<string, Case>> = {
  "Berlin in autumn: the hour that comes twice is in order": nightCase(
    "Europe/Berlin",
    [
      "2025-10-26T01:10:00Z",
      "2025-10-26T00:30:00Z",
      "2025-10-26T00:50:00Z",
      "2025-10-25T21:59:59Z",
      "2025-10-26T22:59:59Z",
      "2025-10-26T23:00:00Z",
    ],
    "2025-10-25: m3; 2025-10-26: m1 m2 m0 m4; 2025-10-27: m5",
  ),
  "Berlin in spring: a day of 23 hours": nightCase(
    "Europe/Berlin",
    [
      "2025-03-29T22:59:59Z",
      "2025-03-29T23:00:00Z",
      "2025-03-30T01:00:00Z",
      "2025-03-30T00:59:59Z",
      "2025-03-30T21:59:59Z",
      "2025-03-30T22:00:00Z",
    ],
    "2025-03-29: m0; 2025-03-30: m1 m3 m2 m4; 2025-03-31: m5",
  ),
  "New York in autumn": nightCase(
    "America/New_York",
    [
      "2025-11-02T03:59:59Z",
      "2025-11-02T04:00:00Z",
      "2025-11-02T06:30:00Z",
      "2025-11-02T05:30:00Z",
      "2025-11-03T04:59:59Z",
      "2025-11-03T05:00:00Z",
    ],
    "2025-11-01: m0; 2025-11-02: m1 m3 m2 m4; 2025-11-03: m5",
  ),
  "New York in spring": nightCase(
    "America/New_York",
    ["2026-03-08T04:59:59Z", "2026-03-08T05:00:00Z", "2026-03-09T03:59:59Z", "2026-03-09T04:00:00Z"],
    "2026-03-07: m0; 2026-03-08: m1 m2; 2026-03-09: m3",
  ),
  "Lord Howe: half an hour, both ways": nightCase(
    "Australia/Lord_Howe",
    [
      "2025-04-05T12:59:59Z",
      "2025-04-05T13:00:00Z",
      "2025-04-06T13:29:59Z",
      "2025-04-06T13:30:00Z",
      "2025-10-04T13:29:59Z",
      "2025-10-04T13:30:00Z",
      "2025-10-05T12:59:59Z",
      "2025-10-05T13:00:00Z",
    ],
    "2025-10-04: m4; 2025-10-05: m5 m6; 2025-10-06: m7; 2025-04-05: m0; 2025-04-06: m1 m2; 2025-04-07: m3",
  ),
  "São Paulo: the day that begins at one o'clock": nightCase(
    "America/Sao_Paulo",
    ["2018-11-04T02:59:59Z", "2018-11-04T03:00:00Z", "2018-11-05T01:59:59Z", "2018-11-05T02:00:00Z"],
    "2018-11-03: m0; 2018-11-04: m1 m2; 2018-11-05: m3",
  ),
  "São Paulo: the evening that comes twice": nightCase(
    "America/Sao_Paulo",
    ["2018-02-18T02:30:00Z", "2018-02-18T01:30:00Z", "2018-02-18T02:59:59Z", "2018-02-18T03:00:00Z"],
    "2018-02-17: m1 m0 m2; 2018-02-18: m3",
  ),
  "Apia: 30 December 2011 never was": nightCase(
    "Pacific/Apia",
    ["2011-12-30T09:59:59Z", "2011-12-30T10:00:00Z", "2011-12-31T09:59:59Z", "2011-12-31T10:00:00Z"],
    "2011-12-29: m0; 2011-12-31: m1 m2; 2012-01-01: m3",
  ),
  "Troll: two hours": nightCase(
    "Antarctica/Troll",
    [
      "2025-10-26T00:30:00Z",
      "2025-10-25T21:59:59Z",
      "2025-10-25T22:00:00Z",
      "2025-10-26T23:59:59Z",
      "2025-10-27T00:00:00Z",
    ],
    "2025-10-25: m1; 2025-10-26: m2 m0 m3; 2025-10-27: m4",
  ),
  "Casablanca: out of summer time for Ramadan": nightCase(
    "Africa/Casablanca",
    ["2025-02-22T22:59:59Z", "2025-02-22T23:00:00Z", "2025-02-23T23:59:59Z", "2025-02-24T00:00:00Z"],
    "2025-02-22: m0; 2025-02-23: m1 m2; 2025-02-24: m3",
  ),
  ...Object.fromEntries(
    HOMES.map((zone) => [`from ${zone} to every other zone and back, no message moves`, movesNothing(zone)]),
  ),
};

function movesNothing(home: string): Case {
  return async () => {
    const now = Date.parse("2026-01-31T23:30:00Z");
    const scene = new Scene({ now, zone: home });
    await scene.open();
    let n = 0;
    for (const zone of [home, ...ZONES.filter((other) => other !== home), home]) {
      await scene.open(zone);
      for (const ago of [n % 7, 45].map((days) => days * DAY + n * 7 * HOUR))
        await scene.say({
          id: `m${n++}`,
          scope: "main",
          createdAt: new Date(now - ago).toISOString(),
          said: now - ago,
        });
      // Some are journalled in one zone and get their block in the next.
      if (n % 6 === 0) await scene.pass(good);
      else await scene.look();
      await scene.revise("m0", `m0.v${n} m0`);
      scene.setClock(scene.now + HOUR);
    }
    await scene.pass(good);
    return [...scene.expected.broken];
  };
}
