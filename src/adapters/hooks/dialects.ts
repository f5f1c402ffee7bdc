/** How each agent's hooks speak. Pure. */
import type { Kind } from "../kinds.js";
import type { HookDialect } from "./hook.js";

/** For the model, in JSON: the shape of Claude Code, which others took over. */
function additionalContext(event: string, briefing: string): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: briefing } });
}

export const DIALECTS = {
  "claude-code": {
    events: { SessionStart: "start", UserPromptSubmit: "asked", Stop: "answered" },
    texts: { asked: "prompt", answered: "last_assistant_message" },
    says: additionalContext,
  },
  codex: {
    events: { SessionStart: "start", UserPromptSubmit: "asked", Stop: "answered" },
    texts: { asked: "prompt", answered: "last_assistant_message" },
    says: additionalContext,
  },
  gemini: {
    events: { SessionStart: "start", BeforeAgent: "asked", AfterAgent: "answered" },
    texts: { asked: "prompt", answered: "prompt_response" },
    says: additionalContext,
  },
  cursor: {
    events: { sessionStart: "start", beforeSubmitPrompt: "asked", afterAgentResponse: "answered" },
    texts: { asked: "prompt", answered: "text" },
    // It lets a hook stop what was typed, and say nothing to the model.
    says: () => undefined,
  },
} as const satisfies Partial<Record<Kind, HookDialect>>;

export type HookedAgent = keyof typeof DIALECTS;
export const HOOKED_AGENTS = Object.keys(DIALECTS) as HookedAgent[];
