/** The line of `logs/usage.jsonl` for one call of a chat model. Pure. */
import type { ChatCompletion } from "openai/resources/chat/completions";
import { isoOf, type EpochMs } from "../model/time.js";
import type { UsageRecord } from "../model/work.js";
import { estimateTokens } from "../text/tokens.js";
import { countedTokens } from "./openai-client.js";

interface Call {
  /** Who asked for what: as it is written. */
  of: Pick<UsageRecord, "role" | "feature" | "model"> & { user?: string | undefined };
  at: EpochMs;
  ms: number;
  outcome: UsageRecord["outcome"];
  /** All that was sent. */
  sent: readonly { content?: unknown }[];
  answer: ChatCompletion | undefined;
  /** The text of the answer. */
  text: string;
}

/** An endpoint that does not count, or did not answer, is estimated; one that refused took nothing. */
export function billed({ of, at, ms, outcome, sent, answer, text }: Call): UsageRecord {
  const { role, feature, model, user } = of;
  const isRead = outcome === "ok" || outcome === "timeout";
  return {
    at: isoOf(at),
    role,
    feature,
    ...(user === undefined ? {} : { user }),
    model,
    tokensIn: countedTokens(answer?.usage?.prompt_tokens) ?? (isRead ? sentTokens(sent) : 0),
    tokensOut: countedTokens(answer?.usage?.completion_tokens) ?? Math.ceil(estimateTokens(text)),
    tokensCached: countedTokens(answer?.usage?.prompt_tokens_details?.cached_tokens) ?? 0,
    ms,
    outcome,
  };
}

/** Of all messages that are sent, as estimated. */
export function sentTokens(sent: readonly { content?: unknown }[]): number {
  const tokens = sent.reduce(
    (sum, { content }) => sum + (typeof content === "string" ? estimateTokens(content) : 0),
    0,
  );
  return Math.ceil(tokens);
}
