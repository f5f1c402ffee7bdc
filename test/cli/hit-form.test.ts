import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formOf, type ShownHit } from "../../src/cli/hit-form.js";
import { type Beside, foundOf } from "../../src/model/found.js";
import type { Hit, Passage } from "../../src/model/passage.js";
import { epochMs, zoneOf } from "../../src/model/time.js";
import { markerOf } from "../../src/recall/question.js";
import { columnsOf } from "../../src/text/columns.js";
import { said } from "../recall/passage-samples.js";

const WIDTHS = [40, 80, 120, 200];
const SOURCE = "memory/a.md:7";
const zone = zoneOf("Asia/Shanghai");

function shownHit(
  text: string,
  query = "",
  passage: Partial<Passage> = {},
  more: Partial<Hit> & Beside = {},
): ShownHit {
  const hit = {
    passage: said(text, { path: "memory/a.md", lines: [7, 9], ...passage }),
    score: 0.456,
    parts: {},
  };
  return { ...foundOf({ ...hit, ...more }), marks: markerOf(query)(text) };
}

const form = (width: number, ...hits: ShownHit[]): string[] =>
  formOf(hits, { width, zone, bold: (word) => `[${word}]`, dim: (text) => text });
const plain = (width: number, ...hits: ShownHit[]): string[] =>
  formOf(hits, { width, zone, bold: (word) => word, dim: (text) => text });

test("days stand in the order of their best, with weekday, and what was said on one as it was ranked", () => {
  const on = (day: string, text: string): ShownHit => shownHit(text, "", { day, speaker: "Ana" });
  expect(
    form(80, on("2026-03-03", "third"), on("2026-03-01", "first"), on("2026-03-03", "third, later"), {
      ...on("2026-02", "of February"),
      kind: "month_summary",
      messageIds: [],
    }),
  ).toEqual([
    "[2026-03-03, Tuesday]",
    "  20:00 Ana",
    `    third  ${SOURCE}`,
    "  20:00 Ana",
    `    third, later  ${SOURCE}`,
    "",
    "[2026-03-01, Sunday]",
    "  20:00 Ana",
    `    first  ${SOURCE}`,
    "",
    "[2026-02, February]",
    "  summary of the month",
    `    of February  ${SOURCE}`,
  ]);
});

test("the words that a day was counted from stand below it", () => {
  const hit = shownHit("Ana left on 2026-02-27.", "", { kind: "event", said: "I left last Friday." });
  expect(plain(80, { ...hit, messageIds: ["m-1" as never] }).join("\n")).toContain(
    "said “I left last Friday.” · from m-1",
  );
});

test("matched words are marked as they stand, in every form, across lines too", () => {
  expect(form(80, shownHit("Deploying it, we deployed.", "deployment"))[2]).toContain(
    "[Deploying] it, we [deployed].",
  );
  expect(form(80, shownHit("上次部署用了電腦", "部署电脑"))[2]).toContain("上次[部署]用了[電腦]");
  expect(form(26, shownHit("上次我们一起在这里部署用了很久", "部署")).slice(2, -1)).toEqual([
    "    上次我们一起在这里[部署]",
    "    用了很久",
  ]);
});

test("the place stands behind the words where it fits, else below, and is never broken", () => {
  expect(form(40, shownHit("We drank tea."))).toContain(`    We drank tea.  ${SOURCE}`);
  expect(form(31, shownHit("We drank tea."))).toEqual(
    expect.arrayContaining(["    We drank tea.", `    ${SOURCE}`]),
  );
  const path = `memory/archive/2026-03/${"long-".repeat(20)}.md`;
  expect(form(40, shownHit("tea", "", { path }))).toContain(`    ${path}:7`);
});

test("what is no message says what it is, whose, and that it holds no longer", () => {
  const head = (passage: Partial<Passage>, more: Partial<Hit> = {}): string | undefined =>
    form(80, shownHit("tea", "", passage, more))[1];
  expect(head({ kind: "memory" })).toBe("  memory.md");
  expect(head({ kind: "day_summary" })).toBe("  summary of the day");
  expect(head({ kind: "fact", user: "lin" }, { standing: "superseded" })).toBe("  fact of lin (superseded)");
  expect(head({ kind: "profile" })).toBe("  profile");
  expect(head({ kind: "document" })).toBe("  document");
  expect(head({ role: "agent" }, { overtaken: { on: "2026-03-04", by: "x" } })).toBe(
    "  20:00 agent (overtaken 2026-03-04)",
  );
});

