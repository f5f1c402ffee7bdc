/**
 * A summary of a day, a month or a window, section by section; in windows where
 * the conversation is longer than the model's context, folded into one.
 *
 * All or nothing: one section that cannot be written ends the job, and whoever
 * owes the summary asks for the whole again. A line of the previous summary whose
 * words are gone from the answer is put back as it stood: a person's edit lives there
 * too. Nothing is written here.
 */
import * as z from "zod";
import type { Day, Month } from "../../model/time.js";
import type { Utterance } from "../../model/message.js";
import type { JobOutcome, SummaryTier, Tier } from "../../model/work.js";
import { keywordsOf } from "../../text/keywords.js";
import { estimateTokens } from "../../text/tokens.js";
import { inert, utterancePiece, windowsOf } from "../windows.js";
import { askInTurn, mapAnswer, type Reading, type Reply } from "../ask.js";
import { clean, defuse, type Notes, printNotes, readNotes } from "../notes.js";
import { chatKind, type JobOf, type Model, type ResultOfKind } from "./kind.js";

export interface SummaryJob extends JobOf<"summary"> {
  tier: SummaryTier;
  scope: string;
  date: Day | Month;
  sections: SummarySectionInput[];
}

/** One section to write. Outside groups each user's section is made from that user's conversation only. */
export interface SummarySectionInput {
  /** Whose section; absent in a group, where one section is for all. */
  user?: string;
  /** Conversation not yet covered by any summary. */
  utterances: Utterance[];
  /** Day summaries that stand for their days (month tier only), oldest first. */
  days: { day: Day; text: string }[];
  /** The section as it stands, which the new one must carry on. */
  previous?: string;
  /** A person has changed it: none of it may go. */
  edited?: true;
}

export type SummaryResult = ResultOfKind<typeof summary>;
export type SummaryOutcome = JobOutcome<SummaryResult>;

const INPUTS = ["date", "max_bullets", "previous", "material"] as const;
const PROMPTS = { "day-summary": INPUTS, "month-summary": INPUTS, "window-summary": INPUTS, fold: INPUTS };
const NONE = "(none)";

export const summary = chatKind({
  kind: "summary",
  feature: ({ tier }: SummaryJob) => `${tier}_summary`,
  prompts: PROMPTS,
  output: z.object({
    sections: z.array(z.object({ user: z.string().exactOptional(), text: z.string() })),
  }),
  run: async (job: SummaryJob, model) => {
    const reply = await askInTurn(job.sections, async (section) =>
      mapAnswer(await writeSection(job, section, model), (text) => ({
        ...(section.user === undefined ? {} : { user: section.user }),
        text,
      })),
    );
    return mapAnswer(reply, (sections) => ({ sections }));
  },
  builtin: async (job) => (await import("../builtin/summary.js")).builtinSummary(job),
});

/** One call of a model: notes of what is new, and of the summary that stands. */
type Write = (material: string, previous: string) => Promise<Reply<Notes>>;

async function writeSection(
  { tier, date }: SummaryJob,
  { user, utterances, days, edited, ...section }: SummarySectionInput,
  { ask, prompts, windowTokens }: Model<typeof PROMPTS>,
): Promise<Reply<string>> {
  const previous = section.previous?.trim() ?? "";
  const pieces = [...days.map(dayPiece), ...utterances.map(utterancePiece)];
  if (pieces.length === 0) return { to: "answer", value: defuse(previous) };

  const inputs = { date, max_bullets: String(bulletTarget(sizeOf(tier), pieces.length)) };
  const writeWith =
    (name: keyof typeof PROMPTS): Write =>
    (material, before) => {
      const question = prompts[name].fill({ ...inputs, material: inert(material), previous: inert(before) });
      return ask(question, readWhole, user);
    };
  // A previous text that fills the context by itself (a person's, most likely) is carried on by code, word for word.
  const fits = estimateTokens(previous) <= windowTokens / 2;
  const before = previous !== "" && fits ? previous : NONE;
  const room = windowTokens - estimateTokens(before);
  const written = await inWindows(pieces, room, before, writeWith(`${tier}-summary`), writeWith("fold"));
  return mapAnswer(written, (notes) => {
    if (!fits) return defuse(`${previous}\n\n${printNotes(notes)}`);
    // A rolling summary gets shorter where it can; what a person wrote into it is taken over whole.
    const mayDrop = previous === "" || (tier === "window" && edited !== true);
    return defuse(printNotes(mayDrop ? notes : carriedOn(previous, notes)));
  });
}

