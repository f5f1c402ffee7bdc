/**
 * Which messages leave the window for its summary, when, and what the summary says. Pure. Nothing is
 * folded before the window is well filled; then all but the newest part of it is. A tool's call and
 * its result stay on the same side, and at least one message stays. Source: seed 004.
 */
import { callIdsOf, type FiledMessage, type MessageId } from "../model/message.js";
import type { Settings } from "../model/settings.js";
import type { Day, Zone } from "../model/time.js";
import { windowBody, type WindowSummary } from "../protocol/window-file.js";
import { estimateTokens, IMAGE_TOKENS } from "../text/tokens.js";
import { entriesOf, renderEntry } from "./entries.js";

/** Of the window, what one message may take: beyond it stand its beginning and its end. */
export const LARGEST_SHARE = 1 / 4;

/** A window that is folded for want of room in history.json keeps so many messages. */
const LEAST_KEPT = 20;

export interface Compaction {
  /** Oldest first; without private ones, which no model sees. */
  fold: FiledMessage[];
  /** The last message that the new summary stands for. */
  through: { id: MessageId; at: FiledMessage["filedAt"] };
}

/** Messages that the summary does not stand for. */
export function afterWindow(
  messages: readonly FiledMessage[],
  through: WindowSummary["through"] | undefined,
): readonly FiledMessage[] {
  if (through === undefined) return messages;
  const at = messages.findLastIndex(({ message }) => message.id === through.id);
  // It may have left history.json by now.
  return at === -1 ? messages.filter(({ filedAt }) => filedAt > through.at) : messages.slice(at + 1);
}

/**
 * Undefined while there is nothing to drop. `messages`: all of the conversation
 * that history.json holds; `isLeaving`: whether it is about to let go of a message,
 * which would then be in neither window nor summary.
 */
export function planCompaction(
  messages: readonly FiledMessage[],
  summary: WindowSummary | undefined,
  settings: Settings["context"],
  zone: Zone,
  isLeaving: (oldest: FiledMessage) => boolean = () => false,
): Compaction | undefined {
  const window = afterWindow(messages, summary?.through);
  const largest = settings.full_history_tokens * LARGEST_SHARE;
  const costs = window.map((filed) => Math.min(largest, costOf(filed, zone)));
  const total = costs.reduce((sum, cost) => sum + cost, estimateTokens(summary?.body ?? ""));
  const [oldest] = window;
  const isLong = oldest !== undefined && window.length > 2 * LEAST_KEPT && isLeaving(oldest);
  if (total < settings.compact_at_tokens && !isLong) return undefined;
  const most = isLong ? Math.floor(window.length / 2) : Infinity;
  const from = keptFrom(window, costs, settings.compact_to_tokens, most);
  const last = window[from - 1];
  if (last === undefined) return undefined;
  const fold = window.slice(0, from).filter(({ message }) => message.private !== true);
  return { fold, through: { id: last.message.id, at: last.filedAt } };
}

/** What stays begins here: as much as `keepTokens` allow, at a place where no call is cut off from its result. */
function keptFrom(
  window: readonly FiledMessage[],
  costs: readonly number[],
  keepTokens: number,
  keepMessages: number,
): number {
  const clean = cleanCuts(window);
  let tokens = 0;
  let best = 0;
  for (let from = window.length - 1; from > 0; from--) {
    tokens += costs[from] ?? 0;
    if (!clean.has(from)) continue;
    // The latest place counts whatever it keeps: something has to go.
    if (best !== 0 && (tokens > keepTokens || window.length - from > keepMessages)) break;
    best = from;
  }
  return best;
}

/** Places between two messages that no call and result stand across. */
function cleanCuts(window: readonly FiledMessage[]): ReadonlySet<number> {
  const ends = new Map<string, number>();
  for (const [index, { message }] of window.entries())
    for (const callId of callIdsOf(message)) ends.set(callId, index);
  const clean = new Set<number>();
  let reach = -1;
  for (const [index, { message }] of window.entries()) {
    if (index > reach) clean.add(index);
    for (const callId of callIdsOf(message)) reach = Math.max(reach, ends.get(callId) ?? index);
  }
  return clean;
}

/** A message is filed once for each reading of its file, and looked at in every tick. */
const known = new WeakMap<FiledMessage, number>();

/** As it stands in the prompt, and what its pictures cost the model. */
function costOf(filed: FiledMessage, zone: Zone): number {
  const before = known.get(filed);
  if (before !== undefined) return before;
  const attachments = filed.message.attachments ?? [];
  const pictures = attachments.map(({ kind, tokens }) => tokens ?? (kind === "image" ? IMAGE_TOKENS : 0));
  const texts = entriesOf([filed], zone, Infinity).map((entry) => estimateTokens(renderEntry(entry).text));
  const cost = [...pictures, ...texts].reduce((sum, tokens) => sum + tokens, 0);
  known.set(filed, cost);
  return cost;
}

/** Of what stays of the conversation, so much may be its summary. */
const SHARE = 1 / 4;
/** Beyond so many, days are counted by month: the head stays short for years. */
const MOST_DAYS = 60;

/** Lines of `kept` stay whatever the budget says. */
export function rolledBody(text: string, date: Day, settings: Settings["context"], kept: string): string {
  const stays = new Set(kept.split("\n").map((line) => line.trim()));
  let over = estimateTokens(text) - settings.compact_to_tokens * SHARE;
  // The oldest notes stand first, and what they say is in memory/ word for word.
  const lines = text.trim().split("\n");
  const left = lines.filter((line) => {
    if (over <= 0 || stays.has(line.trim())) return true;
    over -= estimateTokens(`${line}\n`);
    return false;
  });
  return windowBody(date, left.join("\n"));
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
