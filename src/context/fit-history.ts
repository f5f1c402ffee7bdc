/**
 * The recent conversation, filled by tokens: the newest messages, whole where the budget holds them.
 * Where it does not, long ones are shortened before any is left out: first what tools and documents
 * say, then the agent, last people; older before newer. Then the oldest go, but some stay in any case;
 * where not even those fit, each is cut to its share of the budget.
 */
import type { FiledMessage, Message } from "../model/message.js";
import type { Settings } from "../model/settings.js";
import { minuteOf, type Zone } from "../model/time.js";
import { type WindowSummary, windowText } from "../protocol/window-file.js";
import { estimateTokens, tokenPrefixLength } from "../text/tokens.js";
import { afterWindow, LARGEST_SHARE } from "./compaction.js";
import {
  entriesOf,
  type Entry,
  type RenderedEntry,
  renderEnds,
  renderEntry,
  renderWithin,
} from "./entries.js";
import { costOfLines, counted, dropFirstLines, type Fitted, NEWLINE_TOKENS } from "./fit.js";
import type { ContextInputs } from "./inputs.js";
import { type Part, plain, said } from "./quote.js";
import type { Steps } from "../model/steps.js";

/** Seed 000. */
const SHORT_CHARS = 500;

export interface FittedMessages extends Fitted {
  /** What stands in the prompt, oldest first. */
  shown: RenderedEntry[];
}

export function* fitHistory(
  messages: readonly FiledMessage[],
  settings: Settings["context"],
  zone: Zone,
  budgetTokens: number,
): Steps<FittedMessages> {
  const entries = entriesOf(messages, zone, wholeWithin(budgetTokens));
  const most = settings.history_max_messages;
  const least = Math.min(settings.history_min_messages, most);
  const candidates = newest(entries, most, least);
  for (const entry of candidates) {
    yield* entry.prepare();
    yield;
  }
  const fitting = withoutOldest(shortened(candidates, budgetTokens), least, budgetTokens);
  const isRoom = costOf(fitting) <= budgetTokens;
  const shown = isRoom ? fitting.map(({ rendered }) => rendered) : squeezed(fitting, budgetTokens);
  const tooSmall = "context.history_tokens is too small for the messages that it must show.";
  return {
    shown,
    body: shown.map((entry) => entry.text).join("\n"),
    cuts: cutsIn(shown, entries),
    warnings: shown.length < fitting.length ? [tooSmall] : [],
  };
}

function cutsIn(shown: readonly RenderedEntry[], entries: readonly Entry[]): string[] {
  const cutCount = shown.filter((entry) => entry.cut).length;
  const olderCount = messagesIn(entries) - messagesIn(shown);
  return [
    ...(olderCount > 0 ? [`${counted(olderCount, "older message")} not shown`] : []),
    ...(cutCount > 0 ? [`${counted(cutCount, "message")} shortened`] : []),
  ];
}

/** A text that alone is more than the budget is never whole, however long it is: no more of it need be looked at. */
function wholeWithin(budgetTokens: number): (message: Message) => number {
  return ({ text }) => (tokenPrefixLength(text, budgetTokens) < text.length ? SHORT_CHARS : Infinity);
}

/** Entries from the end, of at most so many messages, oldest first; what no limit divides may be more where it is the least. */
function newest(entries: readonly Entry[], most: number, least: number): Entry[] {
  const taken: Entry[] = [];
  let count = 0;
  for (const entry of entries.toReversed()) {
    if (count >= least && count + entry.ids.length > most) break;
    taken.unshift(entry);
    count += entry.ids.length;
  }
  return taken;
}

interface Placed {
  entry: Entry;
  rendered: RenderedEntry;
  tokens: number;
}

/** Whose words give way to whose. */
const TURNS = ["record", "agent", "person"] as const;

/** No more of them than it takes, so far as that is enough. */
function shortened(entries: readonly Entry[], budgetTokens: number): Placed[] {
  const placed = entries.map((entry) => placedAs(entry, renderEntry(entry)));
  let tokens = costOf(placed);
  for (const turn of TURNS.keys()) {
    for (const [index, { entry, tokens: before }] of placed.entries()) {
      if (tokens <= budgetTokens) return placed;
      const charsOf = (part: Part): number =>
        TURNS.indexOf(turnOf(part, entry)) <= turn ? SHORT_CHARS : Infinity;
      const next = placedAs(entry, renderEntry(entry, { charsOf }));
      placed[index] = next;
      tokens += next.tokens - before;
    }
  }
  return placed;
}

