/**
 * The sections of the prompt as data: order, title, source, way to shrink.
 *
 * Stable ones first, so that prompt caches hit. The fixed ones are texts and
 * share a ceiling; the live ones are fitted together, since each must know
 * what the others show. A new fixed section is a line here and its budget one
 * in the settings.
 */
import type { SectionName } from "../model/settings.js";
import { withoutIds } from "../protocol/memory-entries.js";
import { fenceAfter } from "../text/cut.js";
import { dailyLog, memoLog, profilesOf } from "./distilled.js";
import { GUIDE } from "./guide.js";
import { pinnedFor, type ContextInputs, type ShownBeside } from "./inputs.js";

/** `never`: whole, over budget is a warning. `paragraphs`: see fit-pinned.ts. `last`, `first`: lines from the end, or the oldest. */
type TextShrink = "never" | "paragraphs" | "last" | "first";

export interface FixedSection {
  name: SectionName;
  title: string;
  /** Where the whole of it is. */
  file: string;
  shrinks: TextShrink;
  /** `shown`: what else the prompt shows, so that nothing is said twice. */
  source: (inputs: ContextInputs, shown: ShownBeside) => string | undefined;
}

/** In the order in which they stand; budgets are settings, and so is what is off. */
export const FIXED_SECTIONS: readonly FixedSection[] = [
  { name: "guide", title: "Guide", file: "", shrinks: "never", source: () => GUIDE },
  { name: "soul", title: "Soul", file: "SOUL.md", shrinks: "never", source: ({ soul }) => soul },
  {
    name: "pinned",
    title: "Pinned memory",
    file: "memory.md",
    shrinks: "paragraphs",
    source: ({ viewer, memoryMd }) => saidIn(pinnedFor(viewer, memoryMd)),
  },
  { name: "profiles", title: "Profiles", file: "memory/profiles", shrinks: "last", source: profilesOf },
  {
    name: "awareness",
    title: "Awareness",
    file: "AWARENESS.md",
    shrinks: "last",
    source: ({ awareness }) => awareness,
  },
  { name: "memos", title: "Memos", file: "memory/memos.json", shrinks: "first", source: memoLog },
  { name: "daily_log", title: "Daily log", file: "memory/records", shrinks: "first", source: dailyLog },
];

export type LiveName = "topics" | "memory" | "history" | "input";

/** Titles, in the order in which they stand. */
export const LIVE_SECTIONS: Readonly<Record<LiveName, string>> = {
  topics: "Topics",
  memory: "Memory",
  history: "History",
  input: "Input",
};

export const SECTION_TITLES: ReadonlySet<string> = new Set([
  ...FIXED_SECTIONS.map(({ title }) => title),
  ...Object.values(LIVE_SECTIONS),
]);

/** Without comments, which are for the person who edits; headings with nothing under any of them say nothing. */
function saidIn(text: string | undefined): string | undefined {
  let fence: string | undefined;
  const kept = (text ?? "").split("\n").filter((line) => {
    fence = fenceAfter(line, fence);
    return fence !== undefined || !/^\s*<!--.*-->\s*$/.test(line);
  });
  const says = kept.some((line) => line.trim() !== "" && !/^#{1,6}\s/.test(line));
  return says ? withoutIds(kept.join("\n")) : undefined;
}
