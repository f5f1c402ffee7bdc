import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { saysOtherwise, statementsIn } from "../../src/text/statements.js";
import { termsOf } from "../../src/text/terms.js";

function isOverruled(earlier: string, later: string, question: string): boolean {
  const asked = new Set(termsOf(question));
  return statementsIn(later).some((one) =>
    statementsIn(earlier).some((other) => saysOtherwise(one, other, asked)),
  );
}

describe("a later statement on the same matter", () => {
  test.each([
    [
      "The deposit for the mooring is €400.",
      "The deposit for the mooring is €550.",
      "How much is the mooring deposit?",
    ],
    [
      "The survey of the boat is on 3 September.",
      "The boat survey moved to 10 September.",
      "When is the survey of the boat?",
    ],
    [
      "The crew meeting starts at 9:00.",
      "The crew meeting now starts at 10:30.",
      "When is the crew meeting?",
    ],
    ["部署上线时间定在9月3号", "部署上线时间改到10月8号", "什么时候部署上线？"],
    ["装修预算是三万元", "装修预算现在涨到四万元", "装修预算是多少？"],
    ["产品评审会在周三", "产品评审会改到周五", "产品评审会是哪天？"],
  ])("with another value says otherwise: %s – %s", (earlier, later, question) => {
    expect(isOverruled(earlier, later, question)).toBe(true);
    expect(isOverruled(earlier, earlier, question)).toBe(false);
  });

  test("that was not asked for says nothing", () => {
    const [earlier, later] = ["The mooring deposit is €400.", "The mooring deposit is €550."];
    expect(isOverruled(earlier, later, "Who repaired the mast?")).toBe(false);
  });

  test.each([
    ["The mooring deposit is €400.", "The engine service costs €550.", "What is the mooring deposit?"],
    ["The mooring deposit is €400.", "The mooring deposit is due on 3 May.", "What is the mooring deposit?"],
    ["The mast weighs 40 kg.", "The mast measures 12 m.", "How heavy is the mast?"],
    ["We ate 3 mussels at the harbour.", "We ate 5 mussels at the harbour.", "mussels at the harbour"],
    ["装修预算是三万元", "装修工期是两周", "装修预算是多少？"],
  ])(
    "on another matter, of another unit, or of another time does not: %s – %s",
    (earlier, later, question) => {
      expect(isOverruled(earlier, later, question)).toBe(false);
    },
  );

  test("a decision that changes another names it", () => {
    const earlier = "We decided to use MongoDB for the session store.";
    const later = "We decided to move to Postgres instead of MongoDB for the session store.";
    expect(isOverruled(earlier, later, "What do we use as session store?")).toBe(true);
    expect(isOverruled(later, earlier, "What do we use as session store?")).toBe(false);
  });

  test("a decision without a change stands beside the other", () => {
    const earlier = "We decided to use MongoDB for the session store.";
    const later = "We decided to use Vitest for the session tests.";
    expect(isOverruled(earlier, later, "What do we use as session store?")).toBe(false);
  });
});

describe("no statement", () => {
  test.each([
    "Is the mooring deposit €400?",
    "Could you move the boat survey to 10 September",
    "装修预算是三万元吗？",
    "const depositEuro = { mooring: 400 };",
    "The mast is long.",
    "",
  ])("%j", (text) => {
    expect(statementsIn(text)).toEqual([]);
  });

  test("whatever the text: few, each about something", () => {
    const piece = fc.constantFrom(
      "the mooring deposit is €400. ",
      "三月五号",
      "we decided ",
      "12:30 ",
      "，",
      "\n",
      "boat survey ",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 60 }), (pieces) => {
        const statements = statementsIn(pieces.join(""));
        expect(statements.length).toBeLessThan(200);
        for (const { subject, values, isDecision } of statements) {
          expect(subject.size).toBeGreaterThanOrEqual(2);
          expect(values.size > 0 || isDecision).toBe(true);
        }
      }),
    );
  });

  test.each(["1", "三", "1,", "$1", "a", "5 ", "一二", "，"])("100,000 times %j is read like few", (unit) => {
    const long = statementsIn(unit.repeat(100_000));
    expect(long).toEqual(statementsIn(unit.repeat(100_000).slice(0, 1200)));
  });
});
