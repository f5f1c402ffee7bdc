/** What a prompt promises, whatever a workspace holds. `MEMD_RUNS=10000` for a long look. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { composePrompt } from "../../src/context/render.js";
import { FIXED_SECTIONS, LIVE_SECTIONS, SECTION_TITLES } from "../../src/context/sections.js";
import { openFence } from "../../src/text/cut.js";
import { estimateTokens } from "../../src/text/tokens.js";
import { anyInputs, LINE_END, sectionOf } from "./given.js";

const RUNS = Number(process.env["MEMD_RUNS"] ?? 300);
const TITLES: ReadonlyMap<string, string> = new Map([
  ...FIXED_SECTIONS.map(({ name, title }) => [name, title] as const),
  ...Object.entries(LIVE_SECTIONS),
]);
/** Shown whole, whatever they cost. */
const WHOLE: ReadonlySet<string> = new Set(["guide", "soul"]);

test(
  "budgets hold, sections cannot be forged, and the text is whole",
  () => {
    fc.assert(
      fc.property(anyInputs, (given) => {
        const { markdown, data } = composePrompt(given);
        const { settings } = given;
        const textOf = (name: string): string => sectionOf(markdown, TITLES.get(name) ?? "") ?? "";
        expect(markdown.isWellFormed()).toBe(true);
        expect(markdown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/);

        const shown = data.sections.filter(({ tokens }) => tokens > 0).map(({ name }) => name);
        const headings = markdown
          .split(LINE_END)
          .flatMap((line) => /^ {0,3}#{1,2}[ \t]+(.*?)[ \t]*$/.exec(line)?.[1] ?? []);
        expect(headings.filter((heading) => SECTION_TITLES.has(heading))).toEqual(
          shown.map((name) => TITLES.get(name)),
        );
        expect(shown.filter((name) => settings.off.includes(name))).toEqual([]);

        for (const { name, tokens, budgetTokens } of data.sections) {
          const section = textOf(name);
          expect(Math.abs(estimateTokens(section) - tokens)).toBeLessThan(1);
          if (WHOLE.has(name)) continue;
          expect(estimateTokens(section), name).toBeLessThanOrEqual(budgetTokens);
          expect(openFence(section), name).toBeUndefined();
        }
        const fixed = FIXED_SECTIONS.map(({ name }) => [name, estimateTokens(textOf(name))] as const);
        const whole = fixed.reduce((sum, [name, tokens]) => sum + (WHOLE.has(name) ? tokens : 0), 0);
        const all = fixed.reduce((sum, [, tokens]) => sum + tokens, 0);
        expect(all).toBeLessThanOrEqual(Math.max(whole, settings.fixed_tokens));

        const lines = textOf("memory").split("\n").slice(2);
        const hits = lines.filter((line) => !line.startsWith("Expected: "));
        expect(hits.length).toBeLessThanOrEqual(settings.memory_hits);
        expect(hits.length).toBe(data.hits.length);
        expect(new Set(lines).size).toBe(lines.length);
        for (const line of hits) expect(line).toMatch(/^\[[^\n]+\] 2026-01-20 /);
      }),
      { numRuns: RUNS },
    );
  },
  RUNS * 200,
);

test("the same comes out", () => {
  fc.assert(
    fc.property(anyInputs, (given) => {
      expect(composePrompt(given)).toEqual(composePrompt(given));
    }),
    { numRuns: 30 },
  );
});

test("another's memos and records are in no section", () => {
  const secret = "the vault opens at 9417";
  fc.assert(
    fc.property(anyInputs, (given) => {
      const mark = <T extends { text: string; user?: string; scope: string }>(thing: T): T =>
        thing.user === "local" && thing.scope === "main"
          ? thing
          : { ...thing, text: `${thing.text} ${secret}` };
      const { memos = [], records = [] } = given;
      const strangers = records.filter(({ level, user }) => level !== "user" || user !== "local");
      const { markdown } = composePrompt({ ...given, memos: memos.map(mark), records: strangers.map(mark) });
      expect(markdown).not.toContain(secret);
    }),
    { numRuns: RUNS },
  );
});
