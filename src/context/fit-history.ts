/**
 * The recent conversation: newest first until the budget is near, but some in
 * any case. Where even those do not fit, each is cut to its share of the
 * budget, what the agent said and did before what people said.
 */
import type { FiledMessage } from "../model/message.js";
import type { Settings } from "../model/settings.js";
import type { Zone } from "../model/time.js";
import { estimateTokens } from "../text/tokens.js";
import { entriesOf, renderEntry, renderWithin, type Entry, type RenderedEntry } from "./entries.js";
import { costOfLines, counted, NEWLINE_TOKENS, type Fitted } from "./fit.js";

/** Seed 000. */
const MESSAGE_CHARS = 500;

export interface FittedMessages extends Fitted {
  /** What stands in the prompt, oldest first. */
  shown: RenderedEntry[];
}

export function fitHistory(
  messages: readonly FiledMessage[],
  settings: Settings["context"],
  zone: Zone,
  budgetTokens: number,
): FittedMessages {
  const entries = entriesOf(messages, zone, MESSAGE_CHARS);
  const taken = newest(entries, settings, budgetTokens);
  const shown = taken.fits
    ? taken.entries.map((entry) => renderEntry(entry))
    : squeezed(taken.entries, budgetTokens);
  const cutCount = shown.filter((entry) => entry.cut).length;
  const olderCount = messagesIn(entries) - shown.reduce((sum, entry) => sum + entry.ids.length, 0);
  return {
    shown,
    body: shown.map((entry) => entry.text).join("\n"),
    cuts: [
      ...(olderCount > 0 ? [`${counted(olderCount, "older message")} not shown`] : []),
      ...(cutCount > 0 ? [`${counted(cutCount, "message")} shortened`] : []),
    ],
    warnings:
      shown.length < taken.entries.length
        ? ["context.history_tokens is too small for the messages that it must show."]
        : [],
  };
}

/** Entries from the end, given back oldest first. They do not fit only where the least number alone does not. */
function newest(
  entries: readonly Entry[],
  settings: Settings["context"],
  budgetTokens: number,
): { entries: Entry[]; fits: boolean } {
  const most = settings.history_max_messages;
  const least = Math.min(settings.history_min_messages, most);
  const taken: Entry[] = [];
  let count = 0;
  let tokens = 0;
  for (const entry of entries.toReversed()) {
    const cost = estimateTokens(renderEntry(entry).text) + NEWLINE_TOKENS;
    const full = count + entry.ids.length > most || tokens + cost > budgetTokens;
    if (count >= least && full) break;
    taken.unshift(entry);
    count += entry.ids.length;
    tokens += cost;
  }
  return { entries: taken, fits: tokens <= budgetTokens };
}

function squeezed(entries: readonly Entry[], budgetTokens: number): RenderedEntry[] {
  const share = budgetTokens / entries.length - NEWLINE_TOKENS;
  const agentCut = entries.map((entry) =>
    entry.agentSide ? renderWithin(entry, share) : renderEntry(entry),
  );
  const kept = agentCut.filter((entry) => entry !== undefined);
  if (kept.length === entries.length && costOfLines(kept.map((entry) => entry.text)) <= budgetTokens)
    return kept;
  return entries.map((entry) => renderWithin(entry, share)).filter((entry) => entry !== undefined);
}

function messagesIn(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + entry.ids.length, 0);
}
