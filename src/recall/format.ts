/**
 * A hit as one line: `path:line  score  date  text`; what no longer holds says so.
 *
 * Pure. The text is shortened around what was asked for and cleared of control
 * characters: what was stored must not be able to drive a terminal.
 */
import type { Listed } from "../model/found.js";
import type { Hit } from "../model/passage.js";
import { termsOf } from "../text/terms.js";

interface HitFormat {
  /** Dresses a matched word; colours, for a terminal. */
  mark: (word: string) => string;
  /** Longest text in characters. */
  width: number;
}

const PLAIN: HitFormat = { mark: (word) => word, width: 160 };

export function formatHit(
  { passage, score, standing, overtaken }: Listed,
  query: string,
  format: Partial<HitFormat> = {},
): string {
  const { mark, width } = { ...PLAIN, ...format };
  const line = oneLine(passage.text);
  const wanted = new Set(termsOf(query));
  const cut = shortened(line, matchesIn(line, wanted), width);
  const past = standing ?? (overtaken === undefined ? undefined : `overtaken ${overtaken.on}`);
  const columns = [
    `${passage.path}:${passage.lines[0]}`,
    ...(score === undefined ? [] : [score.toFixed(2)]),
    passage.day,
    `${past === undefined ? "" : `(${past}) `}${marked(cut, matchesIn(cut, wanted), mark)}`,
  ];
  return columns.join("  ");
}

/** The messages that it comes from, on one line; undefined where none is known. */
export function formatSources({ passage: { messageIds } }: Pick<Listed, "passage">): string | undefined {
  return messageIds.length === 0 ? undefined : `from ${messageIds.map(oneLine).join(", ")}`;
}

/** The parts of its score on one line: what was summed, what multiplied it (×), what was added (+). */
export function explainHit({ score, parts }: Hit): string {
  const told = Object.entries(parts).flatMap(([name, value]) => {
    const sign = MULTIPLIED.has(name) ? "×" : ADDED.has(name) ? "+" : "";
    return Math.abs(value) < LEAST_TOLD ? [] : [`${NAMES[name] ?? name} ${sign}${value.toFixed(2)}`];
  });
  return `${told.join(" · ")} → ${score.toFixed(2)}`;
}

const LEAST_TOLD = 0.005;
const MULTIPLIED: ReadonlySet<string> = new Set(["speaker", "agent", "tellsTime", "recency"]);
const ADDED: ReadonlySet<string> = new Set(["neighbours", "vector", "session", "date", "later"]);
const NAMES: Readonly<Record<string, string>> = { tellsTime: "tells a time", agent: "said by the agent" };

interface Span {
  from: number;
  to: number;
}

const WORD_OR_HAN = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}_'’])+/gu;

/** Where the wanted terms stand; touching ones are joined. */
function matchesIn(text: string, wanted: ReadonlySet<string>): Span[] {
  const spans: Span[] = [];
  for (const { 0: word, index: from } of text.matchAll(WORD_OR_HAN)) {
    if (!termsOf(word).some((term) => wanted.has(term))) continue;
    const last = spans.at(-1);
    if (last?.to === from) last.to = from + word.length;
    else spans.push({ from, to: from + word.length });
  }
  return spans;
}

/** Controls, line ends, and marks that turn the direction of text. */
const UNPRINTABLE = /[\s\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g;

function oneLine(text: string): string {
  return text.replace(UNPRINTABLE, " ").trim();
}

/** The stretch with most matches; `…` where something was left out. Never through a surrogate pair. */
function shortened(text: string, spans: readonly Span[], width: number): string {
  if (text.length <= width) return text;
  const room = Math.max(1, width - 2);
  let best = { from: 0, matches: -1 };
  for (const span of [{ from: 0 }, ...spans]) {
    const from = Math.max(0, Math.min(span.from - Math.floor(room / 4), text.length - room));
    const matches = spans.filter((other) => other.from >= from && other.to <= from + room).length;
    if (matches > best.matches) best = { from, matches };
  }
  const from = isLowSurrogate(text, best.from) ? best.from + 1 : best.from;
  const end = Math.min(text.length, best.from + room);
  const to = isLowSurrogate(text, end) ? end - 1 : end;
  return `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

function marked(text: string, spans: readonly Span[], mark: (word: string) => string): string {
  let result = "";
  let at = 0;
  for (const { from, to } of spans) {
    result += text.slice(at, from) + mark(text.slice(from, to));
    at = to;
  }
  return result + text.slice(at);
}
