/**
 * Settings of a workspace (`memd.toml`) with their defaults.
 *
 * Every constant of the system that a person may want to change is here, with
 * its unit in its name. Parsing and line numbers are protocol/settings.ts.
 */
import { z } from "zod";
import { RECALL_MODES } from "./passage.js";

const positive = z.number().positive();
const count = z.number().int().positive();

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

/** By which somebody says that they have told it before. */
const FORGETTING_SIGNS = [
  "I told you",
  "I've told you",
  "I already told",
  "I mentioned",
  "as I said",
  "you forgot",
  "don't you remember",
  "do you remember",
  "we talked about",
  "we discussed",
  "last time we",
  "remember when",
  "你忘了",
  "忘记了吗",
  "你还记得",
  "我跟你说过",
  "我和你说过",
  "我说过",
  "之前说",
  "上次说",
  "上次我们",
  "我们讨论过",
  "我们聊过",
] as const;

/** A table of memd.toml, which may be left out whole: then each of its settings has its default. */
function section<S extends z.ZodRawShape>(shape: S): z.ZodPrefault<z.ZodObject<S, z.core.$strict>> {
  return z.strictObject(shape).prefault({} as z.input<z.ZodObject<S, z.core.$strict>>);
}

export const settingsSchema = z.strictObject({
  timezone: z.string().refine(isTimeZone, 'is not an IANA time zone such as "Asia/Shanghai"').optional(),
  documents: z
    .array(z.string().refine(isGlobInside, 'is no path inside the workspace, such as "notes/**/*.md"'))
    .default([]),
  files: section({
    linked: z
      .array(z.string().refine(isFolderInside, 'is no folder inside the workspace, such as "memory/archive"'))
      .default([]),
  }),
  archive: section({
    trigger_messages: count.default(100),
    interval_hours: positive.default(6),
    recent_days: z.number().int().nonnegative().default(5),
    backoff_minutes: z.array(positive).min(1).default([10, 30, 120, 360, 720]),
    backlog_hours: positive.default(24),
  }),
  history: section({
    soft_limit_messages: count.default(200),
    hard_limit_messages: count.default(300),
    hard_limit_mb: positive.default(10),
    keep_newest_messages: z.number().int().nonnegative().default(50),
    keep_today_messages: z.number().int().nonnegative().default(100),
  }),
  retention: section({
    recent_days: count.optional(),
    summary_days: count.optional(),
    archive_days: count.optional(),
  }),
  secrets: section({
    patterns: z
      .array(
        z
          .string()
          .min(4)
          .max(300)
          .refine(
            isSwiftPattern,
            'is no regular expression that is quick on every text, such as "ACME-[A-Z0-9]{12}": it begins with what is not repeated, repeats without end (*, +) one thing at most, and no group',
          ),
      )
      .max(50)
      .default([]),
  }),
  llm: section({
    provider: z.enum(["builtin", "openai"]).optional(),
    base_url: z
      .url({ protocol: /^https?$/, error: "is not a URL that begins with http:// or https://" })
      .optional(),
    api_key_env: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "is the name of an environment variable, not the key")
      .optional(),
    models: section({
      summary: z.string().min(1).optional(),
      historian: z.string().min(1).optional(),
      topic: z.string().min(1).optional(),
      strong: z.string().min(1).optional(),
      embedding: z.string().min(1).optional(),
      rerank: z.string().min(1).optional(),
    }),
    context_tokens: count.default(32_000),
    max_output_tokens: count.default(4_000),
    request_timeout_seconds: positive.default(120),
    max_retries: z.number().int().nonnegative().default(2),
    daily_tokens: count.optional(),
  }),
  worker: section({
    max_processes: count.default(3),
    keep_seconds: positive.default(60),
    idle_timeout_minutes: positive.default(10),
    output_limit_mb: positive.default(16),
  }),
  index: section({
    engine: z.enum(["auto", "sqlite", "memory"]).default("auto"),
  }),
  recall: section({
    min_score: z.number().min(0).max(1).default(0.2),
    limit: count.default(10),
    mode: z.enum(RECALL_MODES).default("hybrid"),
    fusion: z.enum(["score", "rrf"]).default("score"),
  }),
  embedding: section({
    weight: z.number().min(0).max(10).default(0.5),
    reads_han: z.boolean().optional(),
    revision: z.string().optional(),
    dimensions: count.optional(),
    batch: count.max(2048).default(64),
    query_timeout_seconds: positive.default(2),
  }),
  cognitive: section({
    enabled: z.boolean().default(true),
  }),
  historian: section({
    gate: z.enum(["strict", "warn", "off"]).default("strict"),
    rewrite_retries: z.number().int().nonnegative().default(2),
    recent_messages: z.number().int().nonnegative().default(12),
    recent_message_chars: count.default(240),
    source_chars: count.default(800),
    extract: z.boolean().default(true),
    round_idle_seconds: positive.default(60),
    stretch_rounds: count.default(8),
    stretch_tokens: count.default(4096),
    stretch_idle_hours: positive.default(6),
    message_chars: count.default(4000),
    foresight_days: count.default(90),
    document_window_chars: count.min(100).default(8000),
    profile_revisions: count.default(5),
    failed_days: count.default(30),
    failed_files: count.default(500),
  }),
  topics: section({
    enabled: z.boolean().default(false),
    window_tokens: count.min(2000).default(32_000),
    keep_messages: count.default(20),
    parallel: count.default(4),
    turn_tokens: count.default(200_000),
    least_active: count.default(3),
    target_active: count.default(10),
    most_active: count.default(20),
    review_at: z
      .string()
      .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'is no time of day such as "04:00"')
      .default("04:00"),
    sleep_days: positive.default(7),
    forgetting_signs: z.array(z.string().min(2)).default([...FORGETTING_SIGNS]),
  }),
  agents: section({
    exclude: z.array(z.string().min(1)).default([]),
  }),
  mcp: section({
    tools: z.enum(["basic", "all"]).default("basic"),
    answer_tokens: count.min(500).default(4000),
    prompt_tokens: count.min(1000).default(10_000),
  }),
  context: section({
    profile: z.enum(["lean", "full"]).default("lean"),
    off: z.array(z.enum(SECTION_NAMES)).default([]),
    tokens: section({
      guide: count.default(400),
      soul: count.default(3000),
      pinned: count.default(4000),
      profiles: count.default(1000),
      awareness: count.default(2000),
      memos: count.default(1000),
      daily_log: count.default(2000),
      memory: count.default(3072),
      history: count.default(4096),
      input: count.default(8000),
    }),
    fixed_tokens: count.default(15_000),
    memos: count.default(30),
    memory_hits: count.default(120),
    memory_events: z.number().int().nonnegative().default(40),
    history_min_messages: count.default(5),
    history_max_messages: count.default(20),
    full_history_tokens: count.default(40_000),
    compact_at_tokens: count.default(30_000),
    compact_to_tokens: count.default(15_000),
    awareness_minutes: positive.default(5),
    deadline_seconds: positive.default(2),
  }),
});

export type Settings = z.infer<typeof settingsSchema>;

export const DEFAULT_SETTINGS: Settings = settingsSchema.parse({});

function isGlobInside(glob: string): boolean {
  const isPath = glob.trim() !== "" && glob.length <= 500 && !/^[/~\\]|^[A-Za-z]:|^!/.test(glob);
  return isPath && !glob.split("/").includes("..");
}

/** It runs over every text that comes in: whatever that is, it may not take longer than the text is long. */
function isSwiftPattern(source: string): boolean {
  const bare = source.replace(/\\[^]/g, "x").replace(/\[[^\]]{0,300}\]/g, "x");
  const endless = bare.match(/[*+]|\{\d+,\}/g) ?? [];
  if (endless.length > 1 || /\)[*+{]|\(\?<?[=!]/.test(bare) || /^\(?(?:\?:)?[^(|][*+?{]/.test(bare))
    return false;
  try {
    return !new RegExp(source, "u").test("");
  } catch {
    // The engine says that it is none only by throwing.
    return false;
  }
}

function isFolderInside(dir: string): boolean {
  return isGlobInside(dir) && !/[*?[\]{}]/.test(dir);
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    // Intl says "no such zone" only by throwing.
    return false;
  }
}
