/**
 * One random walk: hosts say and revise, memd looks and passes, days go by,
 * and the clock, the zone and the process do what they should not.
 */
import { DAY, dayIn, HOUR, SECOND, YEAR, ZONES } from "./calendar.js";
import type { Written } from "./expected.js";
import type { Mood } from "./model-witness.js";
import { diceOf, type Dice } from "./random.js";
import { Scene, type Mishap } from "./scene.js";

export interface Walked {
  steps: number;
  jumps: number;
  zones: number;
  deaths: number;
  calls: number;
  messages: number;
  /** In words, with the seed and the last steps. */
  broken: string[];
}

/** Nights and month ends at which a walk likes to begin, and where the clock likes to be set to. */
const EDGES = [
  "2026-01-31T23:59:50Z",
  "2026-02-28T23:59:50Z",
  "2024-02-28T23:59:50Z",
  "2024-02-29T23:59:50Z",
  "2025-12-31T23:59:50Z",
  "2025-03-30T00:59:50Z",
  "2025-10-26T00:59:50Z",
  "2026-03-08T06:59:50Z",
  "2025-11-02T05:59:50Z",
  "2025-04-05T14:59:50Z",
  "2025-10-04T15:29:50Z",
  "2018-11-04T02:59:50Z",
  "2018-02-18T01:59:50Z",
  "2011-12-30T09:59:50Z",
  "2026-06-15T12:00:00Z",
].map((text) => Date.parse(text));
const EARLIEST = Date.parse("1990-01-01T00:00:00Z");
const LATEST = Date.parse("2090-01-01T00:00:00Z");
const MOODS: readonly Mood[] = ["good", "good", "good", "bad", "busy"];

export async function walk(seed: number, steps: number): Promise<Walked> {
  const dice = diceOf(seed);
  const now = dice.pick(EDGES) + dice.int(20) * SECOND;
  // Small limits, so that messages leave history.json too.
  const kept = { keep_newest_messages: 8, keep_today_messages: 12 };
  const history = { soft_limit_messages: 25, hard_limit_messages: 40, ...kept };
  const scene = new Scene({ now, zone: dice.pick(ZONES), settings: { history } });
  const walked = { steps: 0, jumps: 0, zones: 0, deaths: 0 };
  const trail: string[] = [];
  let said = 0;
  const mishaps = (): Mishap[] => mishapsOf(dice, walked);
  const step = async (): Promise<string> => {
    switch (dice.pick(KINDS)) {
      case "say":
        await scene.say(message(dice, `m${said++}`, scene.now));
        return "say";
      case "revise":
        return revise(dice, scene);
      case "drop":
        await scene.drop();
        return "drop";
      case "empty inbox":
        await scene.emptyInbox();
        return "empty inbox";
      case "look":
        await scene.look(mishaps());
        return "look";
      case "pass":
        await scene.pass(() => dice.pick(MOODS), dice.chance(0.15), mishaps());
        return "pass";
      case "jump":
        walked.jumps++;
        scene.setClock(jumped(dice, scene.now));
        return "jump";
      case "days":
        scene.setClock(within(scene.now + dice.int(12 * 24) * HOUR));
        return "days";
      case "prune":
        await scene.prune();
        return "prune";
      case "restart":
        await scene.open(scene.zone, mishaps());
        return "restart";
      case "zone":
        walked.zones++;
        await scene.open(dice.pick(ZONES));
        return "zone";
    }
  };
  try {
    await scene.open();
    while (walked.steps < steps && scene.expected.broken.size === 0) {
      walked.steps++;
      trail.push(`${await step()} → ${dayIn("UTC", scene.now)} ${scene.zone}`);
    }
  } catch (error) {
    scene.expected.break(
      `memd threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }
  const context = `walk ${seed}, step ${walked.steps} (${trail.slice(-4).join(", ")})`;
  return {
    ...walked,
    calls: scene.model.calls,
    messages: scene.expected.messages,
    broken: [...scene.expected.broken].map((what) => `${context}: ${what}`),
  };
}

type Kind =
  | "say"
  | "revise"
  | "drop"
  | "empty inbox"
  | "look"
  | "pass"
  | "jump"
  | "days"
  | "prune"
  | "restart"
  | "zone";

const WEIGHTS: Readonly<Record<Kind, number>> = {
  say: 5,
  revise: 2,
  drop: 1,
  "empty inbox": 1,
  look: 2,
  pass: 4,
  jump: 2,
  days: 2,
  prune: 1,
  restart: 1,
  zone: 1,
};
const KINDS = Object.entries(WEIGHTS).flatMap(([kind, weight]) => Array<Kind>(weight).fill(kind as Kind));

/** Of now, of long ago, of the future, of no time at all. */
function message(dice: Dice, id: string, now: number): Written {
  const scope = dice.chance(0.25) ? "group:x" : "main";
  const at = (said: number): Written => ({ id, scope, createdAt: new Date(said).toISOString(), said });
  switch (dice.int(8)) {
    case 0:
      return { id, scope };
    case 1:
      return { id, scope, createdAt: "yesterday evening" };
    case 2:
      return at(now + dice.int(23) * HOUR);
    case 3:
      return at(within(now + (1 + dice.int(4000)) * DAY));
    case 4:
      return at(now - dice.int(400) * DAY);
    case 5:
      return at(now - dice.int(12) * DAY);
    default:
      return at(now - dice.int(600) * SECOND);
  }
}

async function revise(dice: Dice, scene: Scene): Promise<string> {
  const list = scene.history();
  if (list.length === 0) return "revise nothing";
  const raw = dice.pick(list);
  const id = String(raw["id"]);
  // A streamed answer grows; now and then its host goes back to what it said first.
  const text = dice.chance(0.15) ? `${id}.v1 ${id}` : `${id}.v${2 + dice.int(1e6)} ${id}`;
  await scene.revise(id, text);
  return `revise ${id}`;
}

/** In a third of the steps the clock is set while memd works, and mostly back again; rarely the process dies. */
function mishapsOf(dice: Dice, walked: { jumps: number; deaths: number }): Mishap[] {
  const mishaps: Mishap[] = [];
  if (dice.chance(0.33)) {
    const at = dice.int(dice.pick([10, 60, 200]));
    const byMs = leap(dice);
    mishaps.push({ at, clock: (now) => within(now + byMs) });
    walked.jumps++;
    if (dice.chance(0.6)) mishaps.push({ at: at + dice.int(60), clock: (now) => within(now - byMs) });
  }
  if (dice.chance(0.08)) {
    walked.deaths++;
    mishaps.push({ at: dice.int(dice.pick([10, 60, 200])), dies: true });
  }
  return mishaps;
}

function jumped(dice: Dice, now: number): number {
  return dice.chance(0.2) ? dice.pick(EDGES) : within(now + leap(dice));
}

function leap(dice: Dice): number {
  const sign = dice.chance(0.5) ? 1 : -1;
  switch (dice.int(5)) {
    case 0:
      return sign * 10 * YEAR;
    case 1:
      return sign * (1 + dice.int(90)) * DAY;
    case 2:
      return sign * (1 + dice.int(48)) * HOUR;
    case 3:
      return sign * (1 + dice.int(1000));
    default:
      return sign * (1 + dice.int(120)) * SECOND;
  }
}

function within(at: number): number {
  return Math.min(Math.max(at, EARLIEST), LATEST);
}
