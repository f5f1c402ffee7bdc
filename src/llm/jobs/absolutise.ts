/** Observations written again so that they stand alone. Whether they do is the historian's to judge. */
import * as z from "zod";
import type { Day } from "../../model/time.js";
import type { Utterance } from "../../model/message.js";
import { oneLine, readJson } from "../answers.js";
import { inert, utterancePiece } from "../windows.js";
import { mapAnswer } from "../ask.js";
import { defuse } from "../notes.js";
import { chatKind, type JobOf } from "./kind.js";

export interface AbsolutiseJob extends JobOf<"absolutise"> {
  /** Who is meant by "I" and "the user": `Lin Yue(u-17)`; absent where nobody knows. */
  speaker?: string;
  /** When they were made: local `YYYY-MM-DD` and `HH:MM`. */
  day: Day;
  clock: string;
  texts: {
    text: string;
    /** The last answer to it, and what was wrong with that. */
    tried?: string;
    problem?: string;
  }[];
  /** The message that they are about; empty where there is none. */
  source: string;
  /** What was said before, oldest first. */
  recent: Utterance[];
}

/** A note is a line, not a chapter. */
const LONGEST_CHARS = 4000;
const answer = z.strictObject({ texts: z.array(z.string().max(LONGEST_CHARS)) });

export const absolutise = chatKind({
  kind: "absolutise",
  prompts: { absolutise: ["when", "speaker", "source", "material", "observations"] },
  /** One text for each, in order; empty where there is none. */
  output: z.object({ texts: z.array(z.string()) }),
  run: async (job: AbsolutiseJob, { ask, prompts }) => {
    const question = prompts.absolutise.fill({
      when: `${job.day} ${job.clock}`,
      speaker: job.speaker === undefined ? "not known" : defuse(job.speaker),
      source: job.source === "" ? "(none)" : inert(job.source),
      material: job.recent.length === 0 ? "(nothing)" : inert(job.recent.map(utterancePiece).join("\n")),
      observations: inert(job.texts.map((note) => JSON.stringify(note)).join("\n")),
    });
    const problem = `Answer with one JSON object {"texts": […]} that holds ${job.texts.length} strings, one for each note.`;
    const reply = await ask(question, (text) =>
      readJson(text, answer, problem, ({ texts }) => (texts.length === job.texts.length ? texts : undefined)),
    );
    return mapAnswer(reply, (texts) => ({ texts: texts.map(oneLine) }));
  },
  builtin: async (job) => (await import("../builtin/absolutise.js")).builtinAbsolutise(job),
});
