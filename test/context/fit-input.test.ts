import fc from "fast-check";
import { expect, test } from "vitest";
import type { FittedMessages } from "../../src/context/fit-history.js";
import { atOnce } from "../../src/model/steps.js";
import { fitInput } from "../../src/context/fit-input.js";
import type { FiledMessage } from "../../src/model/message.js";
import { epochMs, parseInstant } from "../../src/model/time.js";
import { estimateTokens } from "../../src/text/tokens.js";
import { anyFiled, filed, zone } from "./given.js";

const now = parseInstant("2026-01-28T16:30:00Z") ?? epochMs(0);

function fit(messages: readonly FiledMessage[], budgetTokens = 8000): FittedMessages {
  return atOnce(fitInput(messages, zone, now, budgetTokens));
}

test("what waits stands below the present time, whole", () => {
  expect(fit([filed({ text: "hello\n\nthere" }), filed({ text: "最近怎么样？", speaker: "林悦" })]).body)
    .toMatchInlineSnapshot(`
    "Now: 2026-01-29 00:30, Thursday (Asia/Shanghai).
    2026-01-28 14:03 user:
        hello

        there
    2026-01-28 14:03 林悦: 最近怎么样？"
  `);
});

test("a long input gives its head and says where the rest is", () => {
  const { body, cuts } = fit([
    filed({ text: "word ".repeat(20_000) }),
    filed({ text: "Summarise this, please." }),
  ]);
  expect(estimateTokens(body)).toBeLessThanOrEqual(8000);
  expect(estimateTokens(body)).toBeGreaterThan(7900);
  expect(body).toMatch(
    /word \[truncated\]\n2026-01-28 14:03 user: Summarise this, please\.\n\(This is the head of the input: 1 message shortened\. The rest is in inbox\.json\.\)$/,
  );
  expect(cuts).toEqual(["1 message shortened"]);
});

test("of too many messages the first that came are shown", () => {
  const { body, shown } = fit(
    Array.from({ length: 2000 }, (_, index) => filed({ text: `question ${index}` })),
  );
  expect(shown.length).toBeGreaterThan(300);
  expect(body).toContain("question 0\n");
  expect(body).toMatch(
    new RegExp(`${2000 - shown.length} more waiting\\. The rest is in inbox\\.json\\.\\)$`),
  );
  expect(estimateTokens(body)).toBeLessThanOrEqual(8000);
});

test("an input of ten megabytes takes no more than a moment", () => {
  const messages = [filed({ text: "a1 你好\n".repeat(1_500_000) })];
  const start = performance.now();
  expect(estimateTokens(fit(messages).body)).toBeLessThanOrEqual(8000);
  expect(performance.now() - start).toBeLessThan(1000);
});

test("whatever waits: the budget holds, and what is cut is said", () => {
  fc.assert(
    fc.property(
      fc.array(anyFiled, { maxLength: 8 }),
      fc.integer({ min: 1, max: 1500 }),
      (messages, budgetTokens) => {
        const { body, shown, cuts } = fit(messages, budgetTokens);
        expect(estimateTokens(body)).toBeLessThanOrEqual(budgetTokens);
        const whole = cuts.length === 0;
        expect(shown.some((entry) => entry.cut)).toBe(
          !whole && cuts.some((cut) => cut.includes("shortened")),
        );
        if (body !== "") expect(body.includes("The rest is in inbox.json.")).toBe(!whole);
      },
    ),
    { numRuns: 200 },
  );
});
