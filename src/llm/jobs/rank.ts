/** Passages put in order by how well each answers a query, by a chat model: for who has no endpoint that does just that (rerank.ts). */
import * as z from "zod";
import { oneLine, readJson } from "../answers.js";
import { mapAnswer } from "../ask.js";
import { defuse } from "../notes.js";
import { inert } from "../windows.js";
import { chatKind, type JobOf } from "./kind.js";

export interface RankJob extends JobOf<"rank"> {
  query: string;
  texts: string[];
}

/** Of each passage so much is shown. */
const SHOWN_CHARS = 700;
const MOST = 10;

const PROBLEM =
  'Answer with one JSON object with a number from 0 to 10 for each passage, in their order: {"scores": [7, 0, 3]}.';
const answer = z.object({ scores: z.array(z.coerce.number().min(0).max(MOST)) });

export const rank = chatKind({
  kind: "rank",
  prompts: { rank: ["query", "passages"] },
  /** 0–1, one for each text; more is better. */
  output: z.object({ scores: z.array(z.number()) }),
  run: async ({ query, texts }: RankJob, { ask, prompts }) => {
    const lines = texts.map(
      (text, at) => `[${at + 1}] ${oneLine(text).slice(0, SHOWN_CHARS).toWellFormed()}`,
    );
    const question = prompts.rank.fill({ query: defuse(query), passages: inert(lines.join("\n")) });
    const isWhole = ({ scores }: z.infer<typeof answer>): { scores: number[] } | undefined =>
      scores.length === texts.length ? { scores } : undefined;
    const reply = await ask(question, (text) => readJson(text, answer, PROBLEM, isWhole));
    return mapAnswer(reply, ({ scores }) => ({ scores: scores.map((score) => score / MOST) }));
  },
});
