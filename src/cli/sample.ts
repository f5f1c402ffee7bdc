/** The sample conversation of `memd init --sample`: four months, dated back from today so that it falls into all three tiers. */
import * as z from "zod";
import { MemdError } from "../model/errors.js";
import { addDays, type Day, DAY_MS, type EpochMs, epochMs, isoOf, type Zone, zoneOf } from "../model/time.js";
import { nodeDisk } from "../platform/node-disk.js";
import { sampleFile } from "../platform/package-root.js";
import { readText } from "../protocol/publish.js";
import { FILES } from "../protocol/workspace.js";

const line = z.strictObject({
  /** Days from today, negative. */
  day: z.number().int().max(0),
  /** Local `HH:MM:SS`. */
  time: z.string().regex(/^\d{2}:\d{2}:\d{2}$/),
  role: z.enum(["user", "agent", "tool"]),
  speaker: z.string().optional(),
  session: z.string().optional(),
  text: z.string(),
  tool: z.looseObject({ name: z.string(), callId: z.string() }).optional(),
});

/** What waits for an answer when the sample starts: it asks for things said months ago. */
const WAITING =
  "Good morning, Mo! 陈涛 is adding the fourth node for the north line and asks two things I can't answer from memory: why did we leave SQLite for Postgres, and why is the deploy limit 900 seconds? Short answer first, please.";

/** Texts by the names of their files. */
export async function sampleFiles(now: EpochMs): Promise<Record<string, string>> {
  const zone = zoneOf(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  const today = zone.dayOf(now);
  const history = (await readSample("conversation.jsonl"))
    .split("\n")
    .filter((raw) => raw !== "")
    .map((raw, index) => {
      const { day, time, text: said, ...rest } = line.parse(JSON.parse(raw));
      const createdAt = isoOf(instantOf(addDays(today, day), time, zone));
      return {
        id: `sample-${String(index + 1).padStart(3, "0")}`,
        ...rest,
        text: withDates(said, today),
        createdAt,
      };
    });
  const asking = { id: "sample-question", role: "user", speaker: "Lin Yue", text: WAITING };
  const printed = (list: unknown): string => `${JSON.stringify(list, null, 2)}\n`;
  return {
    [FILES.history]: printed(history),
    [FILES.inbox]: printed([{ ...asking, createdAt: isoOf(now) }]),
    [FILES.memory]: await readSample("memory.md"),
  };
}

async function readSample(name: Parameters<typeof sampleFile>[0]): Promise<string> {
  const text = await readText(nodeDisk, sampleFile(name));
  if (text === undefined) throw new MemdError("input_missing", `There is no ${sampleFile(name)}.`);
  return text;
}

function withDates(text: string, today: Day): string {
  return text.replace(/\{\{date:(-?\d+)\}\}/g, (_all, days: string) => addDays(today, Number(days)));
}

/** The instant at which the zone's clock shows this; at a changed clock, the nearest one. */
function instantOf(day: Day, time: string, zone: Zone): EpochMs {
  const guess = Date.parse(`${day}T${time}Z`);
  const shown = (at: number): number =>
    Date.parse(`${zone.dayOf(epochMs(at))}T${zone.clockOf(epochMs(at))}Z`);
  const first = guess - (shown(guess) - guess);
  const second = first - (shown(first) - guess);
  return epochMs(Math.abs(second - guess) < DAY_MS ? second : first);
}
