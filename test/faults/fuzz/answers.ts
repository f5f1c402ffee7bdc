/**
 * What models and endpoints say: notes in Markdown, and the body around them.
 * Whatever it is, it ends as a summary whose sections are those of the users
 * that were asked for, or as a refusal.
 */
import { carriedOn } from "../../../src/llm/jobs/summary.js";
import { clean, defuse, printNotes, readNotes } from "../../../src/llm/notes.js";
import { openaiProvider } from "../../../src/llm/openai.js";
import { settingsSchema } from "../../../src/model/settings.js";
import type { ScopeId } from "../../../src/model/address.js";
import { type Day, epochMs } from "../../../src/model/time.js";
import { parseSummary, printSections, printSummary } from "../../../src/protocol/summary.js";
import { mustBe, readAgain, type Case, type Kind, type Outcome } from "./kind.js";
import type { Rng } from "./seed.js";
import { textOf } from "./words.js";
import { handClock } from "../../support/hand-clock.js";

export const ANSWERS: readonly Kind[] = [
  { name: "model notes", share: 4, make: notesCase },
  { name: "endpoint body", share: 1, make: bodyCase },
];

function notesOf(rng: Rng): string {
  const bullet = (): string => `${rng.pick(["- ", "* ", "1. ", "• ", "  - "])}${textOf(rng, 2)}`;
  const group = (): string =>
    [
      rng.pick(["### Deploy", "**决定**", "# Title #", ""]),
      ...Array.from({ length: 1 + rng.int(4) }, bullet),
    ].join("\n");
  const groups = Array.from({ length: 1 + rng.int(3) }, group).join("\n\n");
  const forms = [
    groups,
    `Sure! Here is the summary:\n\n${groups}\n\nLet me know.`,
    `\`\`\`markdown\n${groups}\n\`\`\``,
    `<summary>\n${groups}\n</summary>`,
    JSON.stringify({ sections: [{ heading: "Deploy", bullets: [textOf(rng, 2)] }] }, null, 1),
    `${groups}\n${groups}\n${groups}`,
  ] as const;
  return rng.pick(forms);
}

function notesCase(rng: Rng): Case {
  const previous = rng.oneIn(3) ? `### Before\n\n- web-2 has 12 cores\n- ${textOf(rng, 2)}` : "";
  const isPrinted = rng.oneIn(3);
  return {
    whole: Buffer.from(notesOf(rng)),
    try: async (input): Promise<Outcome> => {
      const answer = new TextDecoder().decode(input);
      const reading = readNotes(answer);
      if (!("value" in reading)) {
        mustBe(
          "changed",
          typeof reading.problem === "string" && reading.problem !== "",
          "refused without a word",
        );
        return "refused";
      }
      const notes = previous === "" ? reading.value : carriedOn(previous, reading.value);
      const text = defuse(printNotes(notes));
      mustBe("changed", defuse(text) === text, `made safe twice, it differs: ${text}`);
      for (const { bullets } of notes)
        for (const bullet of bullets)
          mustBe("changed", clean(bullet) === clean(clean(bullet)), `cleaned twice, it differs: ${bullet}`);
      const again = await readAgain("notes", () => readNotes(printNotes(notes)));
      mustBe("changed", "value" in again, "notes that were printed are none");
      if (isPrinted) await asSummary(text);
      return "parsed";
    },
  };
}

/** Between two other sections, the text stays in its own. */
async function asSummary(text: string): Promise<void> {
  const sections = [
    { user: "alice", text: "- a" },
    { user: "bob", text },
    { user: "carol", text: "- c" },
  ];
  const file = {
    tier: "day" as const,
    scope: "main" as ScopeId,
    date: "2026-01-05" as Day,
    by: "m",
    covers: [],
    edited: false,
    body: printSections("2026-01-05", sections),
  };
  const parsed = await readAgain("summary", () => parseSummary(printSummary(file)));
  const users = parsed?.sections.map(({ user }) => user).join();
  mustBe("changed", users === "alice,bob,carol", `the sections are of ${users}`);
  mustBe("changed", parsed?.edited === false, "what memd wrote looks edited");
}

function bodyCase(rng: Rng): Case {
  const content = notesOf(rng);
  const body = rng.oneIn(4)
    ? { error: { message: textOf(rng, 2), type: "t", code: rng.pick<unknown>(["rate_limit", null, 429]) } }
    : {
        id: "c-1",
        object: "chat.completion",
        model: "m",
        choices: [
          { index: 0, message: { role: "assistant", content }, finish_reason: rng.pick(["stop", "length"]) },
        ],
        usage: { prompt_tokens: 120, completion_tokens: 30, prompt_tokens_details: { cached_tokens: 20 } },
      };
  const status = "error" in body ? rng.pick([400, 401, 429, 500, 503]) : 200;
  const type = rng.pick(["application/json", "application/json", "text/html"]);
  const retry = rng.pick(["1", "1e300", "-1", "Mon, 05 Jan 2026 10:00:00 GMT", "soon", "9".repeat(400)]);
  const llm = settingsSchema.parse({
    llm: { base_url: "http://127.0.0.1:1/v1", models: { summary: "m" }, max_retries: 0 },
  }).llm;
  return {
    whole: Buffer.from(JSON.stringify(body)),
    try: async (input): Promise<Outcome> => {
      const headers = { "content-type": type, ...(status === 200 ? {} : { "retry-after": retry }) };
      const fetch = (): Promise<Response> =>
        Promise.resolve(new Response(Buffer.from(input), { status, headers }));
      const provider = openaiProvider({ llm, key: "k", clock: handClock(epochMs(1.77e12)), fetch });
      const request = {
        role: "summary",
        feature: "day_summary",
        turns: [{ role: "user", text: "x" }],
      } as const;
      const answer = await provider.chat(request);
      for (const { tokensIn, tokensOut, tokensCached, ms } of answer.calls)
        for (const number of [tokensIn, tokensOut, tokensCached, ms])
          mustBe("changed", Number.isFinite(number) && number >= 0, `a call costs ${String(number)}`);
      if (answer.to === "answer") {
        mustBe("changed", typeof answer.text === "string" && answer.text !== "", "an answer without a text");
        return "parsed";
      }
      mustBe("changed", typeof answer.reason === "string", "a refusal without a reason");
      return "refused";
    },
  };
}
