/** Bugs of a careless hand about time; the slice must notice each. */
import type { Plant } from "../plants.js";

const plant = (name: string, file: string, find: string, replace: string): Plant => ({
  name,
  part: "time",
  file,
  find,
  replace,
});

export const PLANTS: readonly Plant[] = [
  plant(
    "a clock set back writes into the journal of the day, before what was written later",
    "src/protocol/journal.ts",
    "newest.day < day ? newest.era : newest.era + 1",
    "newest.era",
  ),
  plant(
    "a day is moved and summarised one day early",
    "src/archive/retries.ts",
    "daysBetween(day, today) <= recentDays",
    "daysBetween(day, today) < recentDays",
  ),
  plant(
    "days are cut in UTC, whatever the zone",
    "src/model/time.ts",
    "    timeZone: name,",
    '    timeZone: name === "" ? name : "UTC",',
  ),
  plant(
    "the last pass counts though it lies in the future",
    "src/archive/owed.ts",
    "Math.abs(state.now - since)",
    "state.now - since",
  ),
  plant(
    "what was owed by the clock of a moment ago is made",
    "src/archive/summarise.ts",
    'if (!isStillOwed(context, owed)) return { to: "changed" };',
    "isStillOwed(context, owed);",
  ),
  plant(
    "a wait that the clock has made endless is waited for",
    "src/archive/retries.ts",
    "return nextAt > now && nextAt - now <= longestMs + DAY_MS;",
    "return nextAt > now + 0 * longestMs;",
  ),
  plant(
    "an endpoint may ask for any wait",
    "src/archive/retries.ts",
    "Math.min(retryAfterMs, backlogMs)",
    "retryAfterMs",
  ),
  plant(
    "a changed zone moves the messages of a day that stands",
    "src/archive/ledger.ts",
    '{ from: "verbatim", day, seen',
    '{ from: "verbatim", day: this.zone.dayOf(sighting.filedAt), seen',
  ),
  plant(
    "a new version is filed anew",
    "src/archive/batch.ts",
    "this.ledger.get(key)?.filedAt ?? this.#timeOf(message)",
    "this.#timeOf(message)",
  ),
  plant(
    "pruning spares the journal of today and not what was written after it",
    "src/archive/prune.ts",
    "if (path.includes(today)) break;",
    "if (path.includes(today)) continue;",
  ),
];
