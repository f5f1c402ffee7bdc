/** Two remembered things that are alike: whether they are one, and whether both can hold. What follows from it is the historian's to decide. */
import * as z from "zod";
import { defined } from "../../model/collections.js";
import type { DatedText } from "../../model/found.js";
import { oneLine, readJson } from "../answers.js";
import { inert } from "../windows.js";
import { mapAnswer } from "../ask.js";
import { chatKind, type JobOf } from "./kind.js";

export interface CompareJob extends JobOf<"compare"> {
  pairs: { older: DatedText; newer: DatedText }[];
}

const LONGEST_CHARS = 2000;
const is = z.enum(["same", "contradicts", "different"]);
const answer = z.strictObject({
  verdicts: z.array(z.strictObject({ is, text: z.string().max(LONGEST_CHARS).nullish() })),
});

export const compare = chatKind({
  kind: "compare",
  prompts: { compare: ["pairs"] },
  /** One verdict for each pair, in order. */
  output: z.object({ verdicts: z.array(z.object({ is, text: z.string().exactOptional() })) }),
  run: async ({ pairs }: CompareJob, { ask, prompts }) => {
    const question = prompts.compare.fill({
      pairs: inert(pairs.map((pair) => JSON.stringify(pair)).join("\n")),
    });
    const problem = `Answer with one JSON object {"verdicts": […]} that holds ${pairs.length} objects {"is": "same", "contradicts" or "different"}, one for each pair.`;
    const reply = await ask(question, (text) =>
      readJson(text, answer, problem, ({ verdicts }) =>
        verdicts.length === pairs.length ? verdicts : undefined,
      ),
    );
    return mapAnswer(reply, (verdicts) => ({
      verdicts: verdicts.map(({ is, text }) => ({
        is,
        ...defined({ text: oneLine(text ?? "") || undefined }),
      })),
    }));
  },
  builtin: async (job) => (await import("../builtin/compare.js")).builtinCompare(job),
});
