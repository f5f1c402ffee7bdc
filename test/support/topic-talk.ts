/** A conversation about several matters that share no words but the small ones. */
import { said } from "./archive-desk.js";

const MATTERS = {
  ferry: [
    "ferry",
    "harbour",
    "Naxos",
    "ticket",
    "cabin",
    "crossing",
    "captain",
    "deck",
    "timetable",
    "island",
  ],
  tea: ["oolong", "teapot", "leaves", "brewing", "Wuyi", "roast", "cup", "kettle", "steeping", "aroma"],
  python: [
    "pytest",
    "fixture",
    "decorator",
    "generator",
    "asyncio",
    "typing",
    "module",
    "lint",
    "wheel",
    "venv",
  ],
  渡船: ["渡船", "码头", "船票", "航线", "海岛", "船长", "时刻表", "甲板", "客舱", "出海"],
} as const;
export type Matter = keyof typeof MATTERS;

const MINUTE_MS = 60_000;

/** `count` messages of a matter, a question and an answer in turn; ids `ferry-0`, … */
export function talkOf(
  matter: Matter,
  count: number,
  startsAt: string,
  fields: Record<string, unknown> = {},
): Record<string, unknown>[] {
  const words = MATTERS[matter];
  const word = (at: number): string => words[at % words.length] ?? "";
  return Array.from({ length: count }, (_each, at) => {
    const isAnswer = at % 2 === 1;
    const text = isAnswer
      ? `The ${word(at)} goes with the ${word(at + 3)} and the ${word(at + 7)}, number ${at} of ${word(at + 5)}.`
      : `What of the ${word(at)}, the ${word(at + 2)} and the ${word(at + 4)}, after the ${word(at + 6)}, number ${at}?`;
    const when = new Date(Date.parse(startsAt) + at * MINUTE_MS).toISOString();
    return said(`${matter}-${at}`, when, text, { role: isAnswer ? "agent" : "user", ...fields });
  });
}
