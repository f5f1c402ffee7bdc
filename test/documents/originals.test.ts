/** Where the text of a document stands in the owner's own file. */
import { expect, test } from "vitest";
import { copyOf, originalOf } from "../../src/documents/originals.js";
import type { HeldDocument } from "../../src/documents/store.js";
import { readableDocument } from "../../src/protocol/document.js";

const DOCS = "memory/scopes/main%3Adocs/documents";
const BOAT = `${DOCS}/notes%2Fboat.md`;

function held(source: string, more = "", file = BOAT): HeldDocument {
  const head = `document: notes/boat\nscope: main:docs\nuser: local\nsource: ${source}\n${more}`;
  const text = `---\n${head}\nhash: dd8a3ab7c2c8f8e6\n---\nThe boat is red.`;
  const document = readableDocument(text);
  if (document === undefined) throw new Error(`no document: ${text}`);
  return { file, stamp: "1", head: { ...document, edited: false } };
}

test("is told by the lines that the copy has in front of it", () => {
  expect(copyOf("notes/boat.md")).toBe(BOAT);
  expect(originalOf(held("notes/boat.md", "stamp: 16 1"))).toEqual({ path: "notes/boat.md", linesBefore: 8 });
});

test("is unknown of what was added once, was edited, or cannot be read", () => {
  expect(originalOf(held("notes/boat.md"))).toBeUndefined();
  const read = held("notes/boat.md", "stamp: 16 1");
  expect(originalOf({ ...read, head: read.head && { ...read.head, edited: true } })).toBeUndefined();
  expect(originalOf({ ...read, head: undefined })).toBeUndefined();
});

test.each(["memory.md", "memory/2026-03-02.md", "../boat.md", "/etc/passwd", "notes/other.md"])(
  "is not %s, which a head says but which is not read back as this document",
  (source) => {
    expect(originalOf(held(source, "stamp: 16 1", BOAT))).toBeUndefined();
    expect(originalOf(held("notes/boat.md", "stamp: 16 1", copyOf("notes/boat.md")))).toBeDefined();
  },
);
