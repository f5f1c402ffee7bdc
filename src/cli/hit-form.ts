/**
 * What was found for a person: by day, each thing with who said it and when, its words between the edges of the
 * terminal, whom it answers, and where it stands. Pure; whatever was stored drives no terminal.
 */
import { nameOf } from "../context/quote.js";
import { groupBy } from "../model/collections.js";
import type { Found } from "../model/found.js";
import type { Hit, PassageKind } from "../model/passage.js";
import { epochMs, isDay, minuteOf, type Zone } from "../model/time.js";
import { onOneLine } from "../service/excerpt.js";
import type { Marked } from "../service/operations/shapes.js";
import { columnsOf, cutToColumns, linesOf } from "../text/columns.js";
import { shown } from "../text/shown.js";
import { pastOf, scoreLine, sourcesLine } from "./hit-line.js";
import { stretchOf } from "./stretch.js";

/** With the parts of its score where these are to be told. */
export type ShownHit = Found & Marked & Partial<Pick<Hit, "parts">>;

export interface Form {
  /** Columns of the terminal. */
  width: number;
  /** That of the workspace. */
  zone: Zone;
  /** A word that was asked for, and the day. */
  bold: (text: string) => string;
  /** What is beside the words. */
  dim: (text: string) => string;
}

/** Days in the order of the best of each, and within a day as they were ranked. */
export function formOf(hits: readonly ShownHit[], form: Form): string[] {
  const days = [...groupBy(hits, ({ date }) => date)];
  return days.flatMap(([date, ofDay], index) => [
    ...(index === 0 ? [] : [""]),
    form.bold(dayOf(date)),
    ...ofDay.flatMap((hit) => linesOfHit(hit, form)),
  ]);
}

/** `2026-03-02, Monday`; of a month `2026-03, March`. */
function dayOf(date: string): string {
  const part = isDay(date) ? ({ weekday: "long" } as const) : ({ month: "long" } as const);
  const at = Date.parse(date);
  if (Number.isNaN(at)) return onOneLine(date);
  return `${date}, ${new Intl.DateTimeFormat("en", { ...part, timeZone: "UTC" }).format(at)}`;
}

const HEAD_INDENT = "  ";
const INDENT = "    ";
const LEAST_WIDTH = 20;
const TEXT_LINES = 4;
/** Between the words and the place where they stand, on one line. */
const GAP = "  ";

function linesOfHit(hit: ShownHit, form: Form): string[] {
  const width = Math.max(LEAST_WIDTH, form.width - INDENT.length);
  const dimmed = (lines: readonly string[]): string[] => lines.map((line) => `${INDENT}${form.dim(line)}`);
  const score = scoreLine(hit);
  return [
    ...wrapped(headOf(hit, form.zone), width + INDENT.length - HEAD_INDENT.length).map(
      (line) => `${HEAD_INDENT}${line}`,
    ),
    ...textLines(hit, width, form),
    ...dimmed([...answersLine(hit, width, form.zone), ...madeOfLine(hit, width)]),
    ...dimmed(score === undefined ? [] : wrapped(score, width)),
  ];
}

/** Of kinds that do not say it themselves. */
const NAMES: Partial<Record<PassageKind, string>> = {
  memory: "memory.md",
  day_summary: "summary of the day",
  month_summary: "summary of the month",
  foresight: "expected",
};

/** Only of what was said there is a time that means something. */
function headOf(hit: ShownHit, zone: Zone): string {
  const { kind, at, user = "local" } = hit;
  const past = pastOf(hit);
  const of = user === "local" ? "" : ` of ${nameOf({ user })}`;
  const said = kind === "message" ? `${clockOf(at, zone)} ${nameOf(hit)}` : `${NAMES[kind] ?? kind}${of}`;
  return `${said}${past === undefined ? "" : ` (${onOneLine(past)})`}`;
}

function clockOf(at: string, zone: Zone): string {
  return zone.clockOf(epochMs(Date.parse(at))).slice(0, "14:03".length);
}

/** The words, and where they stand behind them, or below where there is no room. */
function textLines(
  { text, marks = [], source, original = source }: ShownHit,
  width: number,
  form: Form,
): string[] {
  const stretch = stretchOf(text, marks, { width, most: TEXT_LINES }, form.bold);
  const lines = stretch.map(({ line }) => `${INDENT}${line}`);
  const place = placeOf(original);
  const last = stretch.at(-1);
  const isRoom = last !== undefined && last.columns + GAP.length + columnsOf(place) <= width;
  if (!isRoom) return [...lines, `${INDENT}${form.dim(place)}`];
  return [...lines.slice(0, -1), `${lines.at(-1)}${GAP}${form.dim(place)}`];
}

/** As it is typed behind `memd read`, however long. */
function placeOf(source: string): string {
  return shown(source.replace(/\s/g, " "));
}

/** `↳ answers Lin, 14:02: Where do we …`, with the day where it was another. */
function answersLine({ answers, date }: ShownHit, width: number, zone: Zone): string[] {
  if (answers === undefined) return [];
  const { speaker, at, text } = answers;
  const minute = minuteOf(epochMs(Date.parse(at)), zone);
  const when = minute.startsWith(date) ? clockOf(at, zone) : minute;
  return [cutToColumns(onOneLine(`↳ answers ${speaker}, ${when}: ${text}`), width)];
}

/** Of a record the messages that it comes from. */
function madeOfLine(hit: ShownHit, width: number): string[] {
  const line = hit.kind === "message" ? undefined : sourcesLine(hit);
  return line === undefined ? [] : [cutToColumns(line, width)];
}

function wrapped(text: string, width: number): string[] {
  return [...linesOf(text, width)].map(([from, to]) => text.slice(from, to));
}
