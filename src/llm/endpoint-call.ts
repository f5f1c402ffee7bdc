/** A call to an endpoint that is no chat, with its lines for `logs/usage.jsonl`. */
import type OpenAI from "openai";
import { isoOf } from "../model/time.js";
import type { UsageRecord } from "../model/work.js";
import { estimateTokens } from "../text/tokens.js";
import type { Reply } from "./ask.js";
import { countedTokens, openaiClient, withRetries, type EndpointOptions } from "./openai-client.js";

interface EndpointCall<T> {
  /** What it is for, and whose model. */
  of: "embedding" | "rerank";
  model: string;
  /** All that is sent: estimated where the endpoint does not count. */
  texts: readonly string[];
  send: (client: OpenAI) => Promise<T>;
  /** What the endpoint counted. */
  tokensIn?: (answer: T) => unknown;
}

/** Never rejects for what an endpoint does. */
export async function endpointCall<T>(
  options: EndpointOptions,
  onUsage: (usage: UsageRecord) => void,
  { of, model, texts, send, tokensIn }: EndpointCall<T>,
): Promise<Reply<T>> {
  const client = await openaiClient(options);
  return withRetries(
    options,
    () => send(client),
    (outcome, ms, answer) => {
      const counted = answer === undefined ? undefined : countedTokens(tokensIn?.(answer));
      const isRead = outcome === "ok" || outcome === "timeout";
      onUsage({
        at: isoOf(options.clock.now()),
        role: of,
        feature: of,
        model,
        tokensIn:
          counted ?? (isRead ? Math.ceil(texts.reduce((sum, text) => sum + estimateTokens(text), 0)) : 0),
        tokensOut: 0,
        tokensCached: 0,
        ms,
        outcome,
      });
    },
  );
}
