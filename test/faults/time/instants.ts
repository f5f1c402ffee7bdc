/**
 * Nights that matter, each with a pass that the clock does not leave alone: at
 * every operation of the disk it steps over midnight, leaps ten years, or leaps
 * and comes back. Then the clock is right again, and everything must be too.
 */
import { DAY, HOUR, SECOND, YEAR } from "./calendar.js";
import { Scene, type Mishap } from "./scene.js";

export interface Instants {
  /** Passes that were disturbed. */
  runs: number;
  broken: string[];
}

interface Night {
  name: string;
  zone: string;
  /** Shortly before it turns. */
  now: string;
}

const NIGHTS: readonly Night[] = [
  { name: "31 January", zone: "Asia/Shanghai", now: "2026-01-31T15:59:50Z" },
  { name: "28 February", zone: "UTC", now: "2026-02-28T23:59:50Z" },
  { name: "28 February of a leap year", zone: "Asia/Kathmandu", now: "2024-02-28T18:14:50Z" },
  { name: "29 February", zone: "America/New_York", now: "2024-03-01T04:59:50Z" },
  { name: "31 December", zone: "Pacific/Kiritimati", now: "2025-12-31T09:59:50Z" },
  { name: "spring in Berlin", zone: "Europe/Berlin", now: "2025-03-30T00:59:50Z" },
  { name: "autumn in Berlin", zone: "Europe/Berlin", now: "2025-10-26T00:59:50Z" },
  { name: "autumn in New York", zone: "America/New_York", now: "2025-11-02T05:59:50Z" },
  { name: "half an hour on Lord Howe", zone: "Australia/Lord_Howe", now: "2025-04-05T14:59:50Z" },
  {
    name: "the night without a midnight in São Paulo",
    zone: "America/Sao_Paulo",
    now: "2018-11-04T02:59:50Z",
  },
  { name: "the second 23rd hour in São Paulo", zone: "America/Sao_Paulo", now: "2018-02-18T01:59:50Z" },
  { name: "the skipped day of Apia", zone: "Pacific/Apia", now: "2011-12-30T09:59:50Z" },
];

const leap = (at: number, byMs: number): Mishap => ({ at, clock: (now) => now + byMs });

const KINDS: Readonly<Record<string, (at: number) => Mishap[]>> = {
  "turns over": (at) => [leap(at, 20 * SECOND)],
  "steps back over it": (at) => [leap(0, 20 * SECOND), leap(at, -20 * SECOND)],
  "leaps ten years on": (at) => [leap(at, 10 * YEAR)],
  "leaps ten years back": (at) => [leap(at, -10 * YEAR)],
  "leaps on and back": (at) => [leap(at, 10 * YEAR), leap(at + 12, -10 * YEAR)],
  "leaps back and on": (at) => [leap(at, -10 * YEAR), leap(at + 12, 10 * YEAR)],
};

/** `stride`: every so manieth operation, of so many nights. */
export async function instants(stride: number, nights: number, offset: number): Promise<Instants> {
  const found: Instants = { runs: 0, broken: [] };
  let next = offset % stride;
  const begin = offset % NIGHTS.length;
  for (const night of [...NIGHTS.slice(begin), ...NIGHTS.slice(0, begin)].slice(0, nights)) {
    const { operations } = await disturbed(night, []);
    const disturbances = Object.entries(KINDS).flatMap(([kind, mishaps]) =>
      Array.from({ length: operations }, (_unused, at) => ({ kind, at, mishaps: mishaps(at) })),
    );
    for (; next < disturbances.length; next += stride) {
      const { kind, at, mishaps } = disturbances[next] as (typeof disturbances)[number];
      const { scene } = await disturbed(night, mishaps);
      found.runs++;
      for (const what of scene.expected.broken)
        found.broken.push(`${night.name}, the clock ${kind} at operation ${at}: ${what}`);
    }
    next -= disturbances.length;
  }
  return found;
}

async function disturbed(
  { zone, now: text }: Night,
  mishaps: readonly Mishap[],
): Promise<{ scene: Scene; operations: number }> {
  const now = Date.parse(text);
  const scene = new Scene({ now: now - 40 * DAY, zone });
  const say = (id: string, said: number): Promise<void> =>
    scene.say({ id, scope: "main", createdAt: new Date(said).toISOString(), said });
  await scene.open();
  await say("a1", now - 40 * DAY);
  await say("a2", now - 41 * DAY);
  await scene.pass(() => "good");
  scene.setClock(now);
  const days = [70, 40, 32, 31, 12, 6, 5, 1];
  for (const [index, ago] of days.entries()) await say(`b${index}`, now - ago * DAY);
  await say("c1", now - 5 * SECOND);
  await say("c2", now + 15 * SECOND);
  await say("c3", now + HOUR);
  await scene.say({ id: "c4", scope: "main" });
  await scene.revise("a1", "a1.v2 a1");
  await scene.pass(() => "good", false, mishaps);
  const { operations } = scene;
  scene.setClock(now + 2 * HOUR);
  await scene.pass(() => "good");
  await scene.open();
  await scene.pass(() => "good");
  return { scene, operations };
}
