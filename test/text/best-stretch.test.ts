import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bestStretch, termsHeld, worthOf, type Wanted } from "../../src/text/best-stretch.js";
import { termsOf } from "../../src/text/terms.js";

const wanted = (question: string): Wanted => new Map(termsOf(question).map((term) => [term, 1]));
const filler = (sentences: number): string => "The weather was grey and the tea was cold. ".repeat(sentences);
const hanFiller = (sentences: number): string => "今天天气阴沉，茶也凉透了。".repeat(sentences);

describe("the part of a text that is quoted", () => {
  test("is all of it where it is short", () => {
    expect(bestStretch("The mast is broken.", wanted("anchor"), 300)).toBe("The mast is broken.");
  });

  test("is where the words are that are looked for", () => {
    const text = `${filler(20)}Bruno paid 340 euros for the new mast in Lisbon. ${filler(20)}`;
    const stretch = bestStretch(text, wanted("What did Bruno pay for the mast?"), 150);
    expect(stretch).toContain("Bruno paid 340 euros for the new mast in Lisbon.");
    expect(stretch.startsWith("… ")).toBe(true);
    expect(stretch.endsWith(" …")).toBe(true);
  });

  test("of several places is the one that holds most of them", () => {
    const text = `The mast stood. ${filler(10)}Bruno paid for the mast in Lisbon. ${filler(10)}Bruno slept.`;
    expect(bestStretch(text, wanted("Bruno mast Lisbon"), 100)).toContain(
      "Bruno paid for the mast in Lisbon.",
    );
  });

  test("weighs a telling word more than a common one", () => {
    const text = `The tea and the boat and the tea. ${filler(10)}Here lies the anchor. ${"It rains. ".repeat(30)}`;
    const stretch = bestStretch(text, new Map([["boat", 0.2], ["anchor", 1]]), 80); // prettier-ignore
    expect(stretch).toContain("anchor");
  });

  test("is found in Chinese", () => {
    const text = `${hanFiller(20)}布鲁诺花了三百四十欧元买新桅杆。${hanFiller(20)}`;
    const stretch = bestStretch(text, wanted("桅杆花了多少钱"), 60);
    expect(stretch).toContain("买新桅杆");
    expect(stretch.startsWith("… ")).toBe(true);
  });

  test("is the beginning where nothing is looked for, or nothing is there", () => {
    const text = `Dear all. ${filler(30)}`;
    for (const question of ["", "zeppelin", "飞艇"]) {
      const stretch = bestStretch(text, wanted(question), 100);
      expect(stretch.startsWith("Dear all. The weather")).toBe(true);
      expect(stretch.endsWith(" …")).toBe(true);
    }
  });

  test("reaches the end of the text where that holds the words", () => {
    const text = `${filler(30)}The anchor is gone`;
    expect(bestStretch(text, wanted("anchor"), 100).endsWith("The anchor is gone")).toBe(true);
  });

  test("is never longer than asked for, stands so in the text, and halves no character", () => {
    const piece = fc.constantFrom(
      "the mast ",
      "桅杆",
      "。",
      ". ",
      "👩‍👩‍👧",
      "🇵🇹",
      "e\u0301",
      "x".repeat(70),
      " ",
      "\n",
      "锚",
    );
    const text = fc.array(fc.oneof(piece, fc.string({ unit: "grapheme" })), { maxLength: 80 });
    fc.assert(
      fc.property(text, fc.integer({ min: 20, max: 400 }), (pieces, maxChars) => {
        const all = pieces.join("");
        const stretch = bestStretch(all, wanted("mast 桅杆 锚"), maxChars);
        if (all.length <= maxChars) {
          expect(stretch).toBe(all);
          return;
        }
        const bare = stretch.replace(/^… /, "").replace(/ …$/, "");
        expect(bare.length).toBeLessThanOrEqual(maxChars);
        expect(all.includes(bare)).toBe(true);
        expect(stretch.isWellFormed()).toBe(all.isWellFormed());
        const begins = all.indexOf(bare);
        const borders = new Set([...new Intl.Segmenter().segment(all)].map(({ index }) => index));
        const isWhole = (at: number): boolean => at === all.length || borders.has(at);
        // The same words may stand in several places; one of them is on borders.
        let isOnBorders = false;
        for (let at = begins; at !== -1; at = all.indexOf(bare, at + 1))
          isOnBorders ||= isWhole(at) && isWhole(at + bare.length);
        expect(isOnBorders).toBe(true);
      }),
    );
  });

  test.each(["a", "mast ", "桅杆", ".", "\n"])("100,000 times %j is cut like anything", (unit) => {
    expect(bestStretch(unit.repeat(100_000), wanted("a mast 桅杆"), 300).length).toBeLessThanOrEqual(304);
  });
});

describe("what a text holds", () => {
  test("is found by how its words begin, never inside another word", () => {
    expect([...termsHeld("Her allergies got worse.", wanted("allergic allergy"))]).not.toEqual([]);
    expect([...termsHeld("The paintings hang.", wanted("ten"))]).toEqual([]);
  });

  test("is worth each term once", () => {
    const each: Wanted = new Map([["mast", 2], ["锚", 1]]); // prettier-ignore
    expect(worthOf("mast, mast, mast", each)).toBe(2);
    expect(worthOf("mast 锚", each)).toBe(3);
    expect(worthOf("keel", each)).toBe(0);
  });
});
