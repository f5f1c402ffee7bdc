/** A filter as SQL over the columns of `passages`: the same as `passes`, in front of the limit. Pure. */
import { noonOf } from "../../../model/time.js";
import type { PassageFilter } from "../engine.js";
import type { Bound } from "../../../model/period.js";

export interface FilterSql {
  /** Empty where everything passes. */
  where: string;
  values: (string | number)[];
}

/** With `part`, of that part of the partition alone. */
export function filterSql({ kinds, user, session, from, to, asOf }: PassageFilter, part?: string): FilterSql {
  const parts: [sql: string, ...values: (string | number)[]][] = [];
  if (part !== undefined) parts.push(["part = ?", part]);
  if (kinds !== undefined) parts.push(["kind IN (SELECT value FROM json_each(?))", JSON.stringify(kinds)]);
  if (user !== undefined) parts.push(["user = ?", user]);
  if (session !== undefined) parts.push(["session = ?", session]);
  if (from !== undefined) parts.push(boundSql(from, ">="));
  if (to !== undefined) parts.push(boundSql(to, "<="));
  if (asOf !== undefined) parts.push(knownSql(asOf));
  return {
    where: parts.map(([sql]) => sql).join(" AND "),
    values: parts.flatMap(([, ...values]) => values),
  };
}

/** The same as `isKnown`. */
function knownSql(asOf: Bound): [string, ...(string | number)[]] {
  const [sql, value] = boundSql(asOf, "<=");
  if (!("day" in asOf)) return [sql, value];
  const isSummary = "kind IN ('day_summary', 'month_summary')";
  return [`CASE WHEN ${isSummary} THEN said_at <= ? ELSE ${sql} END`, noonOf(asOf.day), value];
}

/** `day` may be a month, which is in the range when any of its days is. */
function boundSql(bound: Bound, compare: ">=" | "<="): [string, string | number] {
  return "day" in bound
    ? [`day ${compare} substr(?, 1, length(day))`, bound.day]
    : [`said_at ${compare} ?`, bound.at];
}
