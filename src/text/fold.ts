/**
 * Spellings of the same thing brought to one: full width, ligatures and
 * accents, traditional characters, typographic apostrophes.
 *
 * For matching only, never for what is shown. Lower-casing is left to the
 * caller, who may still need to see the case (identifiers).
 */
import traditionalPairs from "opencc-js/dict/TSCharacters";

const PLAIN_ASCII = /^[\x00-\x7f]*$/;
const APOSTROPHES = /[\u2018\u2019\u02bc\uff07]/g;
const HAS_HAN = /\p{Script=Han}/u;
const MARKS_ON_LATIN = /(?<=\p{Script=Latin})[\u0300-\u036f]+/gu;
/** Letters that Unicode does not take apart. */
const OTHER_LATIN: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  ı: "i",
  þ: "th",
};
const OTHER_LATIN_LETTER = new RegExp(`[${Object.keys(OTHER_LATIN).join("")}]`, "g");

/** Width, compatibility forms, apostrophes and traditional characters; case and accents stay. */
export function foldText(text: string): string {
  if (PLAIN_ASCII.test(text)) return text;
  const folded = text.normalize("NFKC").replace(APOSTROPHES, "'");
  return HAS_HAN.test(folded) ? simplified(folded) : folded;
}

/** One word in lower case, Latin letters without their accents. */
export function foldWord(word: string): string {
  const lower = word.toLowerCase();
  if (PLAIN_ASCII.test(lower)) return lower;
  return lower
    .normalize("NFD")
    .replace(MARKS_ON_LATIN, "")
    .normalize("NFC")
    .replace(OTHER_LATIN_LETTER, (letter) => OTHER_LATIN[letter] ?? letter)
    .replaceAll("ё", "е");
}

/** Character by character: enough for matching, and it keeps every position. */
export function simplified(text: string): string {
  let changed = false;
  let result = "";
  const simpleOf = (table ??= simplifiedOf());
  for (const char of text) {
    const simple = simpleOf.get(char);
    changed ||= simple !== undefined;
    result += simple ?? char;
  }
  return changed ? result : text;
}

/** Made with the first text that needs it: most commands see none. */
let table: ReadonlyMap<string, string> | undefined;

function simplifiedOf(): ReadonlyMap<string, string> {
  return new Map(
    traditionalPairs.split("|").map((pair): [string, string] => {
      const [traditional = "", simple = ""] = pair.split(" ");
      return [traditional, simple];
    }),
  );
}

/**
 * The same text in memory of its own. A piece that was cut out of a file's text
 * keeps the whole of it in memory for as long as the piece is kept.
 */
export function own<T extends string | object>(held: T): T {
  return JSON.parse(JSON.stringify(held)) as T;
}

/** `__name__` is `name`. */
export function withoutUnderscores(word: string): string {
  let [from, to] = [0, word.length];
  while (from < to && word.charAt(from) === "_") from++;
  while (to > from && word.charAt(to - 1) === "_") to--;
  return word.slice(from, to);
}
