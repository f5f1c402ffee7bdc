/**
 * Where the text of a document stands in the file of the owner's that it is read from. What was added once, or was
 * edited by hand since, may say something else than any file does, and has no such place. Pure.
 */
import { MAIN_SCOPE } from "../model/address.js";
import { docsScope } from "../protocol/document.js";
import { idOfSource } from "../protocol/new-document.js";
import { documentPath } from "../protocol/workspace.js";
import { mayBeSource } from "./sources.js";
import type { HeldDocument } from "./store.js";

/** What is read of the workspace's own files. */
const OWN_DOCS = docsScope(MAIN_SCOPE);

export interface Original {
  /** Relative to the workspace. */
  path: string;
  /** So many lines stand before the text in memd's copy. */
  linesBefore: number;
}

/** Which file is memd's copy of it, whether there is one or not. */
export function copyOf(source: string): string {
  return documentPath(OWN_DOCS, idOfSource(source));
}

export function originalOf({ file, head }: HeldDocument): Original | undefined {
  if (head?.source === undefined || head.stamp === undefined || head.edited) return undefined;
  // A head is anybody's to write: what it names must be read back as this very document.
  if (!mayBeSource(head.source) || copyOf(head.source) !== file) return undefined;
  return { path: head.source, linesBefore: head.bodyLine - 1 };
}
