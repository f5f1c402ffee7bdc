/**
 * Stores of other programs, made for tests: files as those programs write them, with the oddities that real
 * ones have, and the list of what a person and an agent said in them. What counts is in DECISIONS.md.
 */
import { writeAiSdk } from "./ai-sdk.js";
import { writeAnthropic } from "./anthropic.js";
import { writeChatGpt } from "./chatgpt.js";
import { writeClaudeAi } from "./claude-ai.js";
import { writeClaudeCode } from "./claude-code.js";
import { writeCodex } from "./codex.js";
import { writeCursor } from "./cursor.js";
import type { Generated, Kind, Options } from "./expected.js";
import { writeGemini } from "./gemini.js";
import { writeLangChain } from "./langchain.js";
import { writeLetta } from "./letta.js";
import { writeMarkdown } from "./markdown.js";
import { writeMem0 } from "./mem0.js";
import { writeMemd } from "./memd.js";
import { writeObsidian } from "./obsidian.js";
import { writeOpenAi } from "./openai.js";
import { writeOpenClawSqlite } from "./openclaw-sqlite.js";
import { writeOpenClaw } from "./openclaw.js";
import { writeOpenCode } from "./opencode.js";
import { writePi } from "./pi.js";
import { Yard } from "./yard.js";

export type { Expected, Generated, Kind } from "./expected.js";

/** Each writes its files and gives the paths to hand over. */
const WRITERS: Readonly<Record<Kind, (yard: Yard) => string[]>> = {
  memd: writeMemd,
  openai: writeOpenAi,
  anthropic: writeAnthropic,
  "ai-sdk": writeAiSdk,
  langchain: writeLangChain,
  "claude-code": writeClaudeCode,
  codex: (yard) => writeCodex(yard, false),
  "codex-zst": (yard) => writeCodex(yard, true),
  "openclaw-sqlite": writeOpenClawSqlite,
  openclaw: writeOpenClaw,
  pi: writePi,
  gemini: writeGemini,
  opencode: writeOpenCode,
  cursor: writeCursor,
  chatgpt: writeChatGpt,
  "claude-ai": writeClaudeAi,
  mem0: writeMem0,
  letta: writeLetta,
  markdown: writeMarkdown,
  obsidian: writeObsidian,
};

export const KINDS = Object.keys(WRITERS) as readonly Kind[];

export async function generate(kind: Kind, dir: string, options: Options): Promise<Generated> {
  const yard = new Yard(kind, dir, options);
  return yard.result(WRITERS[kind](yard));
}
