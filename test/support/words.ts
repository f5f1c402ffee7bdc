/** The tables of `dictionary/`, as memd reads them. */
import { readWords } from "../../src/recall/words.js";
import { NO_WORDS, type Words } from "../../src/text/everyday-words.js";

/** All but the dictionary of the two languages. */
export const EVERYDAY: Words = { ...readWords(), dictionary: NO_WORDS.dictionary };

/** A table as it stands in its file. */
export function bytesOf(lines: string): Uint8Array {
  return new TextEncoder().encode(lines);
}
