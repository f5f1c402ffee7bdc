/** The body and the sources of a rolling summary. Pure. */
import type { FiledMessage } from "../model/message.js";
import type { Settings } from "../model/settings.js";
import type { Day, Zone } from "../model/time.js";
import { windowBody, type WindowSummary } from "../protocol/window-file.js";
import { estimateTokens } from "../text/tokens.js";

/** Of what stays of the conversation, so much may be its summary. */
const SHARE = 1 / 4;
/** Beyond so many, days are counted by month: the head stays short for years. */
const MOST_DAYS = 60;

/** Lines of `kept` stay whatever the budget says. */
export function rolledBody(text: string, date: Day, settings: Settings["context"], kept: string): string {
  const stays = new Set(kept.split("\n").map((line) => line.trim()));
  let over = estimateTokens(text) - settings.compact_to_tokens * SHARE;
  // The oldest notes stand first, and what they say is in memory/ word for word.
  const lines = text
    .trim()
    .split("\n")
    .filter((line) => {
      if (over <= 0 || stays.has(line.trim())) return true;
      over -= estimateTokens(`${line}\n`);
      return false;
    });
  return windowBody(date, lines.join("\n"));
}

export function mergedCovers(
  before: WindowSummary["covers"],
  fold: readonly FiledMessage[],
  zone: Zone,
): WindowSummary["covers"] {
  const added = fold.map(({ filedAt }) => ({ date: zone.dayOf(filedAt), messages: 1 }));
  const all = [...summed([...before, ...added])].sort((one, other) => (one.date < other.date ? -1 : 1));
  if (all.length <= MOST_DAYS) return all;
  const old = all.slice(0, -MOST_DAYS).map(({ date, messages }) => ({ date: date.slice(0, 7), messages }));
  return [...summed(old), ...all.slice(-MOST_DAYS)];
}

function summed(covers: WindowSummary["covers"]): WindowSummary["covers"] {
  const counts = new Map<string, number>();
  for (const { date, messages } of covers) counts.set(date, (counts.get(date) ?? 0) + messages);
  return [...counts].map(([date, messages]) => ({ date, messages }));
}
