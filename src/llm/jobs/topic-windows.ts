/**
 * What each active topic knows that matters now, several asked at a time. Only
 * a model does this.
 *
 * The prompt of each begins with what changes least: its messages, then what is
 * said now, so that a provider's prefix cache holds all but the end of it.
 */
import * as z from "zod";
import type { TopicId } from "../../model/topic.js";
import type { Utterance } from "../../model/message.js";
import { estimateTokens } from "../../text/tokens.js";
import { asText, jsonIn, placesOf, tagsIn } from "../answers.js";
import { inert, numberedPieces, utterancePiece } from "../windows.js";
import { tokensOf, type Reading } from "../ask.js";
import { defuse } from "../notes.js";
import type { Prompt, Question } from "../prompts.js";
import { branded, chatKind, type JobOf } from "./kind.js";

export interface TopicWindowsJob extends JobOf<"topic_windows"> {
  /** What is said now, oldest first: in no topic yet, and then what waits. */
  recent: Utterance[];
  topics: { id: TopicId; name: string; utterances: Utterance[] }[];
  /** So many are asked at once. */
  parallel: number;
  /** Whoever has not answered by then is late. */
  deadlineMs: number;
  /** Of one question. */
  windowTokens: number;
  /** Of all of them; the last ones are not asked. */
  turnTokens: number;
}

const score = z.number().min(0).max(1);
const known = z.object({ relevance: score, refs: z.array(z.number().int()), summary: z.string() });
const id = branded<TopicId>();
/** `failed`: why nothing is known. */
const topicWindow = known.extend({ id }).or(z.object({ id, failed: z.string() }));

/** Below it a topic has nothing to say. */
const LEAST_RELEVANCE = 0.3;
const LONGEST_SUMMARY_CHARS = 2000;

export const topicWindows = chatKind({
  kind: "topic_windows",
  feature: () => "topic_window",
  prompts: { "topic-window": ["topic", "messages", "recent"] },
  /** `tokens`: what the questions took of the turn's. */
  output: z.object({ windows: z.array(topicWindow), tokens: z.number().min(0).default(0) }),
  run: async (job: TopicWindowsJob, { ask, prompts, clock }) => {
    const windows: z.infer<typeof topicWindow>[] = [];
    const waiting = [...job.topics];
    let left = job.turnTokens;
    let isLate = false;
    const one = async (): Promise<void> => {
      for (let topic = waiting.shift(); topic !== undefined && !isLate; topic = waiting.shift()) {
        const { id: of, utterances } = topic;
        const question = windowQuestion(prompts["topic-window"], topic, job.recent, job.windowTokens);
        const tokens = tokensOf(question.turns);
        if (tokens > left) {
          windows.push({ id: of, failed: "the tokens of this turn are spent" });
          continue;
        }
        left -= tokens;
        const reply = await ask({ ...question, once: true }, (text) => read(text, utterances.length));
        if (isLate) return;
        windows.push(reply.to === "answer" ? { id: of, ...reply.value } : { id: of, failed: reply.reason });
      }
    };
    const asking = Promise.all(Array.from({ length: Math.max(1, job.parallel) }, one));
    await Promise.race([asking, new Promise<void>((resolve) => clock.after(job.deadlineMs, resolve))]);
    isLate = true;
    const answered = new Set(windows.map((window) => window.id));
    for (const topic of job.topics)
      if (!answered.has(topic.id)) windows.push({ id: topic.id, failed: "late" });
    return { to: "answer", value: { windows, tokens: job.turnTokens - left } };
  },
});

/** Of what is said now the newest that fit beside the topic's messages, of which the newest count more too. */
export function windowQuestion(
  prompt: Prompt<"topic" | "messages" | "recent">,
  { name, utterances }: { name: string; utterances: readonly Utterance[] },
  recent: readonly Utterance[],
  windowTokens: number,
): Question {
  const room = windowTokens - prompt.tokens;
  const messages = newest(numberedPieces(utterances), room * (1 - LEAST_FOR_NOW));
  const now = newest(recent.map(utterancePiece), room - costOf(messages));
  return prompt.fill({
    topic: defuse(name),
    messages: inert(messages.join("\n")),
    recent: inert(now.join("\n")),
  });
}

/** Of the window, so much is for what is said now. */
const LEAST_FOR_NOW = 0.25;

function newest(lines: readonly string[], budgetTokens: number): string[] {
  let left = budgetTokens;
  const at = lines.findLastIndex((line) => (left -= estimateTokens(line) + 1) < 0);
  return lines.slice(at + 1);
}

function costOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + estimateTokens(line) + 1, 0);
}

const PROBLEM = 'Answer with one JSON object {"relevance": 0 to 1, "messages": [numbers], "summary": "…"}.';
const scoreIn = z.coerce.number().pipe(score);

function read(text: string, count: number): Reading<z.infer<typeof known>> {
  const json = jsonIn(text) as { relevance?: unknown; messages?: unknown; summary?: unknown } | undefined;
  const tag = (name: string): string | undefined => tagsIn(text, name)[0]?.text;
  const told = json?.relevance ?? (tag("relevance") || tag("relevance_score") || undefined);
  const parsed = scoreIn.safeParse(told);
  if (!parsed.success) return { problem: PROBLEM };
  if (parsed.data < LEAST_RELEVANCE) return { value: { relevance: parsed.data, refs: [], summary: "" } };
  const line = asText(json?.summary ?? tag("summary")).trim();
  return {
    value: {
      relevance: parsed.data,
      refs: placesOf(
        json === undefined ? (tag("messages") ?? tag("referenced_messages")) : json.messages,
        count,
      ),
      summary: defuse(line.slice(0, LONGEST_SUMMARY_CHARS).toWellFormed()),
    },
  };
}
