/** What a topic is about, in short. */
import * as z from "zod";
import type { Utterance } from "../../model/message.js";
import { cutText } from "../../text/sentences.js";
import { placesIn } from "../answers.js";
import { inert, numberedPieces, windowsOf } from "../windows.js";
import { askInTurn, mapAnswer, type Reading } from "../ask.js";
import { defuse } from "../notes.js";
import { chatKind, type JobOf } from "./kind.js";

export interface TopicBriefJob extends JobOf<"topic_brief"> {
  name: string;
  /** As it stands. */
  previous?: string;
  utterances: Utterance[];
}

const LONGEST_CHARS = 1500;
/** `[1, 3-5]` behind a sentence: the messages that it rests on. */
const REFS = /(?<!\s)\s*\[[\d\s,–-]+\]/g;

export const topicBrief = chatKind({
  kind: "topic_brief",
  prompts: { "topic-brief": ["name", "previous", "material"] },
  /** `refs`: indexes of the utterances that the text rests on. */
  output: z.object({ text: z.string(), refs: z.array(z.number().int()) }),
  run: async ({ name, previous = "", utterances }: TopicBriefJob, { ask, prompts, windowTokens }) => {
    let text = previous;
    const windows = windowsOf(numberedPieces(utterances), windowTokens / 2);
    const reply = await askInTurn(windows, async (window) => {
      const question = prompts["topic-brief"].fill({
        name: defuse(name),
        previous: inert(text === "" ? "(none)" : text),
        material: inert(window),
      });
      const brief = await ask(question, (answer) => read(answer, utterances.length));
      if (brief.to === "answer") text = brief.value.text;
      return brief;
    });
    return mapAnswer(reply, (briefs) => ({ text, refs: [...new Set(briefs.flatMap(({ refs }) => refs))] }));
  },
  builtin: async (job) => (await import("../builtin/topic-split.js")).builtinTopicBrief(job),
});

function read(answer: string, count: number): Reading<{ text: string; refs: number[] }> {
  const refs = [...answer.matchAll(REFS)].flatMap(([numbers]) => placesIn(numbers, count));
  const text = defuse(cutText(answer.replace(REFS, "").trim(), LONGEST_CHARS));
  return text === "" ? { problem: "Write the brief." } : { value: { text, refs } };
}
