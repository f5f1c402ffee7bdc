import fc from "fast-check";
import { expect, test } from "vitest";
import type { Passage } from "../../src/model/passage.js";
import { DEFAULT_SETTINGS } from "../../src/model/settings.js";
import { type Decay, withDecay } from "../../src/recall/rank.js";
import { documentOf } from "../../src/recall/index/document.js";
import type { CorpusStatistics } from "../../src/recall/index/engine.js";
import { boundOf, type Day, DAY_MS, epochMs, orderedPeriod, zoneOf } from "../../src/model/time.js";
import { questionOf } from "../../src/recall/question.js";
import { score } from "../../src/recall/score.js";
import { NOON, said } from "./passage-samples.js";

const ASKED = "violin garden harbour";

/** 1000 passages of 20 terms; each of the three terms asked for is in 5. */
const corpus = (more: Partial<CorpusStatistics> = {}): CorpusStatistics => ({
  passages: 1000,
  length: 20_000,
  windows: 1000,
  documentFrequencies: [5, 5, 5],
  speakers: [],
  ...more,
});
/** A number as a word of its own. */
const spelt = (index: number): string =>
  [...String(index)].map((digit) => "bcdfghjklm"[Number(digit)]).join("") + "z";
/** As many terms that nobody asks for as make the text so long. */
const padded = (text: string, length: number): string => {
  const words = text === "" ? [] : text.split(" ");
  return [...words, ...Array.from({ length: length - words.length }, (_, index) => spelt(index))].join(" ");
};
const ranked = (
  passages: readonly Passage[],
  question = questionOf(ASKED, []),
  statistics = corpus({ documentFrequencies: question.terms.map(() => 5) }),
): { text: string; similarity: number; parts: Record<string, number> }[] =>
  score(
    question,
    statistics,
    passages.map((passage) => ({ document: documentOf(passage), eligible: true })),
    100,
  ).map(({ at, similarity, parts }) => ({ text: passages[at]?.text ?? "", similarity, parts }));
const similarity = (text: string, statistics = corpus()): number =>
  ranked([said(text)], questionOf(ASKED, []), statistics)[0]?.similarity ?? 0;

test("holding all that the question turns on is about .5, one of three words about a quarter", () => {
  expect(similarity(padded("violin nothing garden nothing harbour", 20))).toBeCloseTo(0.5, 1);
  expect(similarity(padded("violin", 20))).toBeCloseTo(0.25, 1);
  expect(similarity(padded("", 20))).toBe(0);
});

test("the size of the memory hardly matters to a similarity", () => {
  const text = padded("violin nothing garden nothing harbour", 20);
  const small = corpus({ passages: 3, length: 60, windows: 3, documentFrequencies: [1, 1, 1] });
  expect(similarity(text, small)).toBeCloseTo(similarity(text), 1);
});

test("more of a term never lowers a score, a longer passage never raises it", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 30, max: 60 }), (times, length) => {
      const holding = (count: number): string => Array.from({ length: count }, () => "violin").join(" ");
      expect(similarity(padded(holding(times + 1), length))).toBeGreaterThan(
        similarity(padded(holding(times), length)),
      );
      expect(similarity(padded(holding(times), length + 1))).toBeLessThan(
        similarity(padded(holding(times), length)),
      );
    }),
  );
});

const turn = (sequence: number, text: string, more: Partial<Passage> = {}): Passage =>
  said(text, { id: String(sequence), sequence, ...more });

test("an answer is found by its question, more so when somebody else asked it", () => {
  const answer = turn(1, "Behind the shed, near the pump.", { speaker: "Bo" });
  const of = (question: Passage): number => ranked([question, answer])[1]?.similarity ?? 0;
  const asked = of(turn(0, "Where is the violin?", { speaker: "Ana" }));
  expect(asked).toBeGreaterThan(of(turn(0, "There is the violin.", { speaker: "Ana" })));
  expect(asked).toBeGreaterThan(of(turn(0, "Where is the violin?", { speaker: "Bo" })));
  expect(of(turn(9, "Where is the violin?", { speaker: "Ana" }))).toBe(0);
});

