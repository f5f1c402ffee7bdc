/** What the scorer is told of a passage: enough to rank it without its text. */
import type { Passage, PassageKind } from "../../model/passage.js";
import type { Role } from "../../model/message.js";
import { partitionOf } from "./partitions.js";
import { indexedTextOf, termsIn, type IndexedText } from "./indexed-text.js";
import { signatureOf, type TermSignature } from "./term-signature.js";

export interface Document extends IndexedText {
  /** Of the passage. */
  id: string;
  kind: PassageKind;
  /** Local day or, of a month's summary, `YYYY-MM`. */
  day: string;
  role?: Role;
  speaker?: string;
  /** Its neighbours are those of the same conversation at sequence ± 1 and ± 2. */
  conversation?: string;
  sequence?: number;
  /** Of its terms. */
  signature: TermSignature;
}

export function documentOf(passage: Passage): Document {
  const { id, kind, day, role, speaker, session, sequence, text } = passage;
  const indexed = indexedTextOf(text);
  return {
    id,
    kind,
    day,
    ...(role === undefined ? {} : { role }),
    ...(speaker === undefined ? {} : { speaker }),
    // The same session in another partition is another conversation.
    ...(session === undefined || sequence === undefined
      ? {}
      : { conversation: JSON.stringify([partitionOf(passage).id, session]), sequence }),
    ...indexed,
    signature: signatureOf(termsIn(indexed.vector)),
  };
}
