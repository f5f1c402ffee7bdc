import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesOf, noteChanged } from "../../src/archive/entry-bytes.js";

const fields = fc.dictionary(
  fc.constantFrom("id", "text", "archived", "archivedAt", "归档"),
  fc.oneof(fc.string({ unit: "binary" }), fc.boolean(), fc.record({ day: fc.string() })),
);

test("an entry that was changed takes what it takes when it is printed", () => {
  fc.assert(
    fc.property(fc.string(), fields, fields, (text, before, change) => {
      const raw = { role: "user", text, ...before };
      const next = { ...raw, ...change };
      noteChanged(raw, next);
      expect(bytesOf(next)).toBe(Buffer.byteLength(JSON.stringify(next)));
    }),
  );
});
