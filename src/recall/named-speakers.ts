/** Which of those who speak in a place a question names. Pure. */
import { foldText, foldWord } from "../text/fold.js";

/** "Mel" is Melanie; two letters are too few to be sure of anybody. */
const SHORTEST_SHORT_NAME = 3;

/** Empty where it names nobody, or everybody: then the names tell nothing. */
export function namedSpeakers(words: readonly string[], speakers: readonly string[]): ReadonlySet<string> {
  const named = speakers.filter((speaker) => isNamed(speaker, words));
  return new Set(named.length === speakers.length ? [] : named);
}

function isNamed(speaker: string, words: readonly string[]): boolean {
  const name = foldWord(foldText(speaker)).trim();
  if (name === "") return false;
  const [given = ""] = name.split(/[^\p{L}\p{M}\p{N}]+/u);
  return words.some(
    (word) =>
      word === given ||
      word === name ||
      (word.length >= SHORTEST_SHORT_NAME && given.startsWith(word)) ||
      // Chinese puts no spaces around a name.
      (/\p{Script=Han}/u.test(name) && [...name].length > 1 && word.includes(name)),
  );
}
