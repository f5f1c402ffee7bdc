/**
 * A text as the terms it is found by.
 *
 * Pure and the same for passages and questions. English words are stemmed,
 * stop words out; Han text becomes single characters and pairs, because whole
 * clauses find 3% where these find 64%. A word and a pair of characters never
 * look alike, so one list holds both. Repeats stay: they are the frequency.
 */
import { foldText, foldWord } from "./fold.js";
import { stem } from "./stem.js";
import { FUNCTION_CHARACTERS, FUNCTION_WORDS, STOP_WORDS } from "./stop-words.js";

/** Longer runs of letters are hashes and payloads: only their beginning counts. */
const LONGEST_WORD = 64;

const UNSPACED =
  "\\p{Script=Hiragana}\\p{Script=Katakana}ー\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const LETTER = `(?:(?![\\p{Script=Han}${UNSPACED}])[\\p{L}\\p{M}\\p{N}_])`;
/** Han run | run of another script without spaces | number | word. */
const TOKEN = new RegExp(
  `(\\p{Script=Han}+)|([${UNSPACED}]+)|(\\d+(?:[.,]\\d+)+|\\d+(?!${LETTER}))|(${LETTER}+(?:'${LETTER}+)*(?:\\+\\+|#(?!\\w))?)`,
  "gu",
);

/** The same for plain ASCII, several times faster. */
const ASCII_TOKEN = /(\d+(?:[.,]\d+)+|\d+(?![A-Za-z0-9_]))|([A-Za-z0-9_]+(?:'[A-Za-z]+)*(?:\+\+|#(?!\w))?)/g;
const ASCII_ONLY = /^[\x00-\x7f]*$/;

export function termsOf(text: string): string[] {
  const terms: string[] = [];
  if (ASCII_ONLY.test(text)) {
    for (const [, number, word] of text.matchAll(ASCII_TOKEN)) {
      if (number !== undefined) terms.push(plainNumber(number));
      else if (word !== undefined) addWord(word, terms);
    }
    return terms;
  }
  for (const [, han, unspaced, number, word] of foldText(text).matchAll(TOKEN)) {
    if (han !== undefined) for (const part of han.split(FUNCTION_WORD)) addHan(part, terms);
    else if (unspaced !== undefined) addPairs(unspaced, terms);
    else if (number !== undefined) terms.push(plainNumber(number));
    else if (word !== undefined) addWord(word, terms);
  }
  return terms;
}

const FUNCTION_WORD = new RegExp([...FUNCTION_WORDS].join("|"), "u");

function addHan(run: string, terms: string[]): void {
  let previous: string | undefined;
  for (const char of run) {
    const telling = FUNCTION_CHARACTERS.has(char) ? undefined : char;
    if (telling !== undefined) {
      terms.push(telling);
      if (previous !== undefined) terms.push(previous + telling);
    }
    previous = telling;
  }
}

const HIRAGANA_ALONE = /^\p{Script=Hiragana}$/u;

/** Kana, hangul, Thai: pairs; a run of one character stands for itself unless it is a Japanese particle. */
function addPairs(run: string, terms: string[]): void {
  const chars = [...run.toLowerCase()];
  if (chars.length === 1 && !HIRAGANA_ALONE.test(run)) terms.push(run);
  for (let at = 1; at < chars.length; at++) terms.push(`${chars[at - 1]}${chars[at]}`);
}

/** `1,200` is 1200, `03` is 3, `3,5` is 3.5. */
function plainNumber(number: string): string {
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(number)) return number.replaceAll(",", "");
  if (/^\d+,\d+$/.test(number)) return number.replace(",", ".");
  return number.length === 2 ? number.replace(/^0(?=\d)/, "") : number;
}

const MAY_HAVE_PARTS = /[_\p{N}]|\p{Ll}\p{Lu}/u;

function addWord(raw: string, terms: string[]): void {
  const written = withoutClitics(raw).slice(0, LONGEST_WORD);
  const word = foldWord(written);
  const ordinal = /^(\d+)(?:st|nd|rd|th)$/.exec(word);
  if (ordinal !== null) {
    terms.push(plainNumber(ordinal[1] ?? word));
    return;
  }
  const parts = MAY_HAVE_PARTS.test(written) && raw.length <= LONGEST_WORD ? partsOf(written) : [];
  if (parts.length > 1) {
    terms.push(word.replace(/^_+|_+$/g, ""));
    for (const part of parts) addSimple(foldWord(part), terms);
  } else {
    addSimple(foldWord(parts[0] ?? word), terms);
  }
}

function addSimple(word: string, terms: string[]): void {
  if (word === "" || STOP_WORDS.has(word)) return;
  terms.push(/^\d+$/.test(word) ? plainNumber(word) : stem(word));
}

/** What an apostrophe joins on: `Anna's`, `they're`, `don't`, `l'eau`; `O'Brien` is one word. */
function withoutClitics(word: string): string {
  if (!word.includes("'")) return word;
  return word
    .replace(/(?:'s|n't|'(?:re|ve|ll|d|m))$/i, "")
    .replace(/^(?:qu|[cdjlmnst])'(?=\p{L}{2})/iu, "")
    .replaceAll("'", "");
}

/**
 * The words inside an identifier: snake_case, camelCase, letters next to
 * digits. Names of two humps (GitHub, JavaScript) are names and stay whole.
 */
function partsOf(word: string): string[] {
  const byUnderscore = word.split("_").filter((part) => part !== "");
  return byUnderscore.flatMap((part) => {
    const humps = part.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u);
    const split = humps.length > 2 || (humps.length === 2 && /^\p{Ll}/u.test(part)) ? humps : [part];
    return split.flatMap((hump) => hump.split(/(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/u));
  });
}