test("of a long message the best stretch counts, not its length", () => {
  const sentence = (about: string): string => `${padded(about, 20)}.`;
  const long = Array.from({ length: 20 }, (_, index) => sentence(index === 7 ? "violin garden" : "")).join(
    " ",
  );
  const spread = Array.from({ length: 20 }, (_, index) =>
    sentence(index === 2 ? "violin" : index === 17 ? "garden" : ""),
  ).join(" ");
  const statistics = corpus({ windows: 5000, length: 300_000 });
  expect(similarity(long, statistics)).toBeGreaterThan(similarity(spread, statistics));
});

test("the person that the question names is preferred; naming everybody prefers nobody", () => {
  const turns = [
    said("The violin is old.", { id: "1", speaker: "Ana" }),
    said("The violin is old!", { id: "2", speaker: "Bo" }),
  ];
  const first = (text: string, speakers = ["Ana", "Bo"]): string | undefined =>
    ranked(turns, questionOf(text, []), corpus({ speakers, documentFrequencies: [5, 5, 5] }))[0]?.text;
  expect(first("What did Bo say of the violin?")).toBe("The violin is old!");
  expect(first("What did Ana say of the violin?")).toBe("The violin is old.");
  const both = ranked(turns, questionOf("violin of Ana and Bo", []), corpus({ speakers: ["Ana", "Bo"] }));
  expect(both.every(({ parts }) => parts["speaker"] === undefined)).toBe(true);
});

test("what the agent said counts less, unless that is what is asked", () => {
  const turns = [
    said("Take the violin.", { id: "1", role: "agent" }),
    said("I take the violin.", { id: "2" }),
  ];
  expect(ranked(turns, questionOf("violin", []))[0]?.text).toBe("I take the violin.");
  const asked = ranked(turns, questionOf("what did you say about the violin?", []));
  expect(asked.every(({ parts }) => parts["agent"] === undefined)).toBe(true);
});

test("what is asked of a person comes behind what answers it; what an agent is asked tells who asks", () => {
  const asked = (next: Partial<Passage>): Record<string, number> | undefined =>
    ranked(
      [
        said("Where is the violin?", { id: "1", sequence: 1 }),
        said("On the shelf.", { id: "2", sequence: 2, ...next }),
      ],
      questionOf("violin", []),
    ).find(({ text }) => text === "Where is the violin?")?.parts;
  expect(asked({ role: "user", speaker: "Bo" })?.["asked"]).toBeLessThan(1);
  expect(asked({ role: "agent" })?.["asked"]).toBeUndefined();
  const long = said(`${padded("violin", 30)}, is it not?`, { sequence: 1 });
  expect(ranked([long], questionOf("violin", []))[0]?.parts["asked"]).toBeUndefined();
});

test("how a person wants things done counts more to the agent they told, where something is to be done", () => {
  const wish = (question: string, next: Partial<Passage>): number | undefined =>
    ranked(
      [
        said("Always tune the violin first.", { id: "1", sequence: 1 }),
        said("Sure.", { id: "2", sequence: 2, ...next }),
      ],
      questionOf(question, []),
    ).find(({ text }) => text.startsWith("Always"))?.parts["wish"];
  expect(wish("how do I play the violin", { role: "agent" })).toBeGreaterThan(1);
  expect(wish("violin tuned first", { role: "agent" })).toBeUndefined();
  expect(wish("what did I play on the violin", { role: "agent" })).toBeUndefined();
  expect(wish("how do I play the violin", { role: "user", speaker: "Bo" })).toBeUndefined();
});

test("a date in the question prefers the days it names", () => {
  const turns = ["2025-03-04", "2025-06-15"].map((day) => said(`violin on ${day}`, { id: day, day }));
  const march = questionOf("violin", [{ from: "2025-03-04" as Day, to: "2025-03-04" as Day }]);
  expect(ranked(turns, march).map(({ text }) => text)).toEqual([
    "violin on 2025-03-04",
    "violin on 2025-06-15",
  ]);
  const june = questionOf("violin", [{ month: 6 }]);
  expect(ranked(turns, june)[0]?.text).toBe("violin on 2025-06-15");
});

