import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isMemdError } from "../../src/model/errors.js";
import { epochMs } from "../../src/model/time.js";
import {
  docsScope,
  documentSource,
  parseDocument,
  parseDocumentSource,
  placeOfDocs,
  printDocument,
} from "../../src/protocol/document.js";
import { planDocument, putDocument } from "../../src/protocol/documents.js";
import { idOfSource, newDocument } from "../../src/protocol/new-document.js";
import { documentPath } from "../../src/protocol/workspace.js";
import { pressOn } from "../support/writer.js";
import { memoryDisk } from "../support/memory-disk.js";

const NOW = epochMs(Date.parse("2026-03-02T12:00:00.000Z"));
const MAIN = docsScope("main");

describe("a document's file", () => {
  const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 100 });

  test("is read as it was printed, the text byte for byte, whatever it says", () => {
    const texts = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("---\nkind: x\n---\n", "\uFEFFa", "a\r\nb\r", "\n\n x \n", "---", "# T\n\n```\n---\n"),
    );
    fc.assert(
      fc.property(
        fc.record(
          { text: texts, id: name, title: name, user: name, scope: name, source: name, stamp: name },
          { requiredKeys: ["text"] },
        ),
        (given) => {
          let document;
          try {
            document = newDocument(given, NOW);
          } catch (error) {
            // Blank names and texts are refused in a sentence; nothing else is.
            expect(isMemdError(error, "value_invalid")).toBe(true);
            const said = [given.text, given.id, given.title, given.user, given.scope, given.source];
            expect(said.some((one) => one !== undefined && /^[\s\p{Cc}]*$|\0/u.test(one))).toBe(true);
            return;
          }
          const printed = printDocument(document);
          expect(printed.endsWith(document.body)).toBe(true);
          const { bodyLine, edited, ...read } = parseDocument(printed) ?? { edited: true };
          expect(read).toEqual(document);
          expect(edited).toBe(false);
          const before = printed.slice(0, printed.length - document.body.length);
          expect(bodyLine).toBe(before.split("\n").length);
          expect(read).toMatchObject({ body: given.text.toWellFormed() });
        },
      ),
      { numRuns: 500 },
    );
  });

  test("stands under a name that is one file in one folder, whatever its id", () => {
    fc.assert(
      fc.property(name, (id) => {
        const path = documentPath(MAIN, id);
        expect(path).toMatch(/^memory\/scopes\/main%3Adocs\/documents\/[^/\\:]+\.md$/);
        expect(path).not.toMatch(/\/\.[^/]*$/);
      }),
    );
    expect(documentPath(MAIN, "../../memory")).toBe(
      "memory/scopes/main%3Adocs/documents/%2E.%2F..%2Fmemory.md",
    );
  });

  test("that a person edited is known as edited, and keeps what memd does not know", () => {
    const text = printDocument(newDocument({ text: "The ferry leaves at nine." }, NOW));
    const edited = parseDocument(text.replace("nine", "ten").replace("chars:", "mood: calm\nchars:"));
    expect(edited).toMatchObject({ edited: true, body: "The ferry leaves at ten.", extra: { mood: "calm" } });
    expect(edited && printDocument(edited)).toContain("mood: calm");
  });

  test("without a head that names it is none, and a head that cannot be read says so", () => {
    expect(parseDocument("# Just a note")).toBeUndefined();
    expect(parseDocument("---\nscope: main:docs\n---\nx")).toBeUndefined();
    expect(() => parseDocument("---js\nalert(1)\n---\nx")).not.toThrow();
    expect(() => parseDocument("---\ndocument: [\n---\nx")).toThrow(SyntaxError);
  });
});

describe("what is added", () => {
  test("is named by its source, else its title, else its text", () => {
    expect(newDocument({ text: "x", source: "notes/a.md" }, NOW)).toMatchObject({
      id: "notes/a",
      title: "notes/a",
    });
    expect(newDocument({ text: "x", source: "a.txt" }, NOW).id).toBe("a.txt");
    expect(newDocument({ text: "x", title: "House  rules\n" }, NOW)).toMatchObject({
      id: "House rules",
      title: "House rules",
    });
    expect(newDocument({ text: "x" }, NOW).id).toMatch(/^text-[0-9a-f]{8}$/);
    expect(newDocument({ text: "intro\n# The *ferry* #\n# Other", id: "f" }, NOW).title).toBe("The *ferry*");
    expect(idOfSource(".md")).toBe(".md");
  });

  test("belongs to local, in a group to everybody there, and lives in the documents of its scope", () => {
    expect(newDocument({ text: "x" }, NOW)).toMatchObject({ user: "local", scope: "main:docs" });
    expect(newDocument({ text: "x", scope: "main:docs" }, NOW).scope).toBe("main:docs");
    const ofGroup = newDocument({ text: "x", scope: "group:g" }, NOW);
    expect(ofGroup).not.toHaveProperty("user");
    expect(placeOfDocs(ofGroup.scope)).toBe("group:g");
  });

  test.each([
    ["an empty text", { text: " \n" }, /is empty/],
    ["binary data", { text: "a\0b" }, /binary data/],
    ["more than 10 MB", { text: "é".repeat(6 * 1024 * 1024) }, /larger than 10 MB/],
    ["a blank id", { text: "x", id: " " }, /"id" must be more than blanks/],
    ["an endless id", { text: "x", id: "x".repeat(301) }, /300 characters/],
    ["a user that no head can hold", { text: "x", user: "- ".repeat(70_000) }, /cannot be kept/],
  ])("is refused when it is %s", (_what, given, sentence) => {
    expect(() => newDocument(given, NOW)).toThrow(sentence);
  });
});

