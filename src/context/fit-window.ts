/**
 * The conversation as a window: its newest messages whole, and before them the
 * rolling summary of the older ones.
 *
 * The budget is a ceiling. Compaction (compaction.ts) keeps the window well
 * below it; where that has not happened yet, the oldest messages are not shown.
 */
import type { FiledMessage } from "../model/message.js";
import { minuteOf, type Zone } from "../model/time.js";
import { windowText, type WindowSummary } from "../protocol/window-file.js";
import { estimateTokens } from "../text/tokens.js";
import { afterWindow, LARGEST_SHARE } from "./compaction.js";
import { entriesOf, renderEnds, renderEntry, renderWithin, type RenderedEntry } from "./entries.js";
import { counted, NEWLINE_TOKENS } from "./fit.js";
import type { FittedMessages } from "./fit-history.js";
import { dropFirstLines } from "./fit-text.js";
import { plain, said } from "./quote.js";

export function fitWindow(
  messages: readonly FiledMessage[],
  summary: WindowSummary | undefined,
  zone: Zone,
  budgetTokens: number,
): FittedMessages {
  const largest = Math.floor(budgetTokens * LARGEST_SHARE);
  const before = summary === undefined ? "" : summaryOf(summary, zone, largest);
  const entries = entriesOf(afterWindow(messages, summary?.through), zone, Infinity);
  const shown: RenderedEntry[] = [];
  let left = budgetTokens - (before === "" ? 0 : estimateTokens(before) + NEWLINE_TOKENS);
  for (const entry of entries.toReversed()) {
    const whole = renderEntry(entry);
    const rendered = estimateTokens(whole.text) <= largest ? whole : renderEnds(entry, largest);
    const cost = estimateTokens(rendered.text) + NEWLINE_TOKENS;
    if (cost > left) {
      const least = shown.length === 0 ? renderWithin(entry, left - NEWLINE_TOKENS) : undefined;
      if (least !== undefined) shown.unshift(least);
      break;
    }
    left -= cost;
    shown.unshift(rendered);
  }
  const cutCount = shown.filter((entry) => entry.cut).length;
  const olderCount = idsIn(entries) - idsIn(shown);
  return {
    shown,
    body: [before, ...shown.map(({ text }) => text)].filter((text) => text !== "").join("\n"),
    cuts: [
      ...(summary === undefined ? [] : [`summarised until ${minuteOf(summary.through.at, zone)}`]),
      ...(olderCount > 0 ? [`${counted(olderCount, "older message")} not shown`] : []),
      ...(cutCount > 0 ? [`${counted(cutCount, "message")} shortened`] : []),
    ],
    warnings:
      shown.length === 0 && entries.length > 0
        ? ["context.full_history_tokens is too small for any of the conversation."]
        : [],
  };
}

function summaryOf(summary: WindowSummary, zone: Zone, budgetTokens: number): string {
  const head = `Summary of what was said until ${minuteOf(summary.through.at, zone)}`;
  const room = budgetTokens - estimateTokens(head) - 2 * NEWLINE_TOKENS;
  const lines = dropFirstLines(plain(windowText(summary)), room, "memory/window");
  return lines.body === "" ? "" : said(head, `${lines.body}\n`.trimEnd());
}

function idsIn(entries: readonly { ids: readonly unknown[] }[]): number {
  return entries.reduce((sum, entry) => sum + entry.ids.length, 0);
}
