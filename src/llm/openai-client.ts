/**
 * A call to an OpenAI-compatible endpoint through the `openai` SDK, with the
 * patience that is ours: the SDK's own retries wait for a minute where a job
 * has less, and give up what `Retry-After` said.
 */
import type OpenAI from "openai";
import type { Settings } from "../model/settings.js";
import { SECOND_MS } from "../model/time.js";
import type { UsageRecord } from "../model/work.js";
import type { Clock } from "../platform/clock.js";
import type { HttpFetch } from "../platform/http-client.js";
import type { Reply } from "./ask.js";
import { faultOf } from "./openai-faults.js";

export interface EndpointOptions {
  llm: Settings["llm"];
  /** Absent for endpoints that ask for none. */
  key: string | undefined;
  clock: Clock;
  /** With its own deadline and size limit. */
  fetch: HttpFetch;
}

const FIRST_PAUSE_MS = 500;
/** Backstop behind the deadline of `fetch`, which is the one that counts. */
const SDK_EXTRA_MS = 10 * SECOND_MS;

export async function openaiClient({ llm, key, fetch }: EndpointOptions): Promise<OpenAI> {
  // 200 ms of loading, paid by the worker alone and only when there is a call.
  const { default: Client } = await import("openai");
  return new Client({
    apiKey: key ?? "none",
    ...(llm.base_url === undefined ? {} : { baseURL: llm.base_url }),
    organization: null,
    project: null,
    ...(key === undefined ? { defaultHeaders: { Authorization: null } } : {}),
    fetch,
    maxRetries: 0,
    timeout: llm.request_timeout_seconds * SECOND_MS + SDK_EXTRA_MS,
    logLevel: "off",
  });
}

/** Says of each attempt how it ended, in milliseconds since it began; `answer` where there was one. */
export type Ended<T> = (outcome: UsageRecord["outcome"], ms: number, answer?: T) => void;

/** Never rejects for what an endpoint does. */
export async function withRetries<T>(
  { llm, clock }: EndpointOptions,
  send: () => Promise<T>,
  onEnded: Ended<T>,
): Promise<Reply<T>> {
  const patienceMs = llm.request_timeout_seconds * SECOND_MS;
  let waitedMs = 0;
  for (let attempt = 0; ; attempt++) {
    const startedMs = clock.monotonicMs();
    const tookMs = (): number => Math.round(clock.monotonicMs() - startedMs);
    try {
      const answer = await send();
      onEnded("ok", tookMs(), answer);
      return { to: "answer", value: answer };
    } catch (error) {
      const fault = faultOf(error, clock.now());
      onEnded(fault.outcome, tookMs());
      const pauseMs = fault.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** attempt;
      const { to, reason, retryAfterMs } = fault;
      if (!fault.again || attempt >= llm.max_retries || waitedMs + pauseMs > patienceMs) {
        return to === "failed" || retryAfterMs === undefined ? { to, reason } : { to, reason, retryAfterMs };
      }
      waitedMs += pauseMs;
      await clock.sleep(pauseMs);
    }
  }
}

/** What an endpoint counts, where it is a number of tokens. */
export function countedTokens(tokens: unknown): number | undefined {
  return typeof tokens === "number" && tokens >= 0 && tokens <= Number.MAX_SAFE_INTEGER ? tokens : undefined;
}
