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

test("numbers that open nothing, lists of what is no password and the sample's conversation stay as they are", () => {
  const harmless = [
    "The garage charged 4800 for the brakes, is 4500 fair?",
    "Our room is 4021 on the fourth floor, take the lift.",
    "The phone bridge is 555-0133, code 4471.",
    "The dial reads 4500 rpm, then 3200.",
    "3-4-5 is a safe ratio for the ladder.",
    "Turn left at 14, 16, 18 on the safe side of the road.",
    "Accounts: Anna leads Acme2024, Ben leads Globex2025, Cleo leads Initech99.",
    "The coupon is for 20% off, code shown at checkout.",
    "He told her that the password policy needs twelve characters.",
    "车库租金是 1200 一个月。",
    "取款 5000，手续费 25。",
    "这箱苹果用 4500 克装。",
    "分辨率设为 1920，输入 1080。",
    "保险每年 3600，车险 4800。",
    "序号 A12-B7 的座位在靠窗。",
    "忘记密码时，答案是去找管理员。",
  ];
  const sample = readFileSync(path.resolve(import.meta.dirname, "../../sample/conversation.jsonl"), "utf8");
  const said = sample
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { text?: string }).text ?? "");
  expect(said.length).toBeGreaterThan(200);
  expect([...harmless, ...said].filter((text) => redactSecrets(text) !== text)).toEqual([]);
});
