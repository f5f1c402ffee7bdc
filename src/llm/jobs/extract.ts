/** What is worth remembering of a conversation or a part of a document, all kinds asked for in one call. What becomes of it is the historian's to decide. */
import * as z from "zod";
import { defined } from "../../model/collections.js";
import { FINDING_KINDS, type Finding, type FindingKind } from "../../model/found.js";
import { isDay, type Day } from "../../model/time.js";
import type { Utterance } from "../../model/message.js";
import { oneLine, readJson } from "../answers.js";
import { inert, numberedPieces, windowsOf } from "../windows.js";
import { askInTurn, mapAnswer, type Reading } from "../ask.js";
import { defuse } from "../notes.js";
import { branded, chatKind, type JobOf } from "./kind.js";

export interface ExtractJob extends JobOf<"extract"> {
  of: "conversation" | "document";
  wants: FindingKind[];
  /** Who is meant by "I": `Lin Yue(u-17)`; absent where nobody knows. */
  speaker?: string;
  /** Local day on which it ended, or on which the document was added. */
  day: Day;
  /** What was looked at before: only episodes and foresights are of it too. */
  earlier: Utterance[];
  /** What is new; of a document one, whose name is the document's. */
  utterances: Utterance[];
}

const LONGEST_CHARS = 2000;
/** Of one call; more is no choice any more. */
const MOST_FINDINGS = 30;

const kind = z.enum(FINDING_KINDS);
const day = z.string().refine(isDay).nullish().catch(undefined);
const answered = z.strictObject({
  kind,
  text: z.string().max(LONGEST_CHARS),
  from: z.array(z.number().int()).default([]),
  on: day,
  until: day,
});
const answer = z.strictObject({ findings: z.array(answered) });
const finding = z.object({
  kind,
  text: z.string(),
  said: z.string().exactOptional(),
  from: z.array(z.number()),
  on: branded<Day>().exactOptional(),
  until: branded<Day>().exactOptional(),
});

export const extract = chatKind({
  kind: "extract",
  prompts: { extract: ["about", "wants", "speaker", "earlier", "material"] },
  output: z.object({ findings: z.array(finding) }),
  run: async (job: ExtractJob, { ask, prompts, windowTokens }) => {
    const earlier = windowsOf(numberedPieces(job.earlier), windowTokens / 2).at(-1);
    const windows = windowsOf(numberedPieces(job.utterances, job.earlier.length + 1), windowTokens / 2);
    const reply = await askInTurn(windows.length === 0 ? ["(nothing)"] : windows, (window) => {
      const question = prompts.extract.fill({
        about: job.of === "document" ? "a document" : "a conversation",
        wants: job.wants.join(", "),
        speaker: job.speaker === undefined ? "not known" : defuse(job.speaker),
        earlier: earlier === undefined ? "(nothing)" : inert(earlier),
        material: inert(window),
      });
      return ask(question, (text) => read(text, job));
    });
    return mapAnswer(reply, (findings) => ({ findings: findings.flat() }));
  },
  builtin: async (job) => (await import("../builtin/extract.js")).builtinExtract(job),
});

/** What nobody asked for is left out, and so are numbers of lines that there are not. */
function read(text: string, { wants, earlier, utterances }: ExtractJob): Reading<Finding[]> {
  const lines = earlier.length + utterances.length;
  const kinds = FINDING_KINDS.map((each) => `"${each}"`).join(", ");
  const problem = `Answer with one JSON object {"findings": [{"kind": one of ${kinds}, "text": "…", "from": [line numbers], "on": "YYYY-MM-DD" or null, "until": "YYYY-MM-DD" or null}]}.`;
  return readJson(text, answer, problem, ({ findings }) =>
    findings
      .map(({ on, until, ...found }): Finding => ({
        kind: found.kind,
        text: oneLine(found.text),
        from: found.from.filter((line) => line >= 1 && line <= lines),
        ...defined({ on: on ?? undefined, until: until ?? undefined }),
      }))
      .filter((found) => found.text !== "" && wants.includes(found.kind))
      .slice(0, MOST_FINDINGS),
  );
}
