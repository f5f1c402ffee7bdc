/** What a passage is found by; the same for every engine. */
import type { Passage } from "../../model/passage.js";
import { termsOf } from "../../text/terms.js";

/** Who said it is searchable as well: "what did Anna say about the move?" */
export function indexedTermsOf({ speaker, text }: Passage): string[] {
  return speaker === undefined ? termsOf(text) : [...termsOf(speaker), ...termsOf(text)];
}
