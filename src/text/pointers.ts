/**
 * Whether a sentence stands alone: no pronouns, no relative times, no relative
 * places. Looks at words, so that it costs nothing and is the same everywhere;
 * what they are is deictic-words.ts.
 *
 * Pure. It errs towards flagging: what it flags is written again or kept marked,
 * never dropped.
 */
import { foldText } from "./fold.js";
import * as deictic from "./deictic-words.js";

export interface Pointer {
  kind: (typeof deictic.POINTER_KINDS)[number];
  /** The word, as it stands. */
  text: string;
  /** Where it begins, in UTF-16 units. */
  at: number;
}

/**
 * What points outside the sentence, in order; empty where it stands alone. `about`: who it is about; where it
 * begins with them, "they" and 自己 are nobody else.
 */
export function pointersIn(text: string, about?: string): Pointer[] {
  const isOf = about !== undefined && about !== "" && text.toLowerCase().startsWith(about.toLowerCase());
  const open = withoutQuotations(isOf ? text.replace(THEMSELVES, blank) : text);
  return [...englishPointers(open), ...hanPointers(open)]
    .map((pointer) => ({ ...pointer, text: text.slice(pointer.at, pointer.at + pointer.text.length) }))
    .sort((one, other) => one.at - other.at);
}

const THEMSELVES = /\b(?:they(?:'(?:re|ve|ll|d))?|them(?:selves|self)?|theirs?)\b/gi;

/** Titles, code and short quotations are somebody's words; blanked out, so that places stay the same. */
function withoutQuotations(text: string): string {
  return text
    .replace(/《[^《》]*》|〈[^〈〉]*〉|`[^`]*`/gu, blank)
    .replace(/["“「『]([^"“”「」『』。！？.!?]*)["”」』]/gu, (all, inside: string) =>
      inside.split(/\s+/).length <= QUOTED_WORDS && inside.length <= QUOTED_CHARS ? blank(all) : all,
    );
}
const QUOTED_WORDS = 5;
const QUOTED_CHARS = 30;

function blank(text: string): string {
  return text.replace(/[^\s]/gu, (character) => "\u00a0".repeat(character.length));
}

interface Word {
  text: string;
  lower: string;
  at: number;
  /** Whether a sentence begins with it. */
  opens: boolean;
}

const LATIN_WORD = /[\p{Script=Latin}\d]+(?:['’][\p{Script=Latin}]+)?/gu;
const SENTENCE_END = /[.!?:;。！？：；\n—–("“‘'「-][^\S\n]*$/u;
/** So much in front of a word tells whether a sentence begins with it. */
const LOOK_BACK_CHARS = 8;
const TIME_PHRASES = new RegExp(`\\b(?:${deictic.ENGLISH_TIME_PHRASES.join("|")})\\b`, "gi");

function englishPointers(text: string): Pointer[] {
  let open = text;
  for (const harmless of deictic.HARMLESS_ENGLISH) open = open.replace(harmless, blank);
  const words = [...open.matchAll(LATIN_WORD)].map((match): Word => {
    const lower = match[0].toLowerCase().replaceAll("’", "'");
    const before = open.slice(Math.max(0, match.index - LOOK_BACK_CHARS), match.index);
    const opens = before.trim() === "" ? match.index < LOOK_BACK_CHARS : SENTENCE_END.test(before);
    return { text: match[0], lower, at: match.index, opens };
  });
  const looksBack = words.some(
    ({ lower }) => /^\d{4}$|[a-z]{2}ed$/.test(lower) || deictic.LOOKING_BACK.includes(lower),
  );
  const single = words.flatMap(({ text: word, at }, index): Pointer[] => {
    const kind = kindOf(words, index, open, looksBack);
    return kind === undefined ? [] : [{ kind, text: word, at }];
  });
  return [...single, ...found(open, TIME_PHRASES, "time"), ...found(open, WEEKDAY, "time")];
}

/** Of which week, nothing says. Not every Friday, nor Friday the 13th of a month that is named. */
const WEEKDAY =
  /(?<!\b(?:every|each|most|some|any|of) (?:[a-z]+ )?)\b(?:last|next|this|this past|this coming|the following|by|until|on) (?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b(?!s|,? ?\(?(?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))(?! (?:of|mornings|evenings|afternoons|nights))/gi;

function found(text: string, pattern: RegExp, kind: Pointer["kind"]): Pointer[] {
  return [...text.matchAll(pattern)].map((match) => ({ kind, text: match[0], at: match.index }));
}

function kindOf(
  words: readonly Word[],
  index: number,
  text: string,
  looksBack: boolean,
): Pointer["kind"] | undefined {
  const word = words[index];
  if (word === undefined || isName(word)) return undefined;
  const [before, after] = [words[index - 1], words[index + 1]];
  const bare = word.lower.replace(/'(?:s|m|re|ve|ll|d)$/, "");
  if (word.lower === "i" || bare === "i") return isRoman(word, before, text) ? undefined : "pronoun";
  if (bare === "mine") return deictic.BEFORE_MINE.includes(before?.lower ?? "") ? "pronoun" : undefined;
  if (deictic.ENGLISH_PRONOUNS.includes(bare)) return isSurname(word, text) ? undefined : "pronoun";
  if (deictic.ENGLISH_TIMES.includes(word.lower)) return "time";
  if (isCountedFromNow(words, index, looksBack)) return "time";
  if (["this", "these", "those", "that"].includes(word.lower)) return pointsAtThing(word, before, after);
  if (word.lower === "here" || word.lower === "nearby") return "place";
  if (word.lower === "there")
    return deictic.AFTER_EMPTY_THERE.includes(after?.lower ?? "") ? undefined : "place";
  return undefined;
}

/** Capitals inside a sentence are names and titles: "Our Lady", "USA Today", "the US". */
function isName({ text, opens }: Word): boolean {
  if (/^I(?:['’]|$)/.test(text)) return false;
  if (text.length > 1 && text === text.toUpperCase()) return true;
  return !opens && /^\p{Lu}/u.test(text);
}

function isRoman({ text, at }: Word, before: Word | undefined, whole: string): boolean {
  if (text.length > 1) return false;
  if (/^(?:\/|-\d|\.\s?\p{Lu})/u.test(whole.slice(at + 1))) return true;
  if (before === undefined || !/^\s+$/.test(whole.slice(before.at + before.text.length, at))) return false;
  if (deictic.COUNTED_BY_ROMANS.includes(before.lower)) return true;
  return text === "I" && /^\p{Lu}/u.test(before.text) && !before.opens;
}

/** "He Wei", "You Jin", "My Linh Tran(u-18)": only where a sentence begins; elsewhere capitals are names anyway. */
function isSurname({ text, lower, at }: Word, whole: string): boolean {
  const name = NAME_BEHIND.exec(whole.slice(at + text.length));
  return (
    /^\p{Lu}/u.test(text) &&
    name !== null &&
    (deictic.ENGLISH_SUBJECTS.includes(lower) || name[1] !== undefined)
  );
}
/** Capitalised words, and whether an id follows them. */
const NAME_BEHIND = /^(?: \p{Lu}\p{Ll}+){1,3}([(（])?/u;

/** "last week", "next month", "this morning", "the past two years", "in three days" where it looks forward. */
function isCountedFromNow(words: readonly Word[], index: number, looksBack: boolean): boolean {
  const [before, word = "", next = "", second = "", third = ""] = [-1, 0, 1, 2, 3].map(
    (step) => words[index + step]?.lower,
  );
  const counted = COUNT.test(next);
  if (["last", "next", "past", "coming", "previous"].includes(word)) {
    const [unit, behind] = counted ? [second, third] : [next, second];
    if (!isUnit(unit) || behind === "of") return false;
    const isDefinite = ["the", "each", "every", "per"].includes(before ?? "");
    return !isDefinite || counted || word === "past" || word === "coming";
  }
  return word === "in" && !looksBack && counted && isUnit(second) && second !== "time";
}

const COUNT =
  /^(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|few|couple|several|some)$/;

function isUnit(word: string): boolean {
  return deictic.TIME_UNITS.includes(word) || deictic.TIME_UNITS.includes(word.replace(/s$/, ""));
}

function pointsAtThing(
  word: Word,
  before: Word | undefined,
  after: Word | undefined,
): Pointer["kind"] | undefined {
  if (word.lower === "this" || word.lower === "these") return isUnit(after?.lower ?? "") ? "time" : "thing";
  if (word.lower === "those")
    return deictic.AFTER_OPEN_THOSE.includes(after?.lower ?? "") ? undefined : "thing";
  const points =
    deictic.BEFORE_POINTING_THAT.includes(before?.lower ?? "") ||
    deictic.POINTED_AT.includes(after?.lower ?? "");
  return points ? "thing" : undefined;
}

function hanPointers(text: string): Pointer[] {
  let open = foldText(text);
  // Folding may change lengths; then places are looked for in the text itself.
  if (open.length !== text.length) open = text;
  for (const word of deictic.HARMLESS_HAN) open = open.replaceAll(word, blank(word));
  open = open.replace(deictic.HAN_NEAREST, blank);
  return [
    ...deictic.POINTER_KINDS.flatMap((kind) =>
      deictic.HAN_POINTERS[kind].flatMap((pattern) => found(open, pattern, kind)),
    ),
    ...(NAMES_A_DATE.test(open) ? [] : found(open, deictic.HAN_COUNTED, "time")),
    ...found(open, deictic.HAN_THERE, "place").filter(
      ({ at }) => !deictic.NAMES_A_PLACE.test(open.slice(0, at)),
    ),
  ];
}
const NAMES_A_DATE = /\d{4}\s*[年-]|\d{1,2}\s*月\s*\d{1,2}/u;
