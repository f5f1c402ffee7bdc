/** What a generated store holds, for comparing it with what was read from it. */
export type Kind =
  | "memd"
  | "openai"
  | "anthropic"
  | "ai-sdk"
  | "langchain"
  | "claude-code"
  | "codex"
  | "codex-zst"
  | "openclaw-sqlite"
  | "openclaw"
  | "pi"
  | "gemini"
  | "opencode"
  | "cursor"
  | "chatgpt"
  | "claude-ai"
  | "mem0"
  | "letta"
  | "markdown"
  | "obsidian";

export interface Expected {
  conversation: string;
  role: "user" | "assistant";
  text: string;
  /** ISO, UTC; undefined where the format has none. */
  at: string | undefined;
}

export interface Generated {
  /** To hand to `memd import`. */
  paths: string[];
  /** Every human and agent message, once, in order within its conversation. */
  messages: Expected[];
  /** For kinds that hold facts or notes rather than talk. */
  notes: { text: string; at?: string }[];
  /** On disk. */
  bytes: number;
  /** What was put in on purpose, with counts. */
  oddities: Record<string, number>;
}

export interface Options {
  seed: number;
  sessions: number;
  /** About so many bytes in all, reached by long tool outputs, thinking and such. */
  bytes?: number;
}
