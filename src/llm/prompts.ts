/**
 * Prompts as files: Markdown with front matter, `# System` and `# User`, and
 * `{{placeholders}}`.
 *
 * What a prompt may ask for is fixed here; a file that asks for something else,
 * or forgets something, is an error at start and not a strange answer at night.
 */
import { z } from "zod";
import { MemdError, messageOf } from "../model/errors.js";
import { CHAT_ROLES, type ChatRole } from "../model/settings.js";
import type { Disk } from "../platform/disk.js";
import { join } from "../platform/path.js";
import { parseFrontMatter } from "../protocol/front-matter.js";
import { estimateTokens } from "../text/tokens.js";
import type { ChatTurn } from "./provider.js";

const SUMMARY_INPUTS = ["date", "max_bullets", "previous", "material"] as const;

/** Every prompt and what the code gives to it. */
export const PROMPT_INPUTS = {
  "day-summary": SUMMARY_INPUTS,
  "month-summary": SUMMARY_INPUTS,
  "window-summary": SUMMARY_INPUTS,
  fold: SUMMARY_INPUTS,
  observations: ["material"],
  absolutise: ["when", "speaker", "source", "material", "observations"],
  extract: ["about", "wants", "speaker", "earlier", "material"],
  compare: ["pairs"],
  profile: ["who", "present", "tags", "events"],
  rewrite: ["query", "found"],
  "topic-split": ["topics", "material"],
  "topic-brief": ["name", "previous", "material"],
  "topic-window": ["topic", "messages", "recent"],
  "topic-index": ["topics", "query"],
  "topic-review": ["topics"],
} as const satisfies Record<string, readonly string[]>;

export type PromptName = keyof typeof PROMPT_INPUTS;

export interface Prompt {
  role: ChatRole;
  /** Of the prompt itself, without what is filled in. */
  tokens: number;
  turns(inputs: Readonly<Record<string, string>>): ChatTurn[];
}

export type Prompts = Readonly<Record<PromptName, Prompt>>;

const head = z.strictObject({
  role: z.enum(CHAT_ROLES),
  inputs: z.array(z.string()),
  output: z.enum(["notes", "json", "text"]),
});

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;
const SHAPE = /^\s*# System[ \t]*\n([\s\S]*?)^# User[ \t]*\n([\s\S]*)$/m;

/** All prompts, each from the first folder that has it. Throws MemdError `prompt_invalid`. */
export async function loadPrompts(disk: Disk, folders: readonly string[]): Promise<Prompts> {
  const names = Object.keys(PROMPT_INPUTS) as PromptName[];
  const loaded = await Promise.all(
    names.map(async (name) => [name, await loadPrompt(disk, folders, name)] as const),
  );
  return Object.fromEntries(loaded) as Record<PromptName, Prompt>;
}

/** For the start of the daemon and `memd config check`: throws for the first prompt that cannot be used. */
export async function checkPrompts(disk: Disk, folders: readonly string[]): Promise<void> {
  await loadPrompts(disk, folders);
}

async function loadPrompt(disk: Disk, folders: readonly string[], name: PromptName): Promise<Prompt> {
  for (const folder of folders) {
    const file = join(folder, `${name}.md`);
    const bytes = await disk.read(file);
    if (bytes !== undefined) return parsePrompt(new TextDecoder().decode(bytes), file, PROMPT_INPUTS[name]);
  }
  throw new MemdError("prompt_invalid", `There is no prompt ${name}.md in ${folders.join(" or ")}.`);
}

function parsePrompt(text: string, file: string, given: readonly string[]): Prompt {
  const { role, inputs, system, user } = partsOf(text, file);
  const used = new Set([...`${system}\n${user}`.matchAll(PLACEHOLDER)].map((match) => match[1] ?? ""));
  const unknown = [...used, ...inputs].find((name) => !given.includes(name));
  if (unknown !== undefined)
    throw new MemdError("prompt_invalid", `${file} asks for {{${unknown}}}, which is not known.`);
  const missing = given.find((name) => !used.has(name) || !inputs.includes(name));
  if (missing !== undefined)
    throw new MemdError("prompt_invalid", `${file} does not use and list {{${missing}}}.`);
  return {
    role,
    tokens: estimateTokens(system) + estimateTokens(user),
    turns: (values) => [
      { role: "system", text: fill(system, values) },
      { role: "user", text: fill(user, values) },
    ],
  };
}

function partsOf(
  text: string,
  file: string,
): { role: ChatRole; inputs: string[]; system: string; user: string } {
  try {
    const { data, body } = parseFrontMatter(text);
    const { role, inputs } = head.parse(data);
    const parts = SHAPE.exec(body);
    if (parts === null) throw new SyntaxError("it needs the parts `# System` and `# User`");
    return { role, inputs, system: (parts[1] ?? "").trim(), user: (parts[2] ?? "").trim() };
  } catch (error) {
    const reason =
      error instanceof z.ZodError ? z.prettifyError(error).replace(/\s+/g, " ") : messageOf(error);
    throw new MemdError("prompt_invalid", `${file}: ${reason}.`, { cause: error });
  }
}

/** In one pass: a placeholder inside what is filled in stays text. */
function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(PLACEHOLDER, (_whole, name: string) => values[name] ?? "");
}
