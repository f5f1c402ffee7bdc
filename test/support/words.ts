/** The tables of `dictionary/`, as memd reads them. */
import { dictionaryText } from "../../src/platform/package-root.js";
import { type Words, wordsIn } from "../../src/text/everyday-words.js";

export const EVERYDAY: Words = wordsIn((name) => (name === "words" ? undefined : dictionaryText(name)));
