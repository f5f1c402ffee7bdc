/** Shapes of secrets that people wrote who had not seen the code; figures of the half that nobody looked at are told by `npm run bench -- secrets`. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { redactSecrets } from "../../src/text/redact.js";
import { isPlaceholder } from "../../src/text/secrets/named.js";
import { EVERYDAY, TOLD } from "../../src/text/secrets/told.js";

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
  expect(shareGone(linesOf("look.jsonl"))).toBeGreaterThan(0.97);
  expect(shareGone(linesOf("hold.jsonl"))).toBeGreaterThan(0.96);
});

test("texts that only look as if they held one stay as they are", () => {
  const touched = linesOf<{ text: string }>("harmless.jsonl").filter(
    ({ text }) => redactSecrets(text) !== text,
  );
  expect(touched.length).toBeLessThanOrEqual(3);
});

test("what a command or a sentence gives as a secret is looked at wherever it stands", () => {
  const shapes = linesOf<Shape>("look.jsonl").filter(({ secret }) => secret !== undefined);
  const missed = shapes.flatMap(({ secret = "", en, zh }) =>
    [...en, ...zh].filter((text) => {
      const ways = TOLD.filter(({ sign }) => sign.test(text)).flatMap((way) => way.shapes);
      const given = ways.some((shape) => [...text.matchAll(shape)].some(([value]) => value === secret));
      const isOne = given && !isPlaceholder(secret) && !EVERYDAY.test(secret);
      return isOne && redactSecrets(text).includes(secret);
    }),
  );
  expect(missed).toEqual([]);
});
