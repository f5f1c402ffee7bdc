/** Days, months, years and weeks as the days that they are made of. Pure. */
import { type Day, isDay, isMonth, lastDayOf } from "../../model/time.js";

/** Whole days, both inclusive. */
export interface DaySpan {
  from: Day;
  to: Day;
}

/** Of `YYYY-MM-DD`, `YYYY-MM`, `YYYY`, or a week as two days with ` – ` between them. Undefined for what is none. */
export function spanOf(date: string): DaySpan | undefined {
  if (isDay(date)) return { from: date, to: date };
  if (isMonth(date)) return daysOf(`${date}-01`, lastDayOf(date));
  const [first = "", last = ""] = date.split(" – ");
  return last === "" ? daysOf(`${first}-01-01`, `${first}-12-31`) : daysOf(first, last);
}

function daysOf(from: string, to: string): DaySpan | undefined {
  return isDay(from) && isDay(to) ? { from, to } : undefined;
}
