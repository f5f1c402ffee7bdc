/** Where a message goes, by its age in local days. Pure. */
import { daysBetween, monthOf, monthsBetween, type Day, type Month } from "../model/time.js";

export type MessageTier = { to: "verbatim" } | { to: "day"; date: Day } | { to: "month"; date: Month };

/**
 * Not more than `recentDays` old: verbatim is all. Older, in this or last
 * month: a summary of its day. Before that: of its month. Source: seed 000;
 * on 31 January December goes by day, on 1 February by month.
 */
export function tierOf(day: Day, today: Day, recentDays: number): MessageTier {
  if (daysBetween(day, today) <= recentDays) return { to: "verbatim" };
  if (monthsBetween(monthOf(day), monthOf(today)) <= 1) return { to: "day", date: day };
  return { to: "month", date: monthOf(day) };
}
