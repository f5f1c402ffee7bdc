/** Shapes of secrets that people wrote who had not seen the code; figures of the half that nobody looked at are told by `npm run bench -- secrets`. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { redactSecrets } from "../../src/text/redact.js";

interface Shape {
  secret?: string;
  secrets?: string[];
  en: string[];
  zh: string[];
}

function linesOf<T>(name: string): T[] {
  const file = path.resolve(import.meta.dirname, "../../bench/sets/secrets", name);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as T);
}

/** A shape counts when its value is gone from all its texts. */
function shareGone(shapes: readonly Shape[]): number {
  const gone = shapes.filter(({ secret = "", secrets = [secret], en, zh }) =>
    [...en, ...zh].every((text) => {
      const clean = redactSecrets(text);
      return secrets.every((value) => !clean.includes(value));
    }),
  );
  return gone.length / shapes.length;
}

test("of the shapes that were looked at, and of those that were not, nearly all are gone", () => {
  expect(shareGone(linesOf("look.jsonl"))).toBeGreaterThan(0.94);
  expect(shareGone(linesOf("hold.jsonl"))).toBeGreaterThan(0.93);
});

test("texts that only look as if they held one stay as they are", () => {
  const touched = linesOf<{ text: string }>("harmless.jsonl").filter(
    ({ text }) => redactSecrets(text) !== text,
  );
  expect(touched.length).toBeLessThanOrEqual(4);
});
