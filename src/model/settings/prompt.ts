/** What an agent is shown: the prompt, section by section, and tools. */
import * as z from "zod";
import { count, countOrNone, positive, section } from "./fields.js";

/** Sections of the prompt, in their order. */
export const SECTION_NAMES = [
  "guide",
  "soul",
  "pinned",
  "profiles",
  "awareness",
  "memos",
  "daily_log",
  "topics",
  "memory",
  "history",
  "input",
] as const;
export type SectionName = (typeof SECTION_NAMES)[number];

export const context = section({
  profile: z
    .enum(["lean", "full"])
    .default("lean")
    .describe(
      "History shows a few of the newest messages (`lean`), or a window with a rolling summary (`full`)",
    ),
  off: z.array(z.enum(SECTION_NAMES)).default([]).describe("sections that are left out, by their names"),
  tokens: section({
    guide: count.default(400).describe("budget of Guide"),
    soul: count.default(3000).describe("budget of Soul; beyond it there is a warning, never a cut"),
    pinned: count.default(4000).describe("budget of Pinned memory"),
    profiles: count.default(1000).describe("budget of Profiles"),
    awareness: count.default(2000).describe("budget of Awareness"),
    memos: count.default(1000).describe("budget of Memos"),
    daily_log: count.default(2000).describe("budget of Daily log"),
    memory: count.default(3072).describe("budget of Memory; it is filled only by what is worth its tokens"),
    history: count.default(4096).describe("budget of History in the profile `lean`"),
    input: count.default(8000).describe("budget of Input"),
  }),
  fixed_tokens: count.default(15_000).describe("what all sections before Memory may take together"),
  memos: count.default(30).describe("most memos shown"),
  memory_hits: count.default(120).describe("most lines in Memory, however short"),
  memory_events: countOrNone.default(40).describe("most events among the lines of Memory"),
  history_min_messages: count.default(5).describe("`lean`: so many messages are shown in any case"),
  history_max_messages: count
    .default(20)
    .describe(
      "`lean`: not more messages than these; in both profiles, so many are looked for in the days where `history.json` has fewer",
    ),
  full_history_tokens: count.default(40_000).describe("`full`: budget of History"),
  compact_at_tokens: count
    .default(30_000)
    .describe("`full`: from here on older messages go into the summary"),
  compact_to_tokens: count
    .default(15_000)
    .describe("`full`: so much of the newest messages stays out of the summary"),
  awareness_minutes: positive
    .default(5)
    .describe("a change of `AWARENESS.md` is shown after so long at the latest"),
  deadline_seconds: positive
    .default(2)
    .describe("a better version of the prompt that takes longer is not written"),
});

export const mcp = section({
  tools: z
    .enum(["basic", "all"])
    .default("basic")
    .describe("which tools an agent is shown over MCP: eight, or `all` of them"),
  answer_tokens: count
    .min(500)
    .default(4000)
    .describe("what an answer of a tool takes at most, as text and as data together"),
  prompt_tokens: count
    .min(1000)
    .default(10_000)
    .describe(
      "what the prompt takes at most where it is asked for over MCP; beyond it sections go, History first",
    ),
});
