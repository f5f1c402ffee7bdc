/** What a passage is found by; the same for every engine. */
import type { Passage } from "../../model/passage.js";
import { termsOf } from "../../text/terms.js";
import { repeatedTerms } from "./indexed-text.js";

/** Who said it is searchable as well: "what did Anna say about the move?" */
export function indexedTermsOf({ speaker }: Pick<Passage, "speaker">, vector: string): string[] {
  const terms = repeatedTerms(vector);
  return speaker === undefined ? terms : [...new Set(termsOf(speaker)), ...terms];
}
