/** What is done to the text of a message, whatever stands in it: terms, keywords, cuts, dates, secrets. */
import { cutText, sentencesOf, TRUNCATED } from "../../../src/text/sentences.js";
import { foldText, simplified } from "../../../src/text/fold.js";
import { keywordsOf, LONGEST_SLUG, slugOf } from "../../../src/text/keywords.js";
import { redactSecrets } from "../../../src/text/redact.js";
import { termsOf } from "../../../src/text/terms.js";
import { estimateTokens, tokenPrefixLength } from "../../../src/text/tokens.js";
import { loadAbsoluteDates } from "../../../src/text/dates/absolute.js";
import { decodeField, encodeField, parseFields, printFields } from "../../../src/protocol/front-matter.js";
import type { Day } from "../../../src/model/time.js";
import { mustBe, type Case, type Kind, type Outcome } from "./kind.js";
import type { Rng } from "./seed.js";
import { textOf } from "./words.js";

export const TEXTS: readonly Kind[] = [
  { name: "message text", share: 2, make: textCase },
  { name: "dates in a text", share: 0.5, make: datesCase },
  { name: "attributes", share: 7, make: fieldsCase },
];

const SAID = [
  "let's meet tomorrow at 10, or next friday",
  "下周三去上海，三天后回来",
  "the key is sk-abc123DEF456ghi789JKL012 and password: hunter2!x",
  "postgres://bob:s3cret@db.example.org/x",
  "it was 5 days ago; last month we had 3",
  "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----",
] as const;

function textCase(rng: Rng): Case {
  const whole = `${rng.pick(SAID)} ${textOf(rng)} ${rng.pick(SAID)}`;
  const room = 1 + rng.int(300);
  return {
    whole: Buffer.from(whole),
    try: async (input): Promise<Outcome> => {
      const text = new TextDecoder().decode(input);
      const clean = redactSecrets(text);
      mustBe("changed", redactSecrets(clean) === clean, `redacted twice, it differs: ${clean}`);
      termsOf(text);
      foldText(text);
      simplified(text);
      mustBe(
        "dropped",
        sentencesOf(text).every((sentence) => sentence.trim() !== ""),
        "an empty sentence",
      );
      const tokens = estimateTokens(text);
      mustBe("changed", Number.isFinite(tokens) && tokens >= 0, `${tokens} tokens`);
      const fits = tokenPrefixLength(text, 20);
      mustBe("changed", fits >= 0 && fits <= text.length, `${fits} characters of ${text.length}`);
      const cut = cutText(text, room);
      mustBe("changed", cut === text || cut.endsWith(TRUNCATED), "cut without a mark");
      const slug = await slugOf(keywordsOf(text, 4), "m1");
      mustBe(
        "changed",
        /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug) && slug.length <= LONGEST_SLUG,
        `slug ${slug}`,
      );
      return "parsed";
    },
  };
}

const dates = loadAbsoluteDates();

async function datesCase(rng: Rng): Promise<Case> {
  const absolute = await dates;
  const day = rng.pick(["2026-01-31", "2024-02-29", "2025-12-31"]) as Day;
  return {
    whole: Buffer.from(`${rng.pick(SAID)} ${textOf(rng, 3)} ${rng.pick(SAID)}`),
    try: (input): Outcome => {
      const text = new TextDecoder().decode(input);
      const told = absolute(text, day);
      mustBe("dropped", told.length >= text.length, "a text is shorter with its dates");
      mustBe(
        "changed",
        !/\((?:NaN|Invalid|undefined)/.test(told) || /NaN|Invalid|undefined/.test(text),
        told,
      );
      return told === text ? "refused" : "parsed";
    },
  };
}

function fieldsCase(rng: Rng): Case {
  const fields = ["id", "user", "x"].map((name) => [name, textOf(rng, 3)] as const);
  const printed = printFields(fields);
  return {
    whole: Buffer.from(printed),
    try: (input): Outcome => {
      const text = new TextDecoder().decode(input);
      const parsed = parseFields(text);
      for (const [name, value] of parsed) {
        if (!/^[a-z]+$/.test(name)) continue;
        const again = parseFields(printFields([[name, value]])).get(name);
        mustBe("changed", again === value, `the field ${name} is changed`);
      }
      mustBe("changed", decodeField(encodeField(text)) === text, "a value is changed");
      mustBe("changed", !/[<>\s]|--/.test(encodeField(text)), "a value ends its comment");
      if (text === printed)
        for (const [name, value] of fields) mustBe("dropped", parsed.get(name) === value, `${name} is lost`);
      return parsed.size > 0 ? "parsed" : "refused";
    },
  };
}
