/**
 * What waits for an answer: whole where it fits. Else every message gives its
 * head, the longest cut first; where there are too many for that, the first
 * that came. The section then says where the rest is.
 */
import type { FiledMessage } from "../model/message.js";
import { minuteOf, type EpochMs, type Zone } from "../model/time.js";
import { estimateTokens } from "../text/tokens.js";
import { entriesOf, renderEntry, type Entry, type RenderedEntry } from "./entries.js";
import { costOfLines, counted, largestFitting, NEWLINE_TOKENS } from "./fit.js";
import type { FittedMessages } from "./fit-history.js";
import type { Steps } from "../model/steps.js";

/** Below this a head says nothing; then fewer messages are shown. */
const LEAST_TOKENS = 40;

/** More characters than these a token are not looked at: prose has four, a partition of blanks has 64. */
const CHARS_PER_TOKEN = 16;

/** What the shortest message takes, with who said it and when. */
const LEAST_LINE_TOKENS = 8;

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

export function* fitInput(
  messages: readonly FiledMessage[],
  zone: Zone,
  now: EpochMs,
  budgetTokens: number,
): Steps<FittedMessages> {
  const most = Math.floor(budgetTokens / LEAST_LINE_TOKENS);
  const each = charsOfEach(messages.slice(0, most), CHARS_PER_TOKEN * budgetTokens);
  const entries = entriesOf(messages, zone, each);
  if (entries.length === 0) return { shown: [], body: "", cuts: [], warnings: [] };
  const intro = nowLine(zone, now);
  const room = budgetTokens - costOfLines([intro]);
  const whole: RenderedEntry[] = [];
  let leastTokens = 0;
  // Behind those that there is no room for, however short they are cut, none is shown either.
  for (const entry of entries.slice(0, most)) {
    if (leastTokens > room) break;
    yield* entry.prepare();
    whole.push(renderEntry(entry));
    leastTokens += costOfLines([renderEntry(entry, { tokens: LEAST_TOKENS }).text]);
    yield;
  }
  if (
    entries.length === whole.length &&
    costOfLines(whole.map((entry) => entry.text)) <= room &&
    !whole.some((entry) => entry.cut)
  ) {
    return {
      shown: whole,
      body: [intro, ...whole.map((entry) => entry.text)].join("\n"),
      cuts: [],
      warnings: [],
    };
  }
  const widest = notice(entries.length, entries.length);
  const shown = heads(entries.slice(0, whole.length), room - estimateTokens(widest) - NEWLINE_TOKENS);
  const cutCount = shown.filter((entry) => entry.cut).length;
  const restCount = entries.length - shown.length;
  const body = [intro, ...shown.map((entry) => entry.text), notice(cutCount, restCount)].join("\n");
  if (estimateTokens(body) > budgetTokens) {
    const warning = "context.input_tokens is too small for any of the input.";
    return { shown: [], body: "", cuts: ["all of it left out"], warnings: [warning] };
  }
  return {
    shown,
    body,
    cuts: [
      ...(cutCount > 0 ? [`${counted(cutCount, "message")} shortened`] : []),
      ...(restCount > 0 ? [`${counted(restCount, "message")} not shown`] : []),
    ],
    warnings: [],
  };
}

/** The longest are read less far, so that all together are read no further than `chars`. */
function charsOfEach(messages: readonly FiledMessage[], chars: number): number {
  const lengths = messages.map(({ message }) => message.text.length).sort((one, other) => one - other);
  let left = chars;
  for (const [index, length] of lengths.entries()) {
    const share = left / (lengths.length - index);
    if (length > share) return Math.max(Math.floor(share), CHARS_PER_TOKEN * LEAST_TOKENS);
    left -= length;
  }
  return chars;
}

function heads(entries: readonly Entry[], budgetTokens: number): FittedMessages["shown"] {
  const fits = (cap: number): boolean =>
    costOfLines(entries.map((entry) => renderEntry(entry, { tokens: cap }).text)) <= budgetTokens;
  const cap = largestFitting(LEAST_TOKENS, Math.floor(budgetTokens), fits);
  if (cap !== undefined) return entries.map((entry) => renderEntry(entry, { tokens: cap }));
  const shown: FittedMessages["shown"] = [];
  let left = budgetTokens;
  for (const entry of entries) {
    const rendered = renderEntry(entry, { tokens: LEAST_TOKENS });
    left -= costOfLines([rendered.text]);
    if (left < 0) break;
    shown.push(rendered);
  }
  return shown;
}

function notice(cutCount: number, restCount: number): string {
  const parts = [
    ...(cutCount > 0 ? [`${counted(cutCount, "message")} shortened`] : []),
    ...(restCount > 0 ? [`${restCount} more waiting`] : []),
  ];
  return `(This is the head of the input: ${parts.join(", ")}. The rest is in inbox.json.)`;
}

function nowLine(zone: Zone, now: EpochMs): string {
  const weekday = WEEKDAYS[new Date(`${zone.dayOf(now)}T00:00:00Z`).getUTCDay()] ?? "";
  return `Now: ${minuteOf(now, zone)}, ${weekday} (${zone.name}).`;
}
