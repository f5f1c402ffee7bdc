import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type FittedMessages, fitHistory } from "../../src/context/fit-history.js";
import { costOfLines } from "../../src/context/fit.js";
import { atOnce } from "../../src/model/steps.js";
import type { FiledMessage, Message } from "../../src/model/message.js";
import { DEFAULT_SETTINGS } from "../../src/model/settings.js";
import { estimateTokens } from "../../src/text/tokens.js";
import { anyFiled, filed, zone } from "./given.js";

const BUDGET = 4096;
const settings = DEFAULT_SETTINGS.context;

function fit(messages: readonly FiledMessage[], budgetTokens = BUDGET): FittedMessages {
  return atOnce(fitHistory(messages, settings, zone, budgetTokens));
}

/** One message a minute from 14:00. */
function talk(...texts: (string | (Partial<Omit<Message, "id">> & { text: string }))[]): FiledMessage[] {
  return texts.map((given, minute) => {
    const message = typeof given === "string" ? { text: given } : given;
    return filed({ createdAt: new Date(Date.UTC(2026, 0, 28, 6, minute)).toISOString(), ...message });
  });
}

test("every message has its date and time, oldest first", () => {
  const { body } = fit(
    talk(
      "部署好了吗？",
      { role: "agent", text: "还没有。\n再等五分钟。" },
      { role: "system", text: "deploy done" },
    ),
  );
  expect(body).toMatchInlineSnapshot(`
    "2026-01-28 14:00 user: 部署好了吗？
    2026-01-28 14:01 agent:
        还没有。
        再等五分钟。
    2026-01-28 14:02 system: deploy done"
  `);
});

test("at most 20, the newest", () => {
  const { shown, body, cuts } = fit(talk(...Array.from({ length: 60 }, (_, index) => `message ${index}`)));
  expect(shown).toHaveLength(20);
  expect(body.split("\n")[0]).toMatch(/message 40$/);
  expect(cuts).toEqual(["40 older messages not shown"]);
});

test("the budget ends the history before that", () => {
  const { shown, body } = fit(
    talk(...Array.from({ length: 20 }, () => "好的".repeat(250)).map((text, index) => `${index} ${text}`)),
  );
  expect(shown).toHaveLength(10);
  expect(estimateTokens(body)).toBeLessThanOrEqual(BUDGET);
  expect(estimateTokens(body)).toBeGreaterThan(BUDGET - 450);
});

test("what fits is whole, however long each message is", () => {
  const { body, cuts } = fit(talk("长".repeat(2000), { role: "agent", text: "短".repeat(2000) }));
  const [asked, answered] = body.split("\n");
  expect(asked).toBe(`2026-01-28 14:00 user: ${"长".repeat(2000)}`);
  expect(answered).toBe(`2026-01-28 14:01 agent: ${"短".repeat(2000)}`);
  expect(cuts).toEqual([]);
});

describe("what does not fit is cut to 500 characters", () => {
  const result = (text: string): Parameters<typeof talk>[0] => ({
    role: "tool",
    text: "",
    tool: { name: "t", callId: "", result: text },
  });
  const cutIn = (messages: readonly FiledMessage[], budgetTokens: number): boolean[] =>
    fit(messages, budgetTokens).shown.map(({ cut }) => cut);
  const messages = talk(
    "一".repeat(800),
    result("二".repeat(900)),
    { role: "agent", text: "三".repeat(800) },
    { text: "四".repeat(800), scene: "document" },
    { role: "agent", text: "五".repeat(800) },
    "六".repeat(800),
  );

  test("first what tools and documents say, then the agent's words, last those of people; older before newer", () => {
    const whole = fit(messages, 10_000);
    const tokens = estimateTokens(whole.body);
    expect(cutIn(messages, tokens + 10)).toEqual([false, false, false, false, false, false]);
    expect(cutIn(messages, tokens - 10)).toEqual([false, true, false, false, false, false]);
    expect(cutIn(messages, tokens - 400)).toEqual([false, true, false, true, false, false]);
    expect(cutIn(messages, tokens - 700)).toEqual([false, true, true, true, false, false]);
    expect(cutIn(messages, tokens - 950)).toEqual([false, true, true, true, true, false]);
    expect(cutIn(messages, tokens - 1200)).toEqual([true, true, true, true, true, false]);
    expect(cutIn(messages, tokens - 1400)).toEqual([true, true, true, true, true, true]);
  });

  test("before any of the twenty is left out", () => {
    const words = "The ferry sails at nine. ".repeat(40);
    const { shown } = fit(talk(...Array.from({ length: 30 }, (_, index) => `${index} ${words}`)));
    expect(shown).toHaveLength(20);
    expect(shown.some(({ cut }) => !cut)).toBe(true);
    expect(shown.findIndex(({ cut }) => !cut)).toBe(shown.filter(({ cut }) => cut).length);
  });

  test("and one that no budget holds is not gone through for its first lines", () => {
    const huge = "word ".repeat(2_000_000);
    const started = performance.now();
    const { shown, body } = fit(talk("before", { role: "agent", text: huge }, "after"));
    expect(performance.now() - started).toBeLessThan(1000);
    expect(shown.map(({ cut }) => cut)).toEqual([false, true, false]);
    expect(body.length).toBeLessThan(700);
  });
});

test("where five would not fit, what the agent said is cut to a fifth of the budget, and people stay", () => {
  const long = "word ".repeat(90).trim();
  const messages = talk(
    `1 ${long}`,
    { role: "agent", text: `2 ${long}` },
    "3 short",
    { role: "agent", text: `4 ${long}` },
    "5 short",
  );
  const { shown, body } = fit(messages, 250);
  expect(shown.map((entry) => entry.cut)).toEqual([false, true, false, true, false]);
  expect(estimateTokens(body)).toBeLessThanOrEqual(250);
  for (const entry of shown) if (entry.cut) expect(estimateTokens(entry.text)).toBeLessThanOrEqual(50);
});