function turnOf({ voice }: Part, { agentSide }: Entry): (typeof TURNS)[number] {
  if (voice === "quoted") return "record";
  return agentSide ? "agent" : "person";
}

function withoutOldest(placed: readonly Placed[], least: number, budgetTokens: number): Placed[] {
  const left = [...placed];
  let count = messagesIn(left.map(({ entry }) => entry));
  for (let [oldest] = left; oldest !== undefined && costOf(left) > budgetTokens; [oldest] = left) {
    count -= oldest.entry.ids.length;
    if (count < least) break;
    left.shift();
  }
  return left;
}

/** To its share of the budget: what the agent said and did before what people said. */
function squeezed(placed: readonly Placed[], budgetTokens: number): RenderedEntry[] {
  const entries = placed.map(({ entry }) => entry);
  const share = budgetTokens / entries.length - NEWLINE_TOKENS;
  const short = { charsOf: () => SHORT_CHARS };
  const agentCut = entries.map((entry) =>
    entry.agentSide ? renderWithin(entry, share, short) : renderEntry(entry, short),
  );
  const kept = agentCut.filter((entry) => entry !== undefined);
  if (kept.length === entries.length && costOfLines(kept.map((entry) => entry.text)) <= budgetTokens)
    return kept;
  return entries.map((entry) => renderWithin(entry, share, short)).filter((entry) => entry !== undefined);
}

function placedAs(entry: Entry, rendered: RenderedEntry): Placed {
  return { entry, rendered, tokens: costOfLines([rendered.text]) };
}

function costOf(placed: readonly Placed[]): number {
  return placed.reduce((sum, { tokens }) => sum + tokens, 0);
}

function messagesIn(entries: readonly Pick<RenderedEntry, "ids">[]): number {
  return entries.reduce((sum, { ids }) => sum + ids.length, 0);
}

/** The History section: a few of the newest messages (`lean`), or a window with a summary of what came before it (`full`). */
export function fitConversation(
  messages: readonly FiledMessage[],
  { settings, zone, window, topics }: Pick<ContextInputs, "settings" | "zone" | "window" | "topics">,
  budgetTokens: number,
): Steps<FittedMessages> {
  // What no longer stands there is in a topic.
  if (topics !== undefined) return fitWindow(messages, undefined, zone, budgetTokens);
  switch (settings.profile) {
    case "lean":
      return fitHistory(messages, settings, zone, budgetTokens);
    case "full":
      return fitWindow(messages, window, zone, budgetTokens);
    default:
      return settings.profile satisfies never;
  }
}

/**
 * The conversation as a window: its newest messages whole, before them the rolling summary of the older ones.
 * The budget is a ceiling, which compaction keeps it well below; until then the oldest are not shown.
 */
export function* fitWindow(
  messages: readonly FiledMessage[],
  summary: WindowSummary | undefined,
  zone: Zone,
  budgetTokens: number,
): Steps<FittedMessages> {
  const largest = Math.floor(budgetTokens * LARGEST_SHARE);
  const before = summary === undefined ? "" : summaryOf(summary, zone, largest);
  const entries = entriesOf(afterWindow(messages, summary?.through), zone, Infinity);
  const shown: RenderedEntry[] = [];
  let left = budgetTokens - (before === "" ? 0 : estimateTokens(before) + NEWLINE_TOKENS);
  for (const entry of entries.toReversed()) {
    yield* entry.prepare();
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
    yield;
  }
  const until = summary === undefined ? [] : [`summarised until ${minuteOf(summary.through.at, zone)}`];
  const tooSmall = "context.full_history_tokens is too small for any of the conversation.";
  return {
    shown,
    body: [before, ...shown.map(({ text }) => text)].filter((text) => text !== "").join("\n"),
    cuts: [...until, ...cutsIn(shown, entries)],
    warnings: shown.length === 0 && entries.length > 0 ? [tooSmall] : [],
  };
}

function summaryOf(summary: WindowSummary, zone: Zone, budgetTokens: number): string {
  const head = `Summary of what was said until ${minuteOf(summary.through.at, zone)}`;
  const room = budgetTokens - estimateTokens(head) - 2 * NEWLINE_TOKENS;
  const lines = dropFirstLines(plain(windowText(summary)), room, "memory/window");
  return lines.body === "" ? "" : said(head, `${lines.body}\n`.trimEnd());
}
