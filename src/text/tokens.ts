/**
 * How many tokens a text costs, estimated by kind of character: medians within
 * 6% of o200k on chat, prose, code, Markdown, JSON and emoji, in each script
 * that `npm run bench -- tokens` measures.
 *
 * It follows how such tokenizers cut: a blank goes with the word after it, a line
 * break with the mark before it, digits by threes. One pass, no allocation,
 * counted in hundredths so that sums stay exact. A whole never costs more than
 * its parts, so parts that fit one by one fit together: what stands after other
 * characters never costs more than alone, but for a blank that is paid already.
 */
/**
 * Hundredths of a token: the first of a run, the same right after a single blank,
 * and each further one. Fitted to o200k. None costs more than the first, and a
 * blank saves no more than it costs.
 */
const COSTS = {
  other: [110, 50, 60],
  blank: [100, 100, 0],
  newline: [100, 0, 0],
  digit: [100, 100, 0],
  lower: [100, 0, 0],
  upper: [100, 0, 25],
  // Latin letters with marks: of western Europe; of the east of it and of Turkey; of Vietnam.
  accented: [100, 0, 65],
  extended: [100, 0, 100],
  stacked: [100, 0, 20],
  apostrophe: [50, 50, 50],
  symbol: [95, 10, 25],
  punctuation: [110, 20, 100],
  wide: [70, 70, 60],
  han: [130, 130, 78],
  hiragana: [75, 75, 54],
  katakana: [150, 150, 18],
  hangul: [120, 88, 17],
  cyrillic: [120, 25, 9],
  greek: [120, 20, 23],
  hebrew: [100, 20, 20],
  arabic: [100, 14, 14],
  indic: [100, 15, 9],
  thai: [100, 38, 38],
  dingbat: [170, 70, 150],
  picture: [200, 100, 190],
  newPicture: [250, 150, 230],
  flag: [200, 100, 200],
  // What joins and varies pictures, and tones of skin.
  joiner: [90, 90, 90],
} as const satisfies Record<string, readonly [first: number, afterBlank: number, next: number]>;
type Kind = keyof typeof COSTS;

/** Kinds are told apart by number while text is read. */
const NAMES = Object.keys(COSTS) as Kind[];
const [FIRST, AFTER_BLANK, NEXT] = [0, 1, 2].map((column) =>
  Uint8Array.from(NAMES, (name) => COSTS[name][column] ?? 0),
) as [Uint8Array, Uint8Array, Uint8Array];
const idOf = (kind: Kind): number => NAMES.indexOf(kind);
const OTHER = idOf("other");
const BLANK = idOf("blank");
const NEWLINE = idOf("newline");
const DIGIT = idOf("digit");
const LOWER = idOf("lower");
const UPPER = idOf("upper");
const STACKED = idOf("stacked");
const APOSTROPHE = idOf("apostrophe");
const SYMBOL = idOf("symbol");
const WIDE = idOf("wide");
const HAN = idOf("han");
const PICTURE = idOf("picture");
const NEW_PICTURE = idOf("newPicture");
const FLAG = idOf("flag");
const JOINER = idOf("joiner");
const NOTHING = -1;

/** Of UTF-16 units; a later line overrules an earlier one, and what no line names is `other`. */
const RANGES: readonly (readonly [first: number, last: number, kind: Kind])[] = [
  [0x00, 0x20, "blank"],
  [0x21, 0x7f, "symbol"],
  [0x0a, 0x0a, "newline"],
  [0x0d, 0x0d, "newline"],
  [0x30, 0x39, "digit"],
  [0x41, 0x5a, "upper"],
  [0x61, 0x7a, "lower"],
  [0xa0, 0xa0, "blank"],
  [0xc0, 0xff, "accented"],
  [0xd7, 0xd7, "other"],
  [0xf7, 0xf7, "other"],
  [0x100, 0x24f, "extended"],
  [0x370, 0x3ff, "greek"],
  [0x400, 0x52f, "cyrillic"],
  [0x590, 0x5ff, "hebrew"],
  [0x600, 0x77f, "arabic"],
  [0x900, 0xdff, "indic"],
  [0xe00, 0xeff, "thai"],
  [0x1100, 0x11ff, "hangul"],
  [0x1e00, 0x1eff, "stacked"],
  [0x1f00, 0x1fff, "greek"],
  [0x2000, 0x206f, "punctuation"],
  [0x200d, 0x200d, "joiner"],
  [0x20e3, 0x20e3, "joiner"],
  [0x2600, 0x27bf, "dingbat"],
  [0x2b00, 0x2bff, "dingbat"],
  [0x2e80, 0x2fdf, "han"],
  [0x3000, 0x303f, "wide"],
  // 々 and 〇 stand among the punctuation but are written as Han.
  [0x3005, 0x3005, "han"],
  [0x3007, 0x3007, "han"],
  [0x3040, 0x309f, "hiragana"],
  [0x30a0, 0x30ff, "katakana"],
  [0x3130, 0x318f, "hangul"],
  [0x3400, 0x9fff, "han"],
  [0xac00, 0xd7af, "hangul"],
  [0xf900, 0xfaff, "han"],
  [0xfe00, 0xfe0f, "joiner"],
  [0xfe30, 0xfe4f, "wide"],
  [0xff00, 0xffef, "wide"],
  [0xff66, 0xff9f, "katakana"],
];
const KIND_OF_UNIT = new Uint8Array(0x10000).fill(OTHER);
for (const [first, last, kind] of RANGES) KIND_OF_UNIT.fill(idOf(kind), first, last + 1);

