/**
 * Prompts as files: Markdown with front matter, `# System` and `# User`, and
 * `{{placeholders}}`.
 *
 * What a prompt may ask for is fixed by the kind of job that fills it in; a file
 * that asks for something else, or forgets something, is an error at start and
 * not a strange answer at night.
 */
import * as z from "zod";
import { MemdError, messageOf } from "../model/errors.js";
import { CHAT_ROLES, type ChatRole } from "../model/work.js";
import type { Disk } from "../platform/disk.js";
import { join } from "../platform/files.js";
import { parseFrontMatter } from "../protocol/front-matter.js";
import { estimateTokens } from "../text/tokens.js";
import type { ChatTurn } from "./ask.js";

/** Names of prompt files, each with what the code fills into it. */
export type PromptInputs = Readonly<Record<string, readonly string[]>>;

/** What a model of a role is asked. */
export interface Question {
  role: ChatRole;
  turns: readonly ChatTurn[];
  /** Somebody waits for it: what fails or cannot be used is not asked again. */
  once?: true;
}

export interface Prompt<Input extends string = string> {
  role: ChatRole;
  /** Of the prompt itself, without what is filled in. */
  tokens: number;
  fill(inputs: Readonly<Record<Input, string>>): Question;
}

export type PromptsOf<Inputs extends PromptInputs> = {
  readonly [Name in keyof Inputs]: Prompt<Inputs[Name][number]>;
};

const head = z.strictObject({
  role: z.enum(CHAT_ROLES),
  inputs: z.array(z.string()),
  output: z.enum(["notes", "json", "text"]),
});

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const SHAPE = /^[ \t]*# System[ \t]*\n([\s\S]*?)^# User[ \t]*\n([\s\S]*)$/m;

/** Each from the first folder that has it. Throws MemdError `prompt_invalid`. */
export async function loadPrompts<Inputs extends PromptInputs>(
  disk: Disk,
  folders: readonly string[],
  inputs: Inputs,
): Promise<PromptsOf<Inputs>> {
  const loaded = await Promise.all(
    Object.entries(inputs).map(
      async ([name, known]) => [name, await loadPrompt(disk, folders, name, known)] as const,
    ),
  );
  return Object.fromEntries(loaded) as PromptsOf<Inputs>;
}

async function loadPrompt(
  disk: Disk,
  folders: readonly string[],
  name: string,
  known: readonly string[],
): Promise<Prompt> {
  for (const folder of folders) {
    const file = join(folder, `${name}.md`);
    const bytes = await disk.read(file);
    if (bytes !== undefined) return parsePrompt(new TextDecoder().decode(bytes), file, known);
  }
  throw new MemdError("prompt_invalid", `There is no prompt ${name}.md in ${folders.join(" or ")}.`);
}

function parsePrompt(text: string, file: string, known: readonly string[]): Prompt {
  const { role, inputs, system, user } = partsOf(text, file);
  const used = new Set([...`${system}\n${user}`.matchAll(PLACEHOLDER)].map(([, name = ""]) => name.trim()));
  const unknown = [...used, ...inputs].find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new MemdError("prompt_invalid", `${file} asks for {{${unknown}}}, which is not known.`);
  const missing = known.find((name) => !used.has(name) || !inputs.includes(name));
  if (missing !== undefined)
    throw new MemdError("prompt_invalid", `${file} does not use and list {{${missing}}}.`);
  return {
    role,
    tokens: estimateTokens(system) + estimateTokens(user),
    fill: (values) => ({
      role,
      turns: [
        { role: "system", text: filled(system, values) },
        { role: "user", text: filled(user, values) },
      ],
    }),
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
function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(PLACEHOLDER, (_whole, name: string) => values[name.trim()] ?? "");
}
