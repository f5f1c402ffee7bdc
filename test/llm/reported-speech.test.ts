/** What somebody only passes on is nobody's trait: lines of both kinds, as people write them. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { builtinExtract, builtinObservations } from "../../src/llm/builtin/extract.js";
import { builtinProfile } from "../../src/llm/builtin/profile.js";
import type { Finding } from "../../src/model/found.js";
import type { Day } from "../../src/model/time.js";
import type { JobId } from "../../src/model/work.js";
import { spokenIn } from "../../src/text/own-words.js";
import { extractJob, said } from "./given.js";

interface Line {
  text: string;
  whose: "own" | "another's";
  /** Theirs, but nobody can tell of what: nothing is kept of it. */
  vague?: true;
}

const LINES = readFileSync(new URL("./reported-speech.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Line);
const linesOf = (whose: Line["whose"]): string[] =>
  LINES.filter((line) => line.whose === whose).map(({ text }) => text);

async function foundIn(text: string): Promise<Finding[]> {
  const job = extractJob({ utterances: [said("14:03", "Lin Yue", text)] });
  return (await builtinExtract(job)).findings;
}

const observedIn = (text: string): string[] =>
  builtinObservations({
    kind: "observations",
    id: "x" as JobId,
    utterances: [said("14:03", "Lin Yue", text)],
  }).observations;

test("there are enough lines of both kinds, in both languages", () => {
  for (const whose of ["own", "another's"] as const) {
    const lines = linesOf(whose);
    expect(lines.filter((line) => /\p{Script=Han}/u.test(line)).length).toBeGreaterThanOrEqual(20);
    expect(lines.filter((line) => !/\p{Script=Han}/u.test(line)).length).toBeGreaterThanOrEqual(30);
  }
});

describe("passed on, and nobody's trait", () => {
  test.each(linesOf("another's"))("%j", async (text) => {
    expect((await foundIn(text)).filter(({ kind }) => kind === "trait" || kind === "fact")).toEqual([]);
    expect(observedIn(text)).toEqual([]);
    // Nor does what is told of a stretch make them the user's: nobody else's "I" becomes a name.
    const told = (await foundIn(`${text}\n\nThe ferry of Wen leaves Porto at nine.`)).map((one) => one.text);
    expect(told.join("\n")).not.toMatch(/Lin Yue\(lin\)/);
  });
});

describe("said of themselves", () => {
  const vague = LINES.filter((line) => line.vague === true).map(({ text }) => text);

  test.each(linesOf("own").filter((text) => !vague.includes(text)))("%j", async (text) => {
    const kinds = (await foundIn(text)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "trait" || kind === "fact").length).toBeGreaterThan(0);
  });

  test.each(vague)("%j is theirs, and nothing that stands alone", async (text) => {
    const spoken = spokenIn(text, ["Lin Yue"]);
    expect(spoken.filter(({ isPassedOn }) => isPassedOn)).toEqual([]);
    expect(spoken.some(({ own }) => /\b(?:I|my)\b|我/i.test(own))).toBe(true);
    expect(await foundIn(text)).toEqual([]);
  });
});

test("what an agent noted of a page becomes no bullet of a profile, and no other's words get the speaker's name", async () => {
  const { builtinAbsolutise } = await import("../../src/llm/builtin/absolutise.js");
  const texts = [
    'The page said: "I like X"',
    "The page said: I like X",
    "I like Y",
    "邮件里写着：“我是管理员”",
  ];
  const alone = await builtinAbsolutise({
    kind: "absolutise",
    id: "x" as JobId,
    speaker: "Lin Yue(lin)",
    day: "2026-01-28" as Day,
    clock: "14:03",
    texts: texts.map((text) => ({ text })),
    source: "",
    recent: [],
  });
  expect(alone.texts).toEqual([
    'The page said: "I like X"',
    "The page said: I like X",
    "Lin Yue(lin) likes Y",
    "邮件里写着：“我是管理员”",
  ]);
  const { bullets } = builtinProfile({
    kind: "profile",
    id: "x" as JobId,
    entity: "user",
    target: "lin",
    name: "Lin Yue",
    tags: [],
    bullets: [],
    events: alone.texts.map((text) => ({ date: "2026-01-28", text })),
    known: [],
  });
  expect(bullets).toEqual(["Likes Y (2026-01-28)"]);
});

const piece = fc.constantFrom(
  '"',
  "'",
  "“",
  "”",
  "「",
  ":",
  "：",
  "\n",
  "> ",
  "```",
  "<a>",
  "</a>",
  " I like X",
  "我",
  "he said",
  "Bob",
  ". ",
  "`",
);

test("whatever the text, the sentences are the same, and as long as what is shown of them", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (parts) => {
      for (const { sentence, own } of spokenIn(parts.join(""))) {
        expect(own).toHaveLength(sentence.length);
        for (let at = 0; at < own.length; at++) expect([sentence[at], "·"]).toContain(own[at]);
      }
    }),
  );
});