describe("what becomes of a text that is added where another stands", () => {
  const fresh = newDocument({ text: "new", id: "a" }, NOW);
  const standing = (text: string, more: object = {}) => {
    const document = { ...newDocument({ text, id: "a" }, NOW), windowChars: 8000, ...more };
    return { ...document, bodyLine: 9, edited: false };
  };
  const plan = (before: ReturnType<typeof standing> | undefined, next = fresh, titled = false) =>
    planDocument(before, next, { titled });

  test("nothing, when it is the same, even where a person has edited what stands", () => {
    expect(plan(standing("new"))).toEqual({ outcome: "same" });
    expect(plan({ ...standing("new"), body: "by hand", edited: true })).toEqual({ outcome: "same" });
  });

  test("another title changes the title alone", () => {
    const titled = newDocument({ text: "new", id: "a", title: "T" }, NOW);
    expect(plan(standing("new"), titled, true)).toMatchObject({
      outcome: "same",
      next: { title: "T", windowChars: 8000, body: "new" },
    });
  });

  test("it replaces what stands as a whole, and is still to be handed over", () => {
    const planned = plan(standing("old", { extra: { mood: "calm" } }));
    expect(planned).toEqual({ outcome: "replaced", next: { ...fresh, extra: { mood: "calm" } } });
    expect(planned.next).not.toHaveProperty("windowChars");
  });

  test("what a person made of the old one goes to conflicts first", () => {
    expect(plan({ ...standing("old"), body: "by hand", edited: true })).toMatchObject({ conflict: true });
    expect(plan({ ...standing("old"), body: "new", edited: true })).not.toHaveProperty("conflict");
  });

  test("another user's is never replaced, nor one that is read from a file", () => {
    expect(() => plan(standing("old", { user: "lin" }))).toThrow(/document of lin/);
    expect(() => plan(standing("new", { user: "lin" }))).toThrow(/document of lin/);
    expect(() => plan(standing("old", { source: "notes/a.md", stamp: "1 2" }))).toThrow(
      /read from notes\/a\.md/,
    );
  });
});

describe("putting it there", () => {
  const workspace = { root: "/w" };

  test("a head that nobody can read is kept beside, and one that is no text stops it", async () => {
    const disk = memoryDisk();
    const file = `/w/${documentPath(MAIN, "a")}`;
    await disk.makeDir("/w/memory/scopes/main%3Adocs/documents");
    disk.writeInPlace(file, "---\ndocument: [\n---\nmine");
    const writer = pressOn(disk);
    expect(await putDocument(writer, workspace, { text: "new", id: "a" }, NOW)).toMatchObject({
      outcome: "added",
      conflict: true,
    });
    expect(Object.entries(disk.files()).find(([path]) => path.includes("/conflicts/"))?.[1]).toContain(
      "mine",
    );
    expect(parseDocument(disk.files()[file] ?? "")?.body).toBe("new");
  });

  test("a change that comes in between is met again, not written over", async () => {
    const disk = memoryDisk();
    const writer = pressOn(disk);
    const { file } = await putDocument(writer, workspace, { text: "old", id: "a" }, NOW);
    let struck = false;
    disk.before((operation, path) => {
      if (struck || operation !== "create" || !path.includes("/documents/")) return;
      struck = true;
      disk.writeInPlace(`/w/${file}`, (disk.files()[`/w/${file}`] ?? "").replace(/old$/, "old, by hand"));
    });
    expect(await putDocument(writer, workspace, { text: "new", id: "a" }, NOW)).toMatchObject({
      outcome: "replaced",
      conflict: true,
    });
    const conflicts = Object.entries(disk.files()).filter(([path]) => path.includes("/conflicts/"));
    expect(conflicts.map(([, text]) => text.endsWith("old, by hand"))).toEqual([true]);
  });
});

test("a record says in which text of which document it was found", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.stringMatching(/^[0-9a-f]{16}$/), (id, hash) => {
      expect(parseDocumentSource(documentSource(id, hash))).toEqual({ id, hash });
    }),
  );
  expect(parseDocumentSource("q-1")).toBeUndefined();
});
