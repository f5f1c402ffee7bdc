/**
 * A dictionary of two languages, as a table: of a word what it means
 * in the other one with blanks between, in tenths how nearly where it is not
 * just that. Chinese words are simplified, English ones are stems, of names
 * with a capital. Pure.
 */
import { foldText } from "./fold.js";
import { tableIn } from "./tables.js";
import { FUNCTION_CHARACTERS, hanTerms, termsOf } from "./terms.js";

/** What a word means, the nearest first; nothing for one that is not in it. */
export type Dictionary = (word: string) => readonly Meaning[];

export interface Meaning {
  word: string;
  /** 1 for what says just that. */
  share: number;
}

/** In characters. */
export const LONGEST_WORD = 4;

export function dictionaryIn(table: Uint8Array): Dictionary {
  const lineOf = tableIn(table);
  return (word) => {
    const line = lineOf(word);
    return line === undefined ? NONE : meaningsIn(line);
  };
}

/** Under which a name stands: Rose is no flower, Beijing is 北京 in any case. */
export function nameKey(term: string): string {
  return term.charAt(0).toUpperCase() + term.slice(1);
}

const NONE: readonly Meaning[] = [];

function meaningsIn(line: string): Meaning[] {
  return line.split(" ").map((written) => {
    const [word = "", tenths = "10"] = written.split(/(?=\d)/);
    return { word, share: Number(tenths) / 10 };
  });
}

/** A term of a text, and one that says it in the other language. */
export interface Translated {
  of: string;
  term: string;
  share: number;
}

const HAN = /\p{Script=Han}/u;
const HAN_RUN = /\p{Script=Han}+/gu;
const NAME = /(?<=[\p{L}\p{N},;]\s)\p{Lu}\p{Ll}[\p{L}\p{M}]*/gu;

/** A question has no room for the words of a longer text, and each is looked up while somebody waits. */
const MOST_CHARS = 1000;

/** Each word of the text's head as the dictionary has it, the nearest first. */
export function translated(text: string, dictionary: Dictionary): Translated[] {
  const folded = foldText(text.slice(0, MOST_CHARS).toWellFormed());
  const chinese = [...folded.matchAll(HAN_RUN)].flatMap(([run]) => wordsIn(run, dictionary));
  const names = new Set((folded.match(NAME) ?? []).flatMap(termsOf));
  const english = termsOf(folded).filter((term) => !HAN.test(term));
  return [
    ...[...new Set(chinese)].flatMap((word) => translatedAs(termsIn(word)[0] ?? word, dictionary(word))),
    ...[...new Set(english)].flatMap((term) =>
      translatedAs(term, [...(names.has(term) ? NONE : dictionary(term)), ...dictionary(nameKey(term))]),
    ),
  ];
}

function translatedAs(of: string, meanings: readonly Meaning[]): Translated[] {
  return meanings.flatMap(({ word, share }) => termsIn(word).map((term) => ({ of, term, share })));
}

/** The words of a run that the dictionary knows and that are no part of a longer one. */
function wordsIn(run: string, dictionary: Dictionary): string[] {
  const chars = [...run];
  const words: string[] = [];
  const alone = new Set<number>();
  let covered = 0;
  for (let start = 0; start < chars.length; start++) {
    const longest = longestAt(chars, start, dictionary);
    if (longest > 1 && start + longest > covered) {
      words.push(chars.slice(start, start + longest).join(""));
      covered = start + longest;
    } else if (start >= covered && !isGrammar(chars[start] ?? "")) alone.add(start);
  }
  // Two characters side by side that are no word are a name, or a word that nobody wrote down.
  const isApart = (at: number): boolean => !alone.has(at - 1) && !alone.has(at + 1);
  return [...words, ...[...alone].filter(isApart).flatMap((at) => chars[at] ?? [])];
}

/** What stands beside a number is a word: 两页 are two pages. */
function isGrammar(char: string): boolean {
  return FUNCTION_CHARACTERS.has(char) || NUMERALS.has(char) || GRAMMAR_AT_TIMES.has(char);
}

/** That are words by themselves too, which mean something else where they stand alone: 要 is to want, and hardly ever to demand. */
const GRAMMAR_AT_TIMES: ReadonlySet<string> = new Set("不没别要会能可有里内还又再更最太就都等");

const NUMERALS: ReadonlySet<string> = new Set("一二三四五六七八九十百千万两半每");

/** 1 where no word of more characters begins. */
function longestAt(chars: readonly string[], start: number, dictionary: Dictionary): number {
  for (let length = Math.min(LONGEST_WORD, chars.length - start); length > 1; length--)
    if (dictionary(chars.slice(start, start + length).join("")).length > 0) return length;
  return 1;
}

/** A word of the dictionary's English is a stem already. */
function termsIn(word: string): string[] {
  return HAN.test(word) ? hanTerms(word) : [word];
}