/** A long run of blanks is not free either: without this a megabyte of spaces would fit any budget. */
const BLANKS_PER_TOKEN = 64;
const DIGITS_PER_TOKEN = 3;
/** Plain letters that a word holds as one token; each one more costs its share. */
const LETTERS_PER_TOKEN = 7;
const LONG_WORD_COST = 14;
/** A word right after a mark often shares its token. */
const LATIN_AFTER_SYMBOL = 50;
const NEWLINE_AFTER_MARK = 10;
const HAN_AFTER_WIDE = 80;

/** Of one picture, whatever its size; what providers charge for a large one. */
export const IMAGE_TOKENS = 1600;

/** Beyond every budget; of a longer text the beginning tells what the rest costs. */
const COUNTED_CHARS = 1_000_000;

export function estimateTokens(text: string): number {
  if (text.length <= COUNTED_CHARS) return scan(text, Infinity).hundredths / 100;
  const counted = scan(text.slice(0, COUNTED_CHARS), Infinity).hundredths / 100;
  return Math.round((counted * text.length) / COUNTED_CHARS);
}

/** Length, in UTF-16 units, of the longest beginning that costs at most `budgetTokens`. Never half a surrogate pair. */
export function tokenPrefixLength(text: string, budgetTokens: number): number {
  return scan(text, budgetTokens * 100).end;
}

function scan(text: string, limit: number): { hundredths: number; end: number } {
  let hundredths = 0;
  let before = NOTHING;
  let run = 0;
  /** Plain letters of a word since it began, or since one that is dear by itself. */
  let letters = 0;
  for (let at = 0; at < text.length;) {
    const unit = text.charCodeAt(at);
    const paired = isHigh(unit) && isLow(text.charCodeAt(at + 1));
    const kind = paired ? kindOfPair(text.codePointAt(at) ?? 0) : kindOf(unit, before);
    const isAfterBlank = before === BLANK && run === 1;
    run = kind === before ? run + 1 : 1;
    letters = kind === LOWER && isLatin(before) ? letters + 1 : 1;
    const cost = isLatin(kind)
      ? costInWord(kind, before, isAfterBlank, letters)
      : costOf(kind, before, isAfterBlank, run);
    if (hundredths + cost > limit) return { hundredths, end: at };
    hundredths += cost;
    before = kind;
    at += paired ? 2 : 1;
  }
  return { hundredths, end: text.length };
}

function costInWord(kind: number, before: number, isAfterBlank: boolean, letters: number): number {
  if (isLatin(before)) {
    if (kind === LOWER) return letters > LETTERS_PER_TOKEN ? LONG_WORD_COST : 0;
    // Another word of several written as one.
    return (kind === UPPER && before !== UPPER ? FIRST[kind] : NEXT[kind]) ?? 0;
  }
  if (isAfterBlank || before === APOSTROPHE) return 0;
  return before === SYMBOL ? LATIN_AFTER_SYMBOL : (FIRST[kind] ?? 0);
}

function costOf(kind: number, before: number, isAfterBlank: boolean, run: number): number {
  const first = FIRST[kind] ?? 0;
  if (kind === BLANK) return run % BLANKS_PER_TOKEN === 1 ? first : 0;
  if (kind === DIGIT) return run % DIGITS_PER_TOKEN === 1 ? first : 0;
  if (kind === NEWLINE && run === 1)
    return before === BLANK ? 0 : isMark(before) ? NEWLINE_AFTER_MARK : first;
  if (kind === NEWLINE) return run % BLANKS_PER_TOKEN === 1 ? first : 0;
  if (run > 1 || (kind === SYMBOL && before === APOSTROPHE)) return NEXT[kind] ?? 0;
  if (kind === HAN && before === WIDE) return HAN_AFTER_WIDE;
  return isAfterBlank ? (AFTER_BLANK[kind] ?? 0) : first;
}

/** They stand beside one another in the table. */
function isLatin(kind: number): boolean {
  return kind >= LOWER && kind <= STACKED;
}

function isMark(kind: number): boolean {
  return kind >= APOSTROPHE && kind <= WIDE;
}

function kindOf(unit: number, before: number): number {
  if ((unit === 0x27 || unit === 0x2019) && isLatin(before)) return APOSTROPHE;
  // Combining accents belong to the word they stand in.
  if (unit >= 0x300 && unit <= 0x36f && isLatin(before)) return STACKED;
  return KIND_OF_UNIT[unit] ?? OTHER;
}

function kindOfPair(point: number): number {
  if (point >= 0x20000 && point <= 0x3ffff) return HAN;
  if (point < 0x1f000 || point > 0x1ffff) return OTHER;
  if (point >= 0x1f1e6 && point <= 0x1f1ff) return FLAG;
  if (point >= 0x1f3fb && point <= 0x1f3ff) return JOINER;
  return point < 0x1f900 ? PICTURE : NEW_PICTURE;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