test("a document is named by the owner's own file, and an answer by what it answers", () => {
  const answers = {
    speaker: "Lin",
    at: "2025-06-15T06:02:00.000Z",
    text: "Where do we keep the tea that Wei brought along from Hangzhou?",
    source: "memory/a.md:3",
  };
  const hit = shownHit("In the tin.", "", { role: "agent" }, { answers, original: "notes/tea.md:3" });
  expect(form(40, hit)).toEqual([
    "[2025-06-15, Sunday]",
    "  20:00 agent",
    "    In the tin.  notes/tea.md:3",
    "    ↳ answers Lin, 14:02: Where do we…",
  ]);
  expect(form(120, hit)[3]).toBe(`    ↳ answers Lin, 14:02: ${answers.text}`);
  const before = { ...answers, at: "2025-06-14T06:02:00.000Z" };
  expect(form(60, shownHit("In the tin.", "", {}, { answers: before }))[3]).toMatch(
    /^ {4}↳ answers Lin, 2025-06-14 14:02: Where/,
  );
});

test("a score is told in its parts where these are given", () => {
  const explained = { ...shownHit("tea"), parts: { words: 9.2, neighbours: 0.5, recency: 1.01 } };
  expect(form(80, explained).at(-1)).toBe("    words 9.20 · neighbours +0.50 · recency ×1.01 → 0.46");
});

describe("a long message", () => {
  const english = `${"The rain fell on the harbour. ".repeat(60)}Wei plays the violin. ${"Snow came in the evening. ".repeat(60)}`;
  const chinese = `${"港口下了一整天的雨。".repeat(80)}小魏会拉小提琴。${"傍晚下雪了，".repeat(80)}`;

  test.each(WIDTHS)(
    "is cut between words to a few lines around what was asked for, at %i columns",
    (width) => {
      for (const [text, query, marked] of [
        [english, "violin", "violin"],
        [chinese, "小提琴", "小提琴"],
      ] as const) {
        const words = plain(width, shownHit(text, query)).slice(2, -1);
        expect(words.length).toBeLessThanOrEqual(4);
        expect(words.join("").replace(/ {4}/g, "")).toContain(marked);
        expect(words[0]).toMatch(/^ {4}…\S/);
        expect(words.at(-1)).toMatch(/\S…$/);
        for (const line of words) expect(columnsOf(line)).toBeLessThanOrEqual(width);
        const told = words.join(" ").replaceAll("…", "");
        if (text === english)
          for (const word of told.trim().split(/ +/)) expect(text.split(" ")).toContain(word);
      }
    },
  );

  test("shows its beginning where nothing in it was asked for", () => {
    expect(plain(80, shownHit(english))[2]).toMatch(/^ {4}The rain fell on the harbour\. The rain/);
  });

  test("shows its end where that was asked for", () => {
    expect(
      form(80, shownHit(`${english}Then the ferry`, "ferry"))
        .slice(-2)
        .join(" "),
    ).toMatch(/Then the +\[ferry\] {2}memory/);
  });
});

describe("whatever was stored", () => {
  const unseen =
    /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;
  const hostile = fc.array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.constantFrom(
        "kayak ",
        "渡轮在九点",
        "\u001b]0;owned\u0007",
        "\u009b31m",
        "\u202egnp\u2066",
        "\u{e0049}",
        "\r\n",
      ),
    ),
    { maxLength: 60 },
  );

  test("no line has what drives a terminal or is unseen, and none is wider than it", () => {
    fc.assert(
      fc.property(hostile, hostile, fc.constantFrom(...WIDTHS), (texts, names, width) => {
        const [text, name] = [texts.join(""), names.join("")];
        const hit = shownHit(
          text,
          "kayak 渡轮",
          { speaker: name, user: name, path: `memory/${name}.md`, saidAt: epochMs(1.75e12) },
          {
            answers: { speaker: name, at: "2025-06-15T06:02:00Z", text, source: `${name}:3` },
            original: `${name}:1`,
          },
        );
        for (const one of [hit, { ...hit, kind: "event" as const, messageIds: [name as never] }]) {
          const lines = plain(width, one);
          expect(lines.filter((line) => unseen.test(line))).toEqual([]);
          const place = lines.filter((line) => columnsOf(line) > width);
          expect(place.length).toBeLessThanOrEqual(1);
          for (const line of place) expect(line).toMatch(/:1$/);
        }
      }),
    );
  });
});
