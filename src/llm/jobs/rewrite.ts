/** A question put in other words, where its first answers do not suffice. Only a model does this. */
import * as z from "zod";
import { oneLine, readJson } from "../answers.js";
import { mapAnswer } from "../ask.js";
import { defuse } from "../notes.js";
import { chatKind, type JobOf } from "./kind.js";

export interface RewriteJob extends JobOf<"rewrite"> {
  query: string;
  /** What the question itself found, best first. */
  found: { date: string; text: string }[];
}

const MOST_QUERIES = 3;
const LONGEST_QUERY_CHARS = 300;

const PROBLEM = 'Answer with one JSON object: {"enough": true or false, "queries": ["…", "…"]}.';
const answer = z.strictObject({ enough: z.boolean(), queries: z.array(z.string()) });

export const rewrite = chatKind({
  kind: "rewrite",
  prompts: { rewrite: ["query", "found"] },
  /** No queries where what was found suffices. */
  output: z.object({ queries: z.array(z.string()) }),
  run: async ({ query, found }: RewriteJob, { ask, prompts }) => {
    const lines = found.map(({ date, text }) => `- ${date}: ${text.replace(/\s+/g, " ")}`).join("\n");
    const question = prompts.rewrite.fill({
      query: defuse(query),
      found: lines === "" ? "(nothing)" : defuse(lines),
    });
    const reply = await ask(question, (text) => readJson(text, answer, PROBLEM, (value) => value));
    return mapAnswer(reply, ({ enough, queries }) => ({
      queries: queries
        .map((one) => oneLine(one).slice(0, LONGEST_QUERY_CHARS).toWellFormed())
        .filter((one) => !enough && one !== "")
        .slice(0, MOST_QUERIES),
    }));
  },
});
