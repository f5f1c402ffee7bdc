/**
 * File names for days: `a-z0-9-` from the keywords, Chinese romanised.
 *
 * Async because the romaniser costs 80 ms to load and most slugs need none.
 */
import { foldWord, simplified } from "./fold.js";

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

function asciiOf(text: string): string {
  return foldWord(text.normalize("NFKC"))
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
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
