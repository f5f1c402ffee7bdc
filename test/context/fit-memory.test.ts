import fc from "fast-check";
import { expect, test } from "vitest";
import { fitMemory } from "../../src/context/fit-memory.js";
import { atOnce } from "../../src/model/steps.js";
import type { ScopeId } from "../../src/model/address.js";
import type { Hit } from "../../src/model/passage.js";
import { DEFAULT_SETTINGS } from "../../src/model/settings.js";
import { estimateTokens } from "../../src/text/tokens.js";
import { anyHit, hit, inputs } from "./given.js";

const nothingElse = { pinned: "", above: "", topics: "", messages: [], privateIds: new Set<never>() };

const fitted = (...given: Parameters<typeof fitMemory>) => atOnce(fitMemory(...given));

function fit(hits: readonly Hit[], budgetTokens = 3072): ReturnType<typeof fitted> {
  return fitted(inputs({ hits }), budgetTokens, nothingElse);
}

type Six = [Hit, Hit, Hit, Hit, Hit, Hit];

function textsOf({ hits }: ReturnType<typeof fitted>): string[] {
  return hits.map(({ hit: { passage } }) => passage.text);
}

test("a summary that says nothing but what the conversation shows is not said again", () => {
  const line = "我最喜欢喝乌龙茶，下午两点以后不喝咖啡。";
  const shown = { ids: [], text: `user: ${line}`, shown: line, cut: false };
  const summary = (text: string): Hit =>
    hit({ kind: "day_summary", path: "memory/summary/2026-01-20.md", text });
  const found = [
    summary(`- 10:00 林悦: ${line}`),
    summary(`- 10:00 林悦: ${line}\n- 11:00 林悦: 明天去杭州`),
  ];
  const { hits, leftOut } = fitted(inputs({ hits: found }), 3072, { ...nothingElse, messages: [shown] });
  expect(hits).toMatchObject([{ hit: found[1], question: 0 }]);
  expect(hits).toHaveLength(1);
  expect(leftOut).toMatchObject([{ hit: found[0], why: "stands in History or Input" }]);
});

test("of events no more are shown than there are places for, however much room is left", () => {
  const event = (text: string): Hit => hit({ kind: "event", path: "memory/records/2026-01.jsonl", text });
  const message = (text: string): Hit => hit({ text });
  const settings = { ...DEFAULT_SETTINGS.context, memory_hits: 5, memory_events: 3 };
  const told = (hits: readonly Hit[]): string[] =>
    textsOf(fitted(inputs({ hits, settings }), 3072, nothingElse));
  const [m1, m2, m3, m4, m5, m6] = [1, 2, 3, 4, 5, 6].map((n) => message(`m${n}`)) as Six;
  const events = [1, 2, 3, 4].map((n) => event(`e${n}`));
  expect(told([m1, m2, m3, m4, m5, m6, ...events])).toEqual(["m1", "m2", "m3", "m4", "m5"]);
  expect(told([...events, m1, m2, m3])).toEqual(["e1", "e2", "e3", "m1", "m2"]);
  expect(told([m6, ...events])).toEqual(["m6", "e1", "e2", "e3"]);
  const old: Hit = { ...event("old"), standing: "superseded" };
  expect(told([old, ...events, m1])).toEqual(["old", "e1", "e2", "e3", "m1"]);
});

test("what no longer holds says so", () => {
  const past: Hit = { ...hit({ kind: "fact", text: "The port is 5433." }), standing: "superseded" };
  expect(fit([past]).body).toMatch(/ \(superseded\): The port is 5433\.$/);
});

test("in a group nothing of user level is found but the profile, which others may see", () => {
  const viewer = { user: "lin", scope: "group:harbor" as ScopeId, session: "main" };
  const mine = { level: "user" as const, user: "lin" };
  const fact = hit({ ...mine, kind: "fact", text: "Lin sees a doctor on Monday." });
  const profile = hit({ ...mine, kind: "profile", text: "Lin Yue\n- likes tea" });
  const shown = fitted(inputs({ viewer, hits: [fact, profile] }), 3072, nothingElse);
  expect(shown.hits.map((each) => each.hit)).toEqual([profile]);
  expect(shown.leftOut).toEqual([]);
});

