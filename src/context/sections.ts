/**
 * The sections of the prompt as data: order, title, budget, way to shrink.
 *
 * Stable ones first, so that prompt caches hit. The fixed ones are texts and
 * share a ceiling; the live ones are fitted together, since each must know
 * what the others show. A new fixed section is a line here.
 */
import type { Settings } from "../model/settings.js";
import { fenceAfter } from "../text/cut.js";
import { GUIDE } from "./guide.js";
import { pinnedFor, type ContextInputs } from "./inputs.js";

/** `never`: whole, over budget is a warning. `paragraphs`: see fit-pinned.ts. `lines`: from the end. */
type TextShrink = "never" | "paragraphs" | "lines";

export interface FixedSection {
  name: string;
  title: string;
  /** Where the whole of it is. */
  file: string;
  budgetTokens: (settings: Settings["context"]) => number;
  shrinks: TextShrink;
  source: (inputs: ContextInputs) => string | undefined;
}

/** Ceiling of all fixed sections together. */
export const FIXED_TOKENS = 15_000;

export const FIXED_SECTIONS: readonly FixedSection[] = [
  { name: "guide", title: "Guide", file: "", budgetTokens: () => 400, shrinks: "never", source: () => GUIDE },
  {
    name: "soul",
    title: "Soul",
    file: "SOUL.md",
    budgetTokens: () => 3000,
    shrinks: "never",
    source: (inputs) => inputs.soul,
  },
  {
    name: "pinned",
    title: "Pinned memory",
    file: "memory.md",
    budgetTokens: (settings) => settings.memory_md_tokens,
    shrinks: "paragraphs",
    source: (inputs) => saidIn(pinnedFor(inputs.viewer, inputs.memoryMd)),
  },
  {
    name: "awareness",
    title: "Awareness",
    file: "AWARENESS.md",
    budgetTokens: () => 2000,
    shrinks: "lines",
    source: (inputs) => inputs.awareness,
  },
];

interface LiveSection {
  title: string;
  budgetTokens: (settings: Settings["context"]) => number;
}

export type LiveName = "memory" | "history" | "input";

/** In the order in which they stand. */
export const LIVE_SECTIONS: Readonly<Record<LiveName, LiveSection>> = {
  memory: { title: "Memory", budgetTokens: (settings) => settings.memory_tokens },
  history: { title: "History", budgetTokens: (settings) => settings.history_tokens },
  input: { title: "Input", budgetTokens: (settings) => settings.input_tokens },
};

export const SECTION_TITLES: ReadonlySet<string> = new Set(
  [...FIXED_SECTIONS, ...Object.values(LIVE_SECTIONS)].map((section) => section.title),
);

/** Without comments, which are for the person who edits; headings with nothing under any of them say nothing. */
function saidIn(text: string | undefined): string | undefined {
  let fence: string | undefined;
  const kept = (text ?? "").split("\n").filter((line) => {
    fence = fenceAfter(line, fence);
    return fence !== undefined || !/^\s*<!--.*-->\s*$/.test(line);
  });
  const says = kept.some((line) => line.trim() !== "" && !/^#{1,6}\s/.test(line));
  return says ? kept.join("\n") : undefined;
}
