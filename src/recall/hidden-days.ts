/**
 * Day summaries that a month summary stands for (seed 000).
 *
 * Pure, on passages. A month hides a day only while it lists the hash that the
 * day's summary has now, and only from users for whom it has a section itself:
 * a day that changed since, or that the month left out, stays findable.
 */
import type { Passage } from "../model/passage.js";

export function isHiddenBy(day: Passage, months: readonly Passage[]): boolean {
  if (day.kind !== "day_summary" || day.covers === undefined || day.covers.length === 0) return false;
  return months.some((month) => {
    if (month.kind !== "month_summary" || month.scope !== day.scope || month.user !== day.user) return false;
    const listed = new Set(month.covers?.map(({ day: date, hash }) => `${date} ${hash}`));
    return day.covers?.every(({ day: date, hash }) => listed.has(`${date} ${hash}`)) ?? false;
  });
}

/** Where the month summary stands that may hide this day summary. */
export function monthPathOf(day: Passage): string {
  return day.path.replace(/(\d{4}-\d{2})-\d{2}\.md$/, "$1.md");
}
