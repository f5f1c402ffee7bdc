/** On which days and in which months how much was said, and where that stands: of what whoever asks may read. */
import type { Viewer } from "../model/address.js";
import { entryOf } from "../model/collections.js";
import type { Memd } from "./memd.js";
import type { AnswerOf } from "./operations.js";
import { readableEntries } from "./places.js";
import { sourceAt } from "./sources.js";

type Said = AnswerOf<"listDays">["days"][number];

/** The oldest first; what a person put beside the conversation has days too. */
export async function listDays(memd: Memd, viewer: Viewer): Promise<AnswerOf<"listDays">> {
  const days = new Map<string, Said>();
  const months = new Map<string, Said>();
  const within = (found: Map<string, Said>, date: string): Said =>
    entryOf(found, date, () => ({ date, messages: 0, sources: [], summaries: [] }));
  for (const { day } of await readableEntries(memd, viewer)) {
    within(days, day).messages++;
    within(months, monthOf(day)).messages++;
  }
  for (const path of (await memd.search.paths(viewer)).sort()) {
    const { kind, date } = sourceAt(path);
    if (date === undefined) continue;
    const isMonth = date === monthOf(date);
    const said = within(isMonth ? months : days, date);
    if (kind === "summary") said.summaries.push(path);
    else if (kind === "day") said.sources.push(path);
    if (!isMonth) within(months, monthOf(date));
  }
  const inOrder = (found: Map<string, Said>): Said[] =>
    [...found.values()].sort((one, other) => one.date.localeCompare(other.date));
  return { days: inOrder(days), months: inOrder(months) };
}

const monthOf = (day: string): string => day.slice(0, "2026-03".length);
