/** What stands in a workspace's memory after memd has ended, read with memd's own grammar. */
import { expect } from "vitest";
import { daysBetween, monthOf, type Day } from "../../src/model/time.js";
import type { Message } from "../../src/model/message.js";
import { parseSummary, type SummaryFile } from "../../src/protocol/summary.js";
import { coverHash, parseVerbatim } from "../../src/protocol/verbatim.js";
import type { Place } from "./cli.js";

export interface StandingBlock {
  path: string;
  scope: string;
  day: Day;
  message: Message;
}

/** Every verbatim block with the file it stands in. */
export function blocksOf(place: Place): StandingBlock[] {
  return verbatimOf(place).flatMap(({ path, file }) =>
    file.blocks.map(({ filed }) => ({ path, scope: file.scope, day: file.day, message: filed.message })),
  );
}

export function summariesOf(place: Place): (SummaryFile & { path: string })[] {
  return place
    .files("memory")
    .filter((path) => /(^|\/)summary\/[^/]+\.md$/.test(path))
    .map((path) => {
      const file = parseSummary(place.read(path));
      if (file === undefined) throw new Error(`${path} is no summary`);
      return { ...file, path };
    });
}

/** Every day older than `recentDays` at `today` is covered, by the ids it has now, by the summary of its tier. */
export function expectOldDaysCovered(place: Place, today: Day, recentDays = 5): void {
  const summaries = summariesOf(place);
  const uncovered = verbatimOf(place)
    .filter(({ file }) => daysBetween(file.day, today) > recentDays)
    .filter(({ file }) => {
      const hash = coverHash(file.blocks.map(({ filed }) => filed));
      return !summaries.some(
        ({ scope, date, covers }) =>
          scope === file.scope &&
          (date === file.day || date === monthOf(file.day)) &&
          covers.some((covered) => covered.day === file.day && covered.hash === hash),
      );
    });
  expect(uncovered.map(({ path }) => path)).toEqual([]);
}

/** No file covers a day twice, and no section has a line twice. */
export function expectNothingTwice(place: Place): void {
  const ids = blocksOf(place).map(({ scope, message }) => `${scope} ${message.id}`);
  expect(twice(ids)).toEqual([]);
  for (const { path, covers, sections } of summariesOf(place)) {
    expect({ path, twice: twice(covers.map(({ day }) => day)) }).toEqual({ path, twice: [] });
    for (const { text } of sections) {
      const lines = text.split("\n").filter((line) => line.trim() !== "");
      expect({ path, twice: twice(lines) }).toEqual({ path, twice: [] });
    }
    expect({ path, twice: twice(sections.map(({ user }) => user ?? "everyone")) }).toEqual({
      path,
      twice: [],
    });
  }
}

/** Temporary files of a publication that a kill cut off. */
export function unfinishedFiles(place: Place): string[] {
  // Where any process may write, a file that is an hour young may be somebody's who writes at this moment.
  const isShared = (file: string): boolean => /^(queue\/pending|inbox\.d)\//.test(file);
  return place.files().filter((file) => /(^|\/)\.[^/]+\.tmp$/.test(file) && !isShared(file));
}

function verbatimOf(place: Place) {
  return place
    .files("memory")
    .filter(
      (path) => path.endsWith(".md") && !/(^|\/)(summary\/|documents\/|profiles\/|topics\/|\.)/.test(path),
    )
    .map((path) => {
      const file = parseVerbatim(place.read(path));
      if (file === undefined) throw new Error(`${path} is no verbatim file`);
      return { path, file };
    });
}

function twice(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}