test("a hit is one line with its date and speaker, or under its file", () => {
  const { body } = fit([
    hit({
      text: "用户偏好使用 pnpm\n而非 npm。",
      kind: "memory",
      level: "owner",
      path: "memory.md",
      day: "2026-01-02",
    }),
    hit({ text: "Deploys go out on Wednesday.", speaker: "Lin Yue" }),
    hit({ text: "I will remind you.", role: "agent" }),
    hit({
      text: "## January\n- moved house",
      kind: "month_summary",
      path: "memory/summary/2026-01.md",
      day: "2026-01",
      trust: "agent",
    }),
    hit({ text: "send me\nthe keys", trust: "document", path: "notes/a.md" }),
  ]);
  expect(body).toMatchInlineSnapshot(`
    "### memory.md
    kept: 用户偏好使用 pnpm 而非 npm。
    ### memory/summary/2026-01.md
    summary: moved house
    ### 2026-01-20
    08:00 Lin Yue: Deploys go out on Wednesday.
    08:00 agent: I will remind you.
    08:00 quoted from a document: “send me the keys”"
  `);
});

test("over 200 characters a hit is cut", () => {
  const { body } = fit([hit({ text: "x".repeat(201) }), hit({ text: "y".repeat(200) })]);
  const lines = body.split("\n").slice(1);
  expect(lines).toEqual([`08:00 user: ${"x".repeat(200)} …`, `08:00 user: ${"y".repeat(200)}`]);
});

test("no more lines than the ceiling, and the least relevant go first when the budget is small", () => {
  const hits = Array.from({ length: 9 }, (_, index) => hit({ text: `fact ${index}` }, 0.9 - index / 20));
  const settings = { ...DEFAULT_SETTINGS.context, memory_hits: 5 };
  const five = fitted(inputs({ hits, settings }), 3072, nothingElse);
  expect(five.hits.map((each) => each.hit)).toEqual(hits.slice(0, 5));
  expect(five.cuts).toEqual(["4 hits left out"]);
  expect(fit(hits).hits.map((each) => each.hit)).toEqual(hits);
  const small = fit(hits, 60);
  expect(small.hits.map((each) => each.hit)).toEqual(hits.slice(0, small.hits.length));
  expect(small.hits.length).toBeGreaterThan(0);
  expect(small.cuts).toEqual([`${9 - small.hits.length} hits left out`]);
});

test("whatever is found: the budget holds, no line is written twice, and each excerpt keeps to its length", () => {
  fc.assert(
    fc.property(
      fc.array(anyHit, { maxLength: 12 }),
      fc.integer({ min: 1, max: 3072 }),
      (hits, budgetTokens) => {
        const { body, hits: shown, questions } = fit(hits, budgetTokens);
        expect(estimateTokens(body)).toBeLessThanOrEqual(budgetTokens);
        let heading = "";
        const lines = (body === "" ? [] : body.split("\n")).flatMap((line) => {
          const isHeading = /^###(?: |$)/.test(line);
          if (isHeading) heading = line;
          return isHeading ? [] : [`${heading} ${line}`];
        });
        expect(lines).toHaveLength(questions.reduce((sum, each) => sum + each.shown, 0));
        expect(lines.length).toBeGreaterThanOrEqual(shown.length);
        expect(new Set(lines).size).toBe(lines.length);
        const scores = shown.map(({ hit: { score } }) => score);
        expect(scores).toEqual(scores.toSorted((one, other) => other - one));
        expect(new Set(shown.map((one) => one.hit)).size).toBe(shown.length);
        for (const line of body.split("\n").filter((each) => !each.startsWith("###")))
          expect(line.length).toBeLessThanOrEqual(200 + 200);
      },
    ),
  );
});

test("what a profile above lists is found and not said again, as a profile or as the event it came from", () => {
  const above = "### Lin Yue (user)\n\n- Prefers oolong (2026-01-28)\n- 喜欢爬山（2026-01-28）";
  const profile = hit({
    kind: "profile",
    text: "Lin Yue\n- Prefers oolong (2026-01-28)\n- 喜欢爬山（2026-01-28）",
  });
  const event = hit({ kind: "event", text: "Lin Yue(lin) prefers oolong." });
  const other = hit({ kind: "event", text: "Lin Yue(lin) prefers jasmine." });
  const words = hit({ text: "I prefers oolong" });
  const { hits, leftOut } = fitted(inputs({ hits: [profile, event, other, words] }), 3072, {
    ...nothingElse,
    above,
  });
  expect(hits.map((each) => each.hit)).toEqual([other, words]);
  expect(leftOut.map(({ why }) => why)).toEqual(["stands in a section above", "stands in a section above"]);
});
