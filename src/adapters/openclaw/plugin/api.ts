/**
 * What memd uses of OpenClaw's plugin API, as its sources and documents of 2026.8 to 2026.9 have it. Types alone:
 * the package itself is not needed. What the host hands over is of any shape, and read leniently.
 */
import type { Fields } from "../../fields.js";

export interface PluginApi {
  /** `plugins.entries.memd.config`. */
  pluginConfig?: unknown;
  logger?: { warn?: (text: string) => void };
  /** `make` is called for each run of an agent. */
  registerTool(make: (context: unknown) => Tool[] | null, options: { names: readonly string[] }): void;
  /** Of whoever has the memory slot; older hosts have none. */
  registerMemoryCapability?(capability: MemoryCapability): void;
  on(
    hook: "before_prompt_build" | "agent_end",
    hear: (event: unknown, context: unknown) => Promise<{ prependContext: string } | undefined>,
    options: { timeoutMs: number },
  ): void;
}

interface MemoryCapability {
  /** Lines of the system prompt. */
  promptBuilder: (given: { availableTools?: ReadonlySet<string> }) => string[];
  recallToolNames: readonly string[];
}

export interface Tool {
  name: string;
  label: string;
  description: string;
  /** JSON schema. */
  parameters: Fields;
  execute(callId: string, given: unknown): Promise<ToolResult>;
}

export interface ToolResult {
  content: { type: "text"; text: string }[];
  details: unknown;
}

/** As OpenClaw's own memory tools give theirs. */
export function jsonResult(payload: object): ToolResult {
  return { content: [{ type: "text", text: JSON.stringify(payload, null, 2) }], details: payload };
}
