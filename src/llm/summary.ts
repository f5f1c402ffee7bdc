/**
 * Writes a summary with a model: section by section, in windows where the
 * conversation is longer than the model's context, folded into one.
 *
 * All or nothing: one section that cannot be written ends the job, and the
 * archive stage asks for the whole again. Nothing is written here.
 */
import type { Settings } from "../model/settings.js";
import type { JobOutcome, SummaryJob, SummarySectionInput, SummaryTier } from "../model/work.js";
import type { Disk } from "../platform/disk.js";
import { estimateTokens } from "../text/tokens.js";
import type { Ask, Asked, Reading } from "./ask.js";
import { bulletTarget, sizeOf } from "./bullet-target.js";
import { carriedOn } from "./carry.js";
import { inert, utterancePiece, windowSize } from "./material.js";
import { defuse, printNotes, readNotes, type Notes } from "./notes.js";
import { loadPrompts, type PromptName, type Prompts } from "./prompts.js";
import { windowsOf } from "./windows.js";

interface SummaryPorts {
  ask: Ask;
  llm: Settings["llm"];
  disk: Disk;
  promptFolders: readonly string[];
}

const NONE = "(none)";

const PROMPTS = {
  day: "day-summary",
  month: "month-summary",
  window: "window-summary",
} as const satisfies Record<SummaryTier, PromptName>;

type Work = (material: string, previous: string) => Promise<Asked<Notes>>;

export async function runSummaryJob(job: SummaryJob, ports: SummaryPorts): Promise<JobOutcome> {
  const prompts = await loadPrompts(ports.disk, ports.promptFolders);
  const sections: { user?: string; text: string }[] = [];
  for (const section of job.sections) {
    const written = await writeSection(job, section, ports, prompts);
    if (written.to !== "answer") return { ...written, usage: [] };
    sections.push({ ...(section.user === undefined ? {} : { user: section.user }), text: written.value });
  }
  const by = ports.ask.modelOf("summary") ?? "builtin";
  return { to: "done", result: { kind: "summary", id: job.id, by, sections }, usage: [] };
}

async function writeSection(
  job: SummaryJob,
  section: SummarySectionInput,
  { ask, llm }: SummaryPorts,
  prompts: Prompts,
): Promise<Asked<string>> {
  const previous = section.previous?.trim() ?? "";
  const pieces = [...section.days.map(dayPiece), ...section.utterances.map(utterancePiece)];
  if (pieces.length === 0) return { to: "answer", value: defuse(previous) };

  const inputs = { date: job.date, max_bullets: String(bulletTarget(sizeOf(job.tier), pieces.length)) };
  const call = (prompt: (typeof PROMPTS)[SummaryTier] | "fold"): Work => {
    return (material, before) => {
      const turns = prompts[prompt].turns({ ...inputs, material: inert(material), previous: inert(before) });
      const request = {
        role: prompts[prompt].role,
        feature: `${job.tier}_summary`,
        user: section.user,
        turns,
      };
      return ask.question(request, readWhole);
    };
  };
  const windowTokens = windowSize(llm, prompts);
  // A previous text that fills the context by itself (a person's, most likely) is carried on by code, word for word.
  const told = estimateTokens(previous) <= windowTokens / 2;
  const before = previous !== "" && told ? previous : NONE;
  const room = windowTokens - estimateTokens(before);
  const summarise = call(PROMPTS[job.tier]);
  const notes = await inWindows(pieces, room, before, summarise, call("fold"));
  if (notes.to !== "answer" || previous === "") return notes.to === "answer" ? text(notes.value) : notes;
  // A rolling summary gets shorter where it can; what a person wrote into it is taken over whole.
  if (told && job.tier === "window" && section.edited !== true) return text(notes.value);
  return told ? text(carriedOn(previous, notes.value)) : text(notes.value, previous);
}

/** One call where everything fits; else every window alone, then folded in rounds until one call has it all. */
async function inWindows(
  pieces: string[],
  room: number,
  previous: string,
  write: Work,
  fold: Work,
): Promise<Asked<Notes>> {
  let parts = windowsOf(pieces, room);
  if (parts.length === 1) return write(parts[0] ?? "", previous);
  for (let step = write; ; step = fold) {
    const partial: string[] = [];
    for (const part of parts) {
      const notes = await step(part, NONE);
      if (notes.to !== "answer") return notes;
      partial.push(printNotes(notes.value));
    }
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

function text(notes: Notes, before = ""): Asked<string> {
  return { to: "answer", value: defuse(`${before}\n\n${printNotes(notes)}`) };
}

function dayPiece({ day, text: summary }: { day: string; text: string }): string {
  return `[${day}] Summary of the day:\n    ${summary.trim().replace(/\r?\n/g, "\n    ")}`;
}