test("where that is not enough, everybody is", () => {
  const messages = talk(...Array.from({ length: 8 }, (_, index) => `${index} ${"word ".repeat(90)}`));
  const { shown, body } = fit(messages, 200);
  expect(shown).toHaveLength(5);
  expect(shown.every((entry) => entry.cut && estimateTokens(entry.text) <= 40)).toBe(true);
  expect(estimateTokens(body)).toBeLessThanOrEqual(200);
});

test("createdAt and text repeat once", () => {
  const createdAt = "2026-01-28T06:00:00Z";
  const said = { text: "好的", createdAt };
  const { body } = fit([
    filed(said),
    filed(said),
    filed({ ...said, role: "agent" }),
    filed({ ...said, text: "好" }),
  ]);
  expect(body.split("\n")).toHaveLength(3);
});

test("of an answer that grew the last version is shown", () => {
  const { body } = fit([filed({ id: "a", text: "I thi" }), filed({ id: "a", text: "I think so." })]);
  expect(body).toBe("2026-01-28 14:03 user: I think so.");
});

test("an empty message says nothing", () => expect(fit(talk(" ", "hi")).shown).toHaveLength(1));

describe("tool calls", () => {
  const call = {
    role: "agent",
    text: "Let me look.",
    tool: { name: "rates", callId: "c1", input: { from: "CNY", to: "USD" } },
  } as const;
  const result = {
    role: "tool",
    text: "",
    tool: { name: "rates", callId: "c1", result: { rate: 0.137 } },
  } as const;

  test("stand as a quoted record with their result, apart from what the agent said", () => {
    const { body } = fit(
      talk("How much is a yuan?", call, "quick!", result, { role: "agent", text: "0.137 dollars." }),
    );
    expect(body).toMatchInlineSnapshot(`
      "2026-01-28 14:00 user: How much is a yuan?
      2026-01-28 14:01 agent: Let me look.
      2026-01-28 14:02 user: quick!
      2026-01-28 14:03 record of a tool call, rates:
          > input: {"from":"CNY","to":"USD"}
          > result: {"rate":0.137}
      2026-01-28 14:04 agent: 0.137 dollars."
    `);
  });

  test("are cut at 500 and 1000 characters", () => {
    const { body } = fit(
      talk({
        role: "tool",
        text: "",
        tool: { name: "t", callId: "c", input: "i".repeat(501), result: "r".repeat(1001) },
      }),
    );
    expect(body).toContain(`> input: ${"i".repeat(500)} [truncated]\n`);
    expect(body).toContain(`> result: ${"r".repeat(1000)} [truncated]`);
  });

  test("count as two messages where nothing was said with them, and no limit divides them", () => {
    const silent = { ...call, text: "" };
    const before = Array.from({ length: 10 }, (_, index) => `before ${index}`);
    const after = Array.from({ length: 19 }, (_, index) => `after ${index}`);
    const full = fit(talk(...before, silent, result, ...after));
    expect(full.shown).toHaveLength(19);
    expect(full.body).not.toContain("rate");
    const room = fit(talk(...before, silent, result, ...after.slice(1)));
    expect(room.shown).toHaveLength(19);
    expect(room.body).toContain('> input: {"from":"CNY","to":"USD"}\n    > result: {"rate":0.137}');
  });

  test("of one name and no id are not taken for one call", () => {
    const anonymous = (text: string): Parameters<typeof talk>[0] => ({
      role: "tool",
      text,
      tool: { name: "t", callId: "" },
    });
    expect(fit(talk(anonymous("a"), anonymous("b"))).shown).toHaveLength(2);
  });

  test("a document is quoted too", () => {
    const { body } = fit(talk({ text: "Obey me.\nNow.", scene: "document", speaker: "Ana" }));
    expect(body).toBe("2026-01-28 14:00 Ana, text of a document:\n    > Obey me.\n    > Now.");
  });
});

test("whatever was said: the budget holds, 5 to 20 messages are shown, each dated, none twice, no call without its result", () => {
  fc.assert(
    fc.property(
      fc.array(anyFiled, { maxLength: 40 }),
      fc.integer({ min: 1000, max: 6000 }),
      (messages, budgetTokens) => {
        const { shown, body } = fit(messages, budgetTokens);
        expect(estimateTokens(body)).toBeLessThanOrEqual(budgetTokens);
        const ids = shown.flatMap((entry) => entry.ids);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.length).toBeLessThanOrEqual(20);
        const all = atOnce(fitHistory(messages, { ...settings, history_max_messages: 1000 }, zone, 1e9));
        expect(ids.length).toBeGreaterThanOrEqual(
          Math.min(5, all.shown.flatMap((entry) => entry.ids).length),
        );
        expect(all.shown.map((entry) => entry.ids).slice(all.shown.length - shown.length)).toEqual(
          shown.map((entry) => entry.ids),
        );
        const whole = atOnce(fitHistory(messages, settings, zone, 1e9));
        if (costOfLines(whole.shown.map(({ text }) => text)) <= budgetTokens) expect(body).toBe(whole.body);
        for (const line of body.split("\n"))
          if (line !== "") expect(line).toMatch(/^(?:2026-01-28 \d\d:\d\d \S| {4}|$)/);
        expect(body.isWellFormed()).toBe(true);
      },
    ),
    { numRuns: Number(process.env["MEMD_RUNS"] ?? 200) },
  );
});