/** One call where everything fits; else every window alone, then folded in rounds until one call has it all. */
async function inWindows(
  pieces: string[],
  room: number,
  previous: string,
  write: Write,
  fold: Write,
): Promise<Reply<Notes>> {
  let parts = windowsOf(pieces, room);
  if (parts.length === 1) return write(parts[0] ?? "", previous);
  for (let step = write; ; step = fold) {
    const reply = await askInTurn(parts, (part) => step(part, NONE));
    if (reply.to !== "answer") return reply;
    const partial = reply.value.map(printNotes);
    const next = windowsOf(partial, room);
    // Two at a time at least, or notes as long as a window would go in circles.
    parts = next.length < partial.length ? next : pairs(partial);
    if (parts.length === 1) return fold(parts[0] ?? "", previous);
  }
}

function pairs(parts: readonly string[]): string[] {
  return parts.flatMap((part, index) =>
    index % 2 === 0 ? [[part, ...parts.slice(index + 1, index + 2)].join("\n")] : [],
  );
}

/** An answer that ran into the output limit is asked for again, shorter; the second time its last, broken line goes. */
function readWhole(answer: string, cut: boolean, last: boolean): Reading<Notes> {
  if (!cut) return readNotes(answer);
  if (!last) return { problem: "it is too long and was cut off. Write fewer and shorter bullets." };
  const end = answer.lastIndexOf("\n");
  return readNotes(end < 0 ? answer : answer.slice(0, end));
}

function dayPiece({ day, text }: { day: string; text: string }): string {
  return `[${day}] Summary of the day:\n    ${text.trim().replace(/\r?\n/g, "\n    ")}`;
}

/** Below this share of its telling words a line counts as dropped: a line that was reworded keeps its names and numbers. */
const KEPT_SHARE = 0.4;
const WORDS_PER_LINE = 40;

/** The lines of `previous` that `next` says nothing of. */
export function droppedLines(previous: string, next: string): string[] {
  const there = next.toLowerCase();
  return previous
    .split("\n")
    .filter((line) => !/^\s*(?:#{1,6}\s|```|$)/.test(line))
    .map(clean)
    .filter((line) => {
      const words = keywordsOf(line, WORDS_PER_LINE);
      if (words.length === 0) return line.length > 1 && !there.includes(line.toLowerCase());
      return words.filter((word) => there.includes(word.toLowerCase())).length < words.length * KEPT_SHARE;
    });
}

/** The notes with every dropped line of `previous` in front, under the headings' own level. */
export function carriedOn(previous: string, notes: Notes): Notes {
  const next = notes.map(({ heading, bullets }) => [heading ?? "", ...bullets].join("\n")).join("\n");
  const dropped = droppedLines(previous, next);
  return dropped.length === 0 ? notes : [{ bullets: dropped }, ...notes];
}

/** How many bullets a summary has: grows with the root of what there is to say, within bounds of its tier. */
const BOUNDS = { day: { base: 4, slope: 2, most: 25 }, month: { base: 8, slope: 3, most: 60 } } as const;

export function bulletTarget(tier: Tier, pieces: number): number {
  const { base, slope, most } = BOUNDS[tier];
  return Math.min(most, Math.round(base + slope * Math.sqrt(pieces)));
}

/** A rolling summary has as much to carry as that of a month. */
export function sizeOf(tier: SummaryTier): Tier {
  return tier === "window" ? "month" : tier;
}
