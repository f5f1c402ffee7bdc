/**
 * A call to an OpenAI-compatible endpoint through the `openai` SDK, with the
 * patience that is ours: the SDK's own retries wait for a minute where a job
 * has less, and give up what `Retry-After` said. What went wrong is told in words.
 */
import type OpenAI from "openai";
import { defined } from "../model/collections.js";
import { messageOf } from "../model/errors.js";
import type { Settings } from "../model/settings.js";
import { isoOf, SECOND_MS } from "../model/time.js";
import type { UsageRecord } from "../model/work.js";
import type { Clock } from "../platform/clock.js";
import { type HttpFetch, HttpLimitError } from "../platform/http-client.js";
import { redactSecrets, withoutKey } from "../text/redact.js";
import { estimateTokens } from "../text/tokens.js";
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
  mostRetries = llm.max_retries,
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
      if (!fault.again || attempt >= mostRetries || waitedMs + pauseMs > patienceMs) {
        const { to, reason, retryAfterMs } = fault;
        return { to, reason, ...defined({ retryAfterMs }) };
      }
      waitedMs += pauseMs;
      await clock.sleep(pauseMs);
    }
  }
}

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

/** A call that is no chat, with its lines for `logs/usage.jsonl`. Never rejects for what an endpoint does. */
export async function endpointCall<T>(
  options: EndpointOptions,
  onUsage: (usage: UsageRecord) => void,
  { of, model, texts, send, tokensIn }: EndpointCall<T>,
): Promise<Reply<T>> {
  const client = await openaiClient(options);
  const told = { role: of, feature: of, model };
  const estimate = (): number => Math.ceil(texts.reduce((sum, text) => sum + estimateTokens(text), 0));
  return withRetries(
    options,
    () => send(client),
    (outcome, ms, answer) => {
      const counted = answer === undefined ? undefined : countedTokens(tokensIn?.(answer));
      const isRead = outcome === "ok" || outcome === "timeout";
      const tokens = { tokensIn: counted ?? (isRead ? estimate() : 0), tokensOut: 0, tokensCached: 0 };
      onUsage({ at: isoOf(options.clock.now()), ...told, ...tokens, ms, outcome });
    },
  );
}

/** What an endpoint counts, where it is a number of tokens. */
export function countedTokens(tokens: unknown): number | undefined {
  return typeof tokens === "number" && tokens >= 0 && tokens <= Number.MAX_SAFE_INTEGER ? tokens : undefined;
}

/** What an error of the `openai` SDK means for the job. Its shape is read, not its class, so that the SDK stays a lazy import. */
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
  if (limit !== undefined) {
    // What timed out once has had its patience; asking at once again only doubles the load.
    const outcome = limit.limit === "timeout" ? "timeout" : "failed";
    return { to: "unavailable", reason: limit.message, outcome, again: false };
  }
  const down = { to: "unavailable", outcome: "unavailable", again: true } as const;
  // A proxy's page, a captive portal, a line cut in the middle: not the model's doing.
  if (error instanceof SyntaxError) return { ...down, reason: "the endpoint did not answer in JSON" };
  const { status, code } = error as { status?: unknown; code?: unknown };
  if (typeof status !== "number") {
    const errno = inCauses(error, (cause) => (cause as { code?: string } | undefined)?.code);
    return { ...down, reason: `the endpoint cannot be reached: ${errno ?? short(error, key)}` };
  }
  const reason = `the endpoint answered ${status}: ${short(error, key)}`;
  const wait = defined({ retryAfterMs: retryAfterMs(error, nowMs) });
  if (status === 429 || status === 402) {
    const isSpent = code === "insufficient_quota" || status === 402;
    return { to: "unavailable", reason, outcome: "rate_limited", again: !isSpent, ...wait };
  }
  if (status >= 500 || [408, 409, 425].includes(status)) return { ...down, reason, ...wait };
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
  // On its own lines first: some secrets are told by the line that they stand on.
  const told = redactSecrets(withoutKey(messageOf(error), key)).replace(/\s+/g, " ");
  return told.slice(0, REASON_LIMIT_CHARS);
}
