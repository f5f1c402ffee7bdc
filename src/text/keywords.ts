/**
 * The words that tell what a text is about: for slugs (`a-z0-9-`, Chinese romanised),
 * headings of summaries and the query of an injection.
 *
 * Pure; no corpus. Chinese is cut into words by `Intl.Segmenter` first, so
 * that a clause never becomes one keyword; the seed's pattern then decides per
 * word. Search terms are terms.ts.
 */
import { entryOf } from "../model/collections.js";
import { redactSecrets } from "./redact.js";
import { foldText, foldWord, simplified, withoutUnderscores } from "./fold.js";
import { CHINESE_STOP_WORDS, FUNCTION_CHARACTERS, SMALL_TALK, stem, STOP_WORDS } from "./terms.js";

/** Segmenting costs about a microsecond a character; the beginning of a very long text tells enough. */
const READ_CHARS = 100_000;

/** The segmenter takes a time that grows with the square of a run's length. */
const HAN_PIECE = /.{1,1000}/gsu;

/** A word that names a file, a heading or a topic is no secret's, and none of what stands for one. */
const REDACTED = /\[redacted:[a-z-]{1,40}\]/g;

const segmenter = new Intl.Segmenter("zh", { granularity: "word" });
const HAN = /^\p{Script=Han}{2,}$/u;
/** The seed's `[a-z0-9_]{2,}`, for letters of every script, with `c++` and inner apostrophes. */
const RUN =
  /\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}_])+(?:['’](?:(?!\p{Script=Han})\p{L})+)*(?:\+\+)?/gu;

interface Candidate {
  shown: string;
  count: number;
  weight: number;
  first: number;
}

/** Most telling first, as first written; no two of one stem. At most `limit`. */
export function keywordsOf(text: string, limit: number): string[] {
  const found = new Map<string, Candidate>();
  // Most words of a text stand in it more than once.
  const [begin, go] = [new Map<string, Told>(), new Map<string, Told>()];
  const told = redactSecrets(text.slice(0, READ_CHARS)).replace(REDACTED, " ");
  for (const { word, sentenceStart } of wordsIn(told)) {
    const { key, weight } = entryOf(sentenceStart ? begin : go, word, () => toldBy(word, sentenceStart));
    if (weight === 0) continue;
    const known = found.get(key);
    if (known === undefined) found.set(key, { shown: shownAs(word), count: 1, weight, first: found.size });
    else {
      known.count += 1;
      known.weight = Math.max(known.weight, weight);
    }
  }
  return [...found.values()]
    .sort((a, b) => scoreOf(b) - scoreOf(a) || a.first - b.first)
    .slice(0, limit)
    .map(({ shown }) => shown);
}

interface Told {
  key: string;
  weight: number;
}

function toldBy(word: string, sentenceStart: boolean): Told {
  const folded = foldWord(foldText(withoutUnderscores(word))).replace(/'s?$|'(?:re|ve|ll|d|m)$/, "");
  const weight = tellingOf(word, folded, sentenceStart);
  return { key: weight === 0 ? "" : stem(folded), weight };
}

function* wordsIn(text: string): Generator<{ word: string; sentenceStart: boolean }> {
  let end = 0;
  for (const match of text.matchAll(RUN)) {
    const between = text.slice(end, match.index);
    const sentenceStart = end === 0 || /[.!?。！？\n:"“”(#*-]/.test(between);
    end = match.index + match[0].length;
    if (/^\p{Script=Han}/u.test(match[0])) {
      for (const run of match[0].match(HAN_PIECE) ?? [])
        for (const { segment } of segmenter.segment(run)) yield { word: segment, sentenceStart };
    } else {
      yield { word: match[0], sentenceStart };
    }
  }
}

/** 0 for a word that tells nothing. Names and identifiers tell more than words, long words more than short. */
function tellingOf(word: string, folded: string, sentenceStart: boolean): number {
  if (/^\p{Script=Han}/u.test(folded)) return tellingOfHan(folded);
  if (folded.length < 2 || STOP_WORDS.has(folded) || SMALL_TALK.has(folded)) return 0;
  if (/^[\d_]+$/.test(folded)) return folded.length >= 3 && folded.length <= 8 ? 0.5 : 0;
  if (folded.length > 40) return 0;
  const length = 1 + 0.08 * Math.min(folded.length, 10);
  const identifier = /[_\d+]|\p{Ll}\p{Lu}/u.test(word);
  const name = /^\p{Lu}/u.test(word) && !sentenceStart;
  return length + (identifier ? 0.5 : 0) + (name ? 0.6 : 0);
}

function tellingOfHan(word: string): number {
  // The segmenter leaves the pronoun on: 我知道, 他说.
  const bare = word.replace(/^[我你您他她它这那]+/u, "");
  if (!HAN.test(word) || [...bare].length < 2 || CHINESE_STOP_WORDS.has(bare) || CHINESE_STOP_WORDS.has(word))
    return 0;
  const chars = [...word];
  const grammar = chars.filter((char) => FUNCTION_CHARACTERS.has(char)).length;
  if (grammar === chars.length) return 0;
  return 1.2 + 0.25 * Math.min(chars.length, 4) - (grammar > 0 ? 0.5 : 0);
}

function scoreOf({ count, weight }: Candidate): number {
  return Math.log2(1 + count) * weight;
}

function shownAs(word: string): string {
  return withoutUnderscores(word.replace(/['’](?:s|re|ve|ll|d|m)?$/i, ""));
}

/** Seed 000. */
export const LONGEST_SLUG = 32;
const SHORT_ID = 8;

/** Keywords in kebab case, cut at a word's end; `mem-{8 of the id}` where none can be written in ASCII. */
export async function slugOf(keywords: readonly string[], fallbackId: string): Promise<string> {
  const words: string[] = [];
  for (const keyword of keywords) {
    const word = asciiOf(/\p{Script=Han}/u.test(keyword) ? await romanised(keyword) : keyword);
    if (word !== "" && !words.includes(word)) words.push(word);
  }
  const slug = fit(words);
  return slug === "" ? fallbackSlug(fallbackId) : slug;
}

async function romanised(text: string): Promise<string> {
  const { pinyin } = await import("pinyin-pro");
  return pinyin(simplified(text), { toneType: "none", type: "array", nonZh: "consecutive", v: true })
    .join(" ")
    .replace(/(?<=\S) (?=\S)/g, "");
}

/** Words of `a-z0-9` with `-` between them. */
export function asciiOf(text: string): string {
  return foldWord(text.normalize("NFKC"))
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** Whole keywords while they fit; a first one that is too long is cut at its own word's end, or hard. */
function fit(words: readonly string[]): string {
  let slug = "";
  for (const word of words) {
    const longer = slug === "" ? word : `${slug}-${word}`;
    if (longer.length <= LONGEST_SLUG) slug = longer;
    else if (slug === "") return cut(word);
    else return slug;
  }
  return slug;
}

function cut(word: string): string {
  const head = word.slice(0, LONGEST_SLUG + 1);
  const border = head.lastIndexOf("-");
  return border > 0 ? head.slice(0, border) : head.slice(0, LONGEST_SLUG);
}

function fallbackSlug(id: string): string {
  const short = id
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .slice(0, SHORT_ID);
  return `mem-${short === "" ? "0" : short}`;
}
