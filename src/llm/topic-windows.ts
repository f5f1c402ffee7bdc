/**
 * Asks every active topic what it knows that matters now, several at a time.
 *
 * The prompt of each begins with what changes least: its messages, then what is
 * said now, so that a provider's prefix cache holds all but the end of it.
 */
import { z } from "zod";
import type {
  JobOutcome,
  TopicWindow,
  TopicWindowsJob,
  TopicWindowsResult,
  Utterance,
} from "../model/work.js";
import { estimateTokens } from "../text/tokens.js";
import type { Clock } from "../platform/clock.js";
import type { Reading } from "./ask.js";
import { inert, utterancePiece } from "./material.js";
import { defuse } from "./notes.js";
import { loadPrompts, type Prompt } from "./prompts.js";
import type { ChatTurn } from "./provider.js";
import { asText, jsonIn, placesIn, placesOf, tagsIn } from "./topic-answers.js";
import type { TopicPorts } from "./topic-split.js";

/** Below it a topic has nothing to say. */
const LEAST_RELEVANCE = 0.3;
const LONGEST_SUMMARY_CHARS = 2000;

export async function runTopicWindowsJob(
  job: TopicWindowsJob,
  { ask, disk, promptFolders, clock }: Omit<TopicPorts, "llm"> & { clock: Clock },
): Promise<JobOutcome<TopicWindowsResult>> {
  const prompt = (await loadPrompts(disk, promptFolders))["topic-window"];
  const windows: TopicWindow[] = [];
  const waiting = [...job.topics];
  let left = job.turnTokens;
  let isLate = false;
  const one = async (): Promise<void> => {
    for (let topic = waiting.shift(); topic !== undefined && !isLate; topic = waiting.shift()) {
      const { id, utterances } = topic;
      const turns = windowTurns(prompt, topic, job.recent, job.windowTokens);
      const tokens = turns.reduce((sum, { text }) => sum + estimateTokens(text), 0);
      if (tokens > left) {
        windows.push({ id, failed: "the tokens of this turn are spent" });
        continue;
      }
      left -= tokens;
      const request = { role: prompt.role, feature: "topic_window", user: job.user, turns };
      const asked = await ask.question(request, (text) => read(text, utterances.length));
      if (isLate) return;
      windows.push(asked.to === "answer" ? { id, ...asked.value } : { id, failed: asked.reason });
    }
  };
  const asking = Promise.all(Array.from({ length: Math.max(1, job.parallel) }, one));
  await Promise.race([asking, new Promise<void>((resolve) => clock.after(job.deadlineMs, resolve))]);
  isLate = true;
  const told = new Set(windows.map(({ id }) => id));
  for (const { id } of job.topics) if (!told.has(id)) windows.push({ id, failed: "late" });
  const by = ask.modelOf(prompt.role) ?? "";
  return { to: "done", result: { kind: "topic_windows", id: job.id, by, windows }, usage: [] };
}

/** Of what is said now the newest that fit beside the topic's messages, of which the newest count more too. */
export function windowTurns(
  prompt: Prompt,
  { name, utterances }: { name: string; utterances: readonly Utterance[] },
  recent: readonly Utterance[],
  windowTokens: number,
): ChatTurn[] {
  const lines = utterances.map((each, index) => `${index + 1} ${utterancePiece(each)}`);
  const room = windowTokens - prompt.tokens;
  const messages = newest(lines, room * (1 - LEAST_FOR_NOW));
  const now = newest(recent.map(utterancePiece), room - costOf(messages));
  return prompt.turns({
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

type Told = Omit<Extract<TopicWindow, { relevance: number }>, "id">;

const PROBLEM = 'Answer with one JSON object {"relevance": 0 to 1, "messages": [numbers], "summary": "…"}.';
const score = z.coerce.number().min(0).max(1);

function read(text: string, count: number): Reading<Told> {
  const json = jsonIn(text) as { relevance?: unknown; messages?: unknown; summary?: unknown } | undefined;
  const [relevance] = tagsIn(text, "relevance");
  const [messages] = tagsIn(text, "messages");
  const [summary] = tagsIn(text, "summary");
  const parsed = score.safeParse(json?.relevance ?? (relevance?.text === "" ? undefined : relevance?.text));
  if (!parsed.success) return { problem: PROBLEM };
  if (parsed.data < LEAST_RELEVANCE) return { value: { relevance: parsed.data, refs: [], summary: "" } };
  const told = asText(json?.summary ?? summary?.text).trim();
  return {
    value: {
      relevance: parsed.data,
      refs: json === undefined ? placesIn(messages?.text ?? "", count) : placesOf(json.messages, count),
      summary: defuse(told.slice(0, LONGEST_SUMMARY_CHARS).toWellFormed()),
    },
  };
}
