/**
 * Counting days, weeks, months and years from a day, as people say them. Pure.
 *
 * A week is `A – B` from its Monday to its Sunday, a month `YYYY-MM`, a year `YYYY`: no more exact than what was said.
 */
import { addDays, type Day, isDay, lastDayOf, type Month } from "../../model/time.js";

/** "last week" is a week, "last month" a month: no more exact than what was said. */
export function period(which: string, unit: string, today: Day): string | undefined {
  const step = { last: -1, this: 0, next: 1 }[which.toLowerCase()] ?? 0;
  switch (unit.toLowerCase()) {
    case "week":
      return weekOf(addDays(today, 7 * step));
    case "weekend":
      return `${addDays(monday(today), 7 * step + 5)} – ${addDays(monday(today), 7 * step + 6)}`;
    case "month":
      return shiftMonths(today, step);
    case "year":
      return shiftMonths(today, 12 * step).slice(0, 4);
    default:
      return undefined;
  }
}

/** So many of them on, no more exact than what was said. */
export function roughly(unit: string, count: number, today: Day): string | undefined {
  const day = moved(today, count, unit.replace("night", "day"));
  return { day, night: day, week: weekOf(day), month: day.slice(0, 7), year: day.slice(0, 4) }[unit];
}

export function counted(count: string, unit: string, sign: 1 | -1, today: Day): string | undefined {
  const number = chineseNumber(count);
  if (number === undefined) return undefined;
  if (unit === "天") return addDays(today, sign * number);
  if (unit === "个月") return shiftMonths(today, sign * number);
  if (unit === "年") return shiftMonths(today, sign * number * 12).slice(0, 4);
  return weekOf(addDays(today, sign * number * 7));
}

/** 1–99 in digits or characters; a half is no whole number of anything. */
export function chineseNumber(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const shape = /^([一二两三四五六七八九])?(十)?([一二三四五六七八九])?$/.exec(text);
  if (shape === null) return undefined;
  const digit = (char: string | undefined): number =>
    "一二三四五六七八九".indexOf((char ?? "").replace("两", "二")) + 1;
  const [, tens, ten, ones] = shape;
  if (ten === undefined) return ones === undefined ? digit(tens) : undefined;
  return (tens === undefined ? 1 : digit(tens)) * 10 + (ones === undefined ? 0 : digit(ones));
}

export function twoAway(unit: string, steps: number, today: Day): string {
  switch (unit.toLowerCase()) {
    case "week":
      return weekOf(addDays(today, 7 * steps));
    case "month":
      return shiftMonths(today, steps);
    case "year":
      return shiftMonths(today, 12 * steps).slice(0, 4);
    default:
      return addDays(today, steps);
  }
}

/** The day of a month `YYYY-MM`; undefined where it has none. */
export function dayOfMonth(month: string | undefined, which: number | "last"): Day | undefined {
  if (month === undefined) return undefined;
  if (which === "last") return lastDayOf(month as Month);
  const day = `${month}-${String(which).padStart(2, "0")}`;
  return isDay(day) ? day : undefined;
}

/** From the begin of one quarter of a year to the end of another, both from 1. */
export function partOfYear(year: number, [from = 1, to = 4]: readonly number[]): string {
  const last = lastDayOf(`${year}-${String(to * 3).padStart(2, "0")}` as Month);
  return `${year}-${String(from * 3 - 2).padStart(2, "0")}-01 – ${last}`;
}

/** The same day so many of them on, or the last of a shorter month. */
export function moved(day: Day, count: number, unit: string): Day {
  if (unit === "day" || unit === "week") return addDays(day, count * (unit === "week" ? 7 : 1));
  const month = shiftMonths(day, count * (unit === "year" ? 12 : 1));
  const date = `${month}${day.slice(7)}`;
  return isDay(date) ? date : lastDayOf(month as Month);
}

const NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split(" ");

export function numberOf(text: string): number {
  return Number(text) || NUMBERS.indexOf(text.toLowerCase()) + 1 || 1;
}

export function weekdayOf(day: Day): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

export function monday(day: Day): Day {
  return addDays(day, -((weekdayOf(day) + 6) % 7));
}

export function weekOf(day: Day): string {
  return `${monday(day)} – ${addDays(monday(day), 6)}`;
}

/** `YYYY-MM`, so many months on. */
export function shiftMonths(day: Day, months: number): string {
  const total = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months;
  return `${String(Math.floor(total / 12)).padStart(4, "0")}-${String((total % 12) + 1).padStart(2, "0")}`;
}
