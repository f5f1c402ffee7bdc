/**
 * A call to an OpenAI-compatible endpoint through the `openai` SDK, with the
 * patience that is ours: the SDK's own retries wait for a minute where a job
 * has less, and give up what `Retry-After` said. What went wrong is told in words.
 */
import type OpenAI from "openai";
import type { Settings } from "../model/settings.js";
import { SECOND_MS } from "../model/time.js";
import type { UsageRecord } from "../model/work.js";
import type { Clock } from "../platform/clock.js";
import { type HttpFetch, HttpLimitError } from "../platform/http-client.js";
import { redactSecrets, withoutKey } from "../text/redact.js";
import type { Reply } from "./ask.js";

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
type Ended<T> = (outcome: UsageRecord["outcome"], ms: number, answer?: T) => void;

/** Never rejects for what an endpoint does. */
export async function withRetries<T>(
  { llm, clock, key }: EndpointOptions,
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
      const fault = faultOf(error, clock.now(), key);
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

/**
 * What an error of the `openai` SDK means for the job.
 *
 * Pure. Reads the shape of the error (status, headers, cause), not its class,
 * so that the SDK stays a lazy import.
 */
interface Fault {
  to: "unavailable" | "failed";
  reason: string;
  outcome: UsageRecord["outcome"];
  /** Whether asking again soon may help. */
  again: boolean;
  retryAfterMs?: number;
}

const REASON_LIMIT_CHARS = 300;

function faultOf(error: unknown, nowMs: number, key: string | undefined): Fault {
  const limit = inCauses(error, (cause) => (cause instanceof HttpLimitError ? cause : undefined));
  // What timed out once has had its patience; asking at once again only doubles the load.
  if (limit?.limit === "timeout")
    return { to: "unavailable", reason: limit.message, outcome: "timeout", again: false };
  if (limit?.limit === "size")
    return { to: "unavailable", reason: limit.message, outcome: "failed", again: false };
  const status = (error as { status?: unknown }).status;
  if (error instanceof SyntaxError) {
    // A proxy's page, a captive portal, a line cut in the middle: not the model's doing.
    return {
      to: "unavailable",
      reason: "the endpoint did not answer in JSON",
      outcome: "unavailable",
      again: true,
    };
  }
  if (typeof status !== "number") {
    const errno = inCauses(error, (cause) => (cause as { code?: string } | undefined)?.code);
    return {
      to: "unavailable",
      reason: `the endpoint cannot be reached: ${errno ?? short(error, key)}`,
      outcome: "unavailable",
      again: true,
    };
  }
  const reason = `the endpoint answered ${status}: ${short(error, key)}`;
  if (status === 429 || status === 402) {
    const spent = (error as { code?: unknown }).code === "insufficient_quota" || status === 402;
    const wait = retryAfterMs(error, nowMs);
    return {
      to: "unavailable",
      reason,
      outcome: "rate_limited",
      again: !spent,
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    };
  }
  if (status >= 500 || status === 408 || status === 409 || status === 425) {
    const wait = retryAfterMs(error, nowMs);
    return {
      to: "unavailable",
      reason,
      outcome: "unavailable",
      again: true,
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    };
  }
  return { to: "failed", reason, outcome: "failed", again: false };
}

/** `Retry-After` in seconds or as a date (RFC 9110 §10.2.3), or OpenAI's `retry-after-ms`. */
function retryAfterMs(error: unknown, nowMs: number): number | undefined {
  const headers = (error as { headers?: { get?(name: string): string | null } }).headers;
  const exact = Number(headers?.get?.("retry-after-ms") ?? Number.NaN);
  if (exact >= 0) return exact;
  const header = headers?.get?.("retry-after");
  if (header === null || header === undefined) return undefined;
  const seconds = Number(header);
  if (seconds >= 0) return seconds * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

/** The first thing found in an error or in what caused it. */
function inCauses<T>(error: unknown, find: (cause: unknown) => T | undefined): T | undefined {
  for (let cause = error, depth = 0; cause !== undefined && cause !== null && depth < 5; depth++) {
    const found = find(cause);
    if (found !== undefined) return found;
    cause = (cause as { cause?: unknown }).cause;
  }
  return undefined;
}

/** Endpoints echo keys in their refusals. */
function short(error: unknown, key: string | undefined): string {
  const message = error instanceof Error ? error.message : String(error);
  return redactSecrets(withoutKey(message, key).replace(/\s+/g, " ")).slice(0, REASON_LIMIT_CHARS);
}
