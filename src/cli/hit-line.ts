/** What was found for a program, a thing a line: `path:line  score  date  text`; what no longer holds says so. Pure. */
import type { Found } from "../model/found.js";
import type { Hit } from "../model/passage.js";
import { excerptOf, onOneLine } from "../service/excerpt.js";
import type { Marked } from "../service/operations/shapes.js";

/** In characters, of the text. */
const WIDTH = 160;

export function hitLine(found: Found & Marked, width = WIDTH): string {
  const { source, original = source, score, date, text, marks = [] } = found;
  const past = pastOf(found);
  const said = `${past === undefined ? "" : `(${past}) `}${excerptOf(text, marks, width)}`;
  return [original, ...(score === undefined ? [] : [score.toFixed(2)]), date, said].join("  ");
}

/** Why it no longer holds; undefined where it does. */
export function pastOf({ standing, overtakenOn }: Found): string | undefined {
  return standing ?? (overtakenOn === undefined ? undefined : `overtaken ${overtakenOn}`);
}

/** Its words where they are others, and the messages that it comes from, on one line; undefined where neither is known. */
export function sourcesLine({ messageIds, said }: Pick<Found, "messageIds" | "said">): string | undefined {
  const words = said === undefined ? [] : [`said “${onOneLine(said)}”`];
  const from = messageIds.length === 0 ? [] : [`from ${messageIds.map((id) => onOneLine(id)).join(", ")}`];
  const told = [...words, ...from].join(" · ");
  return told === "" ? undefined : told;
}

/** The parts of its score on one line: what was summed, what multiplied it (×), what was added (+); undefined where they are not told. */
export function scoreLine({ score, parts }: Partial<Pick<Hit, "score" | "parts">>): string | undefined {
  if (score === undefined || parts === undefined) return undefined;
  const shown = Object.entries(parts).flatMap(([name, value]) => {
    const sign = MULTIPLIED.has(name) ? "×" : ADDED.has(name) ? "+" : "";
    return Math.abs(value) < LEAST_SHOWN ? [] : [`${NAMES[name] ?? name} ${sign}${value.toFixed(2)}`];
  });
  return `${shown.join(" · ")} → ${score.toFixed(2)}`;
}

const LEAST_SHOWN = 0.005;
const MULTIPLIED: ReadonlySet<string> = new Set(["speaker", "agent", "asked", "tellsTime", "recency"]);
const ADDED: ReadonlySet<string> = new Set(["neighbours", "vector", "session", "date", "later"]);
const NAMES: Readonly<Record<string, string>> = {
  tellsTime: "tells a time",
  agent: "said by the agent",
  asked: "a question",
};
