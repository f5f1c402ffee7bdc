/** What a prompt promises, whatever a workspace holds. `MEMD_RUNS=10000` for a long look. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { HitData } from "../../src/context/inputs.js";
import { headingOf, lineOf } from "../../src/context/memory-room.js";
import { oneLine } from "../../src/context/quote.js";
import { composePrompt, FIXED_SECTIONS, LIVE_SECTIONS, SECTION_TITLES } from "../../src/context/render.js";
import type { Hit } from "../../src/model/passage.js";
import { openFence } from "../../src/text/sentences.js";
import { estimateTokens } from "../../src/text/tokens.js";
import { anyInputs, LINE_END, sectionOf, zone } from "./given.js";

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

        expect(data.questions.map(({ text }) => text)).toEqual(
          settings.off.includes("memory") ? [] : given.found.map(({ inquiry }) => inquiry.text),
        );
        const lines = memoryLines(textOf("memory"));
        expect(lines.length).toBeLessThanOrEqual(settings.memory_hits);
        expect(lines.length).toBe(data.questions.reduce((sum, { shown }) => sum + shown, 0));
        expect(new Set(lines.map(({ under, text }) => JSON.stringify([under, text]))).size).toBe(
          lines.length,
        );
        const sourcesOf = (shown: HitData): Hit[] =>
          given.found.flatMap(({ hits }) => hits).filter(isIn(shown));
        const shownHits = data.hits.flatMap(sourcesOf);
        for (const line of lines) expect(shownHits.some(tells(line)), JSON.stringify(line)).toBe(true);
        for (const shown of data.hits)
          expect(
            lines.some((line) => sourcesOf(shown).some((source) => tells(line)(source))),
            JSON.stringify(shown),
          ).toBe(true);
        const events = new Set(
          shownHits.flatMap(({ passage: { id, kind }, standing }) =>
            kind === "event" && standing === undefined ? [id] : [],
          ),
        );
        expect(events.size).toBeLessThanOrEqual(settings.memory_events);
      }),
      { numRuns: RUNS },
    );
  },
  RUNS * 200,
);

interface Line {
  /** The heading that it stands under, or the one that its own date stands for. */
  under: string;
  text: string;
  /** The one of its day in a month: it has no time of day. */
  isOfMonth?: boolean;
}

/** What was found as a reader would tell it apart; whatever stands under no heading has a date of its own. */
function memoryLines(section: string): Line[] {
  let heading: string | undefined;
  return section
    .split(LINE_END)
    .slice(2)
    .filter((line) => !line.startsWith("Expected: "))
    .flatMap((line): Line[] => {
      if (/^###(?: |$)/.test(line)) {
        heading = line;
        return [];
      }
      const [, ownDate, dated] = /^(\d{4}-\d{2}-\d{2}) (.*)$/.exec(line) ?? [];
      if (ownDate !== undefined && dated !== undefined) return [{ under: `### ${ownDate}`, text: dated }];
      if (heading !== undefined && /^### \d{4}-\d{2}$/.test(heading)) {
        const [, dayOfMonth, ofMonth] = /^(\d{2}) (.*)$/.exec(line) ?? [];
        expect(ofMonth, `a line of a month without its day: ${line}`).toBeDefined();
        return [{ under: `${heading}-${dayOfMonth}`, text: ofMonth ?? "", isOfMonth: true }];
      }
      expect(heading, `a line under no heading and without a date: ${line}`).toBeDefined();
      return [{ under: heading ?? "", text: line }];
    });
}

function isIn(shown: HitData): (hit: Hit) => boolean {
  return ({ passage, score }) =>
    passage.path === shown.path &&
    passage.day === shown.date &&
    passage.kind === shown.kind &&
    passage.messageIds === shown.messageIds &&
    score === shown.score;
}

/** Whether a line is what the prompt says of a hit: where it is from, whose it is, and nothing but its words. */
function tells({ under, text, isOfMonth = false }: Line): (hit: Hit) => boolean {
  return (hit) => {
    const { passage } = hit;
    const { clock, text: line } = lineOf(hit, "\0", zone);
    const [head = "", tail = ""] = `${isOfMonth ? "" : clock}${line}`.split("\0");
    if (headingOf(passage).trimEnd() !== under.trimEnd()) return false;
    if (!text.startsWith(head.trimEnd()) || !text.endsWith(tail)) return false;
    const excerpt = text.slice(head.length, text.length - tail.length);
    const isPicked = passage.kind === "memory" || passage.kind.endsWith("summary");
    return isPicked || oneLine(passage.text).includes(excerpt.replace(/^… | …$/g, "").trim());
  };
}

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
