/** What a language model is to memd: turns in, text out, and what it cost. */
import type { ChatRole } from "../model/settings.js";
import type { UsageRecord } from "../model/work.js";

export interface ChatTurn {
  role: "system" | "user" | "assistant";
  text: string;
}

export interface ChatRequest {
  role: ChatRole;
  /** What the call is for: `day_summary`, `month_summary`, … */
  feature: string;
  /** Whose memory it works on, for the totals. */
  user?: string | undefined;
  turns: readonly ChatTurn[];
}

/**
 * One call with its retries. `calls` has one record per attempt. `unavailable`
 * says nothing about the request: the endpoint is down, busy or spent.
 */
export type ChatAnswer =
  | {
      to: "answer";
      text: string;
      /** Ended by the limit of output tokens. */ cut: boolean;
      calls: UsageRecord[];
    }
  | { to: "unavailable"; reason: string; retryAfterMs?: number; calls: UsageRecord[] }
  | { to: "failed"; reason: string; calls: UsageRecord[] };

export interface ChatProvider {
  /** The model that answers for a role; undefined when none is named. */
  modelOf(role: ChatRole): string | undefined;
  /** Never rejects for what an endpoint does. */
  chat(request: ChatRequest): Promise<ChatAnswer>;
}
