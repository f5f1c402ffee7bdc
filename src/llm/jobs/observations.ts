/** What is worth remembering of a conversation that is about to leave the agent's sight. */
import * as z from "zod";
import type { Utterance } from "../../model/message.js";
import { askInTurn, mapAnswer, type Reading } from "../ask.js";
import { inert, utterancePiece, windowsOf } from "../windows.js";
import { readNotes } from "../notes.js";
import { chatKind, type JobOf } from "./kind.js";

export interface ObservationsJob extends JobOf<"observations"> {
  utterances: Utterance[];
}

const MOST_OF_A_WINDOW = 10;

export const observations = chatKind({
  kind: "observations",
  prompts: { observations: ["material"] },
  /** One thing each. */
  output: z.object({ observations: z.array(z.string()) }),
  run: async ({ utterances }: ObservationsJob, { ask, prompts, windowTokens }) => {
    const windows = windowsOf(utterances.map(utterancePiece), windowTokens);
    const reply = await askInTurn(windows, (window) =>
      ask(prompts.observations.fill({ material: inert(window) }), read),
    );
    return mapAnswer(reply, (found) => ({ observations: found.flat() }));
  },
  builtin: async (job) => (await import("../builtin/extract.js")).builtinObservations(job),
});

function read(text: string): Reading<string[]> {
  if (/^\W*none\W*$/i.test(text.trim())) return { value: [] };
  const notes = readNotes(text);
  if ("problem" in notes) return { problem: "Answer with Markdown bullets, or with the one word NONE." };
  return { value: notes.value.flatMap(({ bullets }) => bullets).slice(0, MOST_OF_A_WINDOW) };
}
