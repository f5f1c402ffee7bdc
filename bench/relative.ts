/**
 * `bench relative --half hold`: sentences with times, titles and quotations, written by somebody who had not
 * seen the code: what is made of each phrase. A time that the sentence leaves open, or that is none, must
 * stay as it was said; a date that is another than a careful reader would take it for is false.
 */
import fs from "node:fs/promises";
import path from "node:path";
import type { Day } from "../src/model/time.js";
import { loadDatePhrases } from "../src/text/dates/absolute.js";

interface Sentence {
  id: string;
  lang: string;
  said_on: Day;
  text: string;
  phrases: { phrase: string; means: string }[];
}

export async function benchRelative(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const half = options.get("half") ?? "hold";
  const file = path.join(import.meta.dirname, "sets", "relative", `${half}.jsonl`);
  const sentences = (await fs.readFile(file, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Sentence);
  const phrasesOf = await loadDatePhrases();
  const counts = { definite: 0, counted: 0, open: 0, leave: 0 };
  const falsified: string[] = [];
  const left: string[] = [];
  for (const { id, text, said_on: day, phrases } of sentences) {
    const found = phrasesOf(text, day);
    const used = new Set<number>();
    let from = 0;
    for (const { phrase, means } of phrases) {
      const at = text.indexOf(phrase, from);
      from = at + phrase.length;
      const over = found.flatMap((one, index) => (one.from < from && one.to > at ? [{ ...one, index }] : []));
      for (const { index } of over) used.add(index);
      const dates = over.map(({ date }) => date.replace(" – ", "/"));
      if (means === "open" || means === "leave") {
        counts[means]++;
        if (dates.length > 0) falsified.push(`${id} ${means} "${phrase}" → ${dates.join(", ")}: ${text}`);
        continue;
      }
      counts.definite++;
      if (dates.length === 0) left.push(`${id} "${phrase}" (${means}): ${text}`);
      else if (dates.every((date) => isSame(date, means))) counts.counted++;
      else falsified.push(`${id} "${phrase}" is ${means}, not ${dates.join(", ")} (said ${day}): ${text}`);
    }
    for (const [index, one] of found.entries())
      if (!used.has(index))
        falsified.push(`${id} none "${text.slice(one.from, one.to)}" → ${one.date}: ${text}`);
  }
  return {
    half,
    sentences: sentences.length,
    ...counts,
    falsified: falsified.length,
    // Left open, no time at all, another date, and where nobody said a time.
    falsified_of: Object.fromEntries(
      [" open ", " leave ", ' "', " none "].map((kind) => [
        kind.replaceAll(/[^a-z]/g, "") || "definite",
        falsified.filter((one) => one.slice(one.indexOf(" ")).startsWith(kind)).length,
      ]),
    ),
    definite_share: Math.round((100 * counts.counted) / counts.definite) / 100,
    // Nobody looks at those of the half that gives the figure.
    ...(half === "look" && { of: { falsified, left } }),
  };
}

/** A weekend is named by its Saturday, too. */
function isSame(date: string, means: string): boolean {
  const [from = "", to = from] = means.split("/");
  return date === means || (date === from && nextDay(from) === to && weekday(from) === SATURDAY);
}

const SATURDAY = 6;

function weekday(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

function nextDay(day: string): string {
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}
