/**
 * A document as passages: its text word for word, in stretches that end where
 * sentences do.
 *
 * Pure. Secrets are out of the whole text before it is cut: half a key is no
 * longer known for one.
 */
import type { Passage } from "../model/passage.js";
import type { EpochMs, Zone } from "../model/time.js";
import type { AddedDocument } from "../protocol/document.js";
import { redactOnTheirLines, redactSecrets } from "../text/redact.js";
import { stretchesOf } from "../text/stretches.js";

/** `modifiedAt` of the file stands where the document does not say when it was added. */
export function passagesOfDocument(
  path: string,
  { scope, user, title, addedAt, body, bodyLine }: AddedDocument,
  modifiedAt: EpochMs,
  zone: Zone,
): Passage[] {
  const at = addedAt ?? modifiedAt;
  const named = redactSecrets(title.trim());
  return stretchesOf(redactOnTheirLines(body)).map(({ text, lines: [from, to] }, index): Passage => ({
    id: `${path}#${index + 1}`,
    kind: "document",
    level: "scope",
    scope,
    ...(user === undefined ? {} : { user }),
    path,
    lines: [bodyLine + from, bodyLine + to],
    // What it is called is said once: a document is looked for by its name too.
    text: index === 0 && !text.includes(named) ? `${named}\n${text}` : text,
    saidAt: at,
    day: zone.dayOf(at),
    messageIds: [],
    trust: "document",
  }));
}
