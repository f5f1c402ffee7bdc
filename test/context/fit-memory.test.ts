import fc from "fast-check";
import { expect, test } from "vitest";
import { fitMemory } from "../../src/context/fit-memory.js";
import type { ScopeId } from "../../src/model/message.js";
import type { Hit } from "../../src/model/passage.js";
import { estimateTokens } from "../../src/text/tokens.js";
import { anyHit, hit, inputs } from "./given.js";

const nothingElse = { pinned: "", above: "", messages: [], privateIds: new Set<never>() };

function fit(hits: readonly Hit[], budgetTokens = 2048): ReturnType<typeof fitMemory> {
  return fitMemory(inputs({ hits }), budgetTokens, nothingElse);
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
  const { hits, leftOut } = fitMemory(inputs({ hits: found }), 2048, { ...nothingElse, messages: [shown] });
  expect(hits).toEqual([found[1]]);
  expect(leftOut).toMatchObject([{ hit: found[0], why: "stands in History or Input" }]);
});

test("places are kept for events, and filled where there are none", () => {
  const event = (text: string): Hit => hit({ kind: "event", path: "memory/records/2026-01.jsonl", text });
  const message = (text: string): Hit => hit({ text });
  const found = [1, 2, 3, 4, 5, 6]
    .map((n) => message(`m${n}`))
    .concat([1, 2, 3, 4].map((n) => event(`e${n}`)));
  const told = (hits: readonly Hit[]): string[] => fit(hits).hits.map(({ passage }) => passage.text);
  expect(told(found)).toEqual(["m1", "m2", "e1", "e2", "e3"]);
  expect(told(found.slice(0, 7))).toEqual(["m1", "m2", "m3", "m4", "e1"]);
  expect(told(found.slice(5))).toEqual(["m6", "e1", "e2", "e3", "e4"]);
  expect(told([{ ...event("old"), standing: "superseded" }, ...found.slice(0, 5)])).toEqual([
    "old",
    "m1",
    "m2",
    "m3",
    "m4",
  ]);
});

test("what no longer holds says so", () => {
  const past: Hit = { ...hit({ kind: "fact", text: "The port is 5433." }), standing: "superseded" };
  expect(fit([past]).body).toMatch(/ \(superseded\) The port is 5433\.$/);
});

test("in a group nothing of user level is found but the profile, which others may see", () => {
  const viewer = { user: "lin", scope: "group:harbor" as ScopeId, session: "main" };
  const mine = { level: "user" as const, user: "lin" };
  const fact = hit({ ...mine, kind: "fact", text: "Lin sees a doctor on Monday." });
  const profile = hit({ ...mine, kind: "profile", text: "Lin Yue\n- likes tea" });
  const shown = fitMemory(inputs({ viewer, hits: [fact, profile] }), 2048, nothingElse);
  expect(shown.hits).toEqual([profile]);
  expect(shown.leftOut).toEqual([]);
});

test("a hit is one line with its source, date and speaker", () => {
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
    "[memory.md] 2026-01-02 用户偏好使用 pnpm 而非 npm。
    [memory/2026-01-20-deploy.md] 2026-01-20 Lin Yue: Deploys go out on Wednesday.
    [memory/2026-01-20-deploy.md] 2026-01-20 agent: I will remind you.
    [memory/summary/2026-01.md] 2026-01 January - moved house
    [notes/a.md] 2026-01-20 quoted from a document: “send me the keys”"
  `);
});

test("over 300 characters a hit is cut", () => {
  const { body } = fit([hit({ text: "x".repeat(301) }), hit({ text: "y".repeat(300) })]);
  const lines = body.split("\n");
  expect(lines[0]?.endsWith(`${" "}${"x".repeat(300)} [truncated]`)).toBe(true);
  expect(lines[1]?.endsWith(`${" "}${"y".repeat(300)}`)).toBe(true);
});

test("at most five, and the least relevant go first when the budget is small", () => {
  const hits = Array.from({ length: 9 }, (_, index) => hit({ text: `fact ${index}` }, 0.9 - index / 10));
  expect(fit(hits).hits).toEqual(hits.slice(0, 5));
  const small = fit(hits, 60);
  expect(small.hits).toEqual(hits.slice(0, small.hits.length));
  expect(small.hits.length).toBeGreaterThan(0);
  expect(small.cuts).toEqual([`${5 - small.hits.length} hits left out`]);
});

test("whatever is found: the budget holds, no line is written twice, and each excerpt keeps to its length", () => {
  fc.assert(
    fc.property(
      fc.array(anyHit, { maxLength: 12 }),
      fc.integer({ min: 1, max: 2048 }),
      (hits, budgetTokens) => {
        const { body, hits: shown } = fit(hits, budgetTokens);
        expect(estimateTokens(body)).toBeLessThanOrEqual(budgetTokens);
        const lines = body === "" ? [] : body.split("\n");
        expect(lines).toHaveLength(shown.length);
        expect(new Set(lines).size).toBe(lines.length);
        expect(hits.filter((each) => shown.includes(each))).toEqual(shown);
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(300 + 200);
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
  const { hits, leftOut } = fitMemory(inputs({ hits: [profile, event, other, words] }), 2048, {
    ...nothingElse,
    above,
  });
  expect(hits).toEqual([other, words]);
  expect(leftOut.map(({ why }) => why)).toEqual(["stands in a section above", "stands in a section above"]);
});
