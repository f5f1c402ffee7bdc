/** What some models expect in front of a text, to know which of the two it is. Pure. */
import type { TextKind } from "./encoder.js";

const PREFIXES: readonly { of: RegExp; passage: string; question: string }[] = [
  { of: /(?<![a-z0-9])e5(?![a-z0-9])/i, passage: "passage: ", question: "query: " },
  { of: /nomic-embed-text/i, passage: "search_document: ", question: "search_query: " },
];

/** As the model, known by its name, was taught to read it. */
export function prefixed(text: string, model: string, kind: TextKind): string {
  const known = PREFIXES.find(({ of }) => of.test(model));
  return known === undefined ? text : `${known[kind]}${text}`;
}