test("a session that is about the question lifts its turns", () => {
  const turns = [
    turn(0, "The garden is wet.", { session: "a" }),
    turn(5, "The harbour too.", { session: "a" }),
    turn(10, "I play the violin.", { session: "a" }),
    turn(0, "You play the violin.", { session: "b" }),
  ];
  const [best, next] = ranked(turns).filter(({ text }) => text.includes("violin"));
  expect(best?.text).toBe("I play the violin.");
  expect(best?.parts["session"]).toBeGreaterThan(next?.parts["session"] ?? 1);
});

test("equal hits are in the order of their ids, whatever order they come in", () => {
  const turns = ["c", "a", "b"].map((id) => said("The violin.", { id }));
  const order = (passages: readonly Passage[]): number[] =>
    score(
      questionOf("violin", []),
      corpus(),
      passages.map((passage) => ({ document: documentOf(passage), eligible: true })),
      3,
    ).map(({ at }) => at);
  expect(order(turns)).toEqual([1, 2, 0]);
  expect(order([...turns].reverse())).toEqual([1, 0, 2]);
});

const hit = (score: number, ageDays: number): Parameters<typeof withDecay>[0] => ({
  passage: said("tea", { saidAt: epochMs(NOON - ageDays * DAY_MS) }),
  score,
  parts: {},
});

const decay = (halfLifeDays: number, more: Partial<Decay> = {}): Decay => ({
  ...DEFAULT_SETTINGS.recall,
  halfLifeDays,
  ...more,
});

test("how much being new counts, from what score on and whether at all is a setting", () => {
  const now = hit(0.5, 0);
  expect(withDecay(now, NOON, decay(14, { decay: false }))).toBe(now);
  expect(withDecay(now, NOON, decay(14, { decay_min_similarity: 0.6 }))).toBe(now);
  expect(withDecay(now, NOON, decay(14, { decay_boost: 0.2 })).score).toBeCloseTo(0.6);
});

test("decay is of the seed's form: some more for now, half of that after a half-life", () => {
  const now = withDecay(hit(0.5, 0), NOON, decay(14)).score - 0.5;
  expect(now).toBeGreaterThan(0);
  expect(withDecay(hit(0.5, 14), NOON, decay(14)).score - 0.5).toBeCloseTo(now / 2);
  expect(withDecay(hit(0.5, 60), NOON, decay(60)).score - 0.5).toBeCloseTo(now / 2);
});

test("being recent does not help what is not similar, nor counts the future for more than now", () => {
  expect(withDecay(hit(0.34, 0), NOON, decay(14)).score).toBe(0.34);
  expect(withDecay(hit(0.5, -400), NOON, decay(14)).score).toBe(
    withDecay(hit(0.5, 0), NOON, decay(14)).score,
  );
  expect(withDecay(hit(0.99, 0), NOON, decay(14)).score).toBe(1);
});

test("a period is written in days or instants", () => {
  expect(boundOf("2025-03-04")).toEqual({ day: "2025-03-04" });
  expect(boundOf("2025-03-04T10:00:00Z")).toEqual({ at: Date.parse("2025-03-04T10:00:00Z") });
  expect(boundOf("yesterday")).toBeUndefined();
});

test("a day and an instant inside it are in order both ways round", () => {
  const zone = zoneOf("UTC");
  const [day, noon] = [boundOf("2025-03-04"), boundOf("2025-03-04T12:00:00Z")];
  if (day === undefined || noon === undefined) throw new Error("no bounds");
  expect(orderedPeriod({ from: day, to: noon }, zone).warnings).toEqual([]);
  expect(orderedPeriod({ from: noon, to: day }, zone).warnings).toEqual([]);
});
