/**
 * Chat with any OpenAI-compatible endpoint.
 *
 * Owns the request, its retries and its bill. Secrets are redacted here, at
 * the last place before the wire. The SDK's own retries are off: they wait for
 * a minute where a job has less patience, and give up what `Retry-After` said.
 */
import type {
  ChatCompletion,
  ChatCompletionCreateParamsNonStreaming,
} from "openai/resources/chat/completions";
import { CHAT_ROLES, type ChatRole, type Settings } from "../model/settings.js";
import { isoOf, SECOND_MS } from "../model/time.js";
import type { UsageRecord } from "../model/work.js";
import type { Clock } from "../platform/clock.js";
import type { HttpFetch } from "../platform/http-client.js";
import { redactSecrets } from "../text/redact.js";
import { estimateTokens } from "../text/tokens.js";
import { faultOf } from "./openai-faults.js";
import type { ChatAnswer, ChatProvider, ChatRequest } from "./provider.js";

interface OpenaiOptions {
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

export function openaiProvider(options: OpenaiOptions): ChatProvider {
  const { llm, clock } = options;
  const patienceMs = llm.request_timeout_seconds * SECOND_MS;

  const chat = async (request: ChatRequest): Promise<ChatAnswer> => {
    const model = modelFor(llm, request.role);
    if (model === undefined) {
      return {
        to: "failed",
        reason: `no model is named for ${request.role}: set llm.models.summary`,
        calls: [],
      };
    }
    const messages = request.turns.map(({ role, text }) => ({ role, content: redactSecrets(text) }));
    const send = await sender(options);
    const calls: UsageRecord[] = [];
    let waitedMs = 0;
    for (let attempt = 0; ; attempt++) {
      const startedMs = clock.monotonicMs();
      const bill = (outcome: UsageRecord["outcome"], usage: ChatCompletion["usage"], answer = ""): void => {
        const asked = outcome === "ok" || outcome === "empty" || outcome === "timeout";
        calls.push({
          at: isoOf(clock.now()),
          role: request.role,
          feature: request.feature,
          ...(request.user === undefined ? {} : { user: request.user }),
          model,
          // An endpoint that does not count, or did not answer, is estimated; one that refused took nothing.
          tokensIn: counted(usage?.prompt_tokens) ?? (asked ? tokensOf(messages) : 0),
          tokensOut: counted(usage?.completion_tokens) ?? Math.ceil(estimateTokens(answer)),
          tokensCached: counted(usage?.prompt_tokens_details?.cached_tokens) ?? 0,
          ms: Math.round(clock.monotonicMs() - startedMs),
          outcome,
        });
      };
      try {
        const completion = await send({ model, messages, ...outputLimit(llm) });
        const choice = answerIn(completion);
        bill(choice.text === "" ? "empty" : "ok", completion.usage, choice.text);
        if (choice.text === "") return { to: "failed", reason: `empty answer${choice.why}`, calls };
        return { to: "answer", text: choice.text, cut: choice.cut, calls };
      } catch (error) {
        const fault = faultOf(error, clock.now());
        bill(fault.outcome, undefined);
        const pauseMs = fault.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** attempt;
        const { to, reason, retryAfterMs } = fault;
        if (!fault.again || attempt >= llm.max_retries || waitedMs + pauseMs > patienceMs) {
          return to === "failed" || retryAfterMs === undefined
            ? { to, reason, calls }
            : { to, reason, retryAfterMs, calls };
        }
        waitedMs += pauseMs;
        await clock.sleep(pauseMs);
      }
    }
  };

  return { modelOf: (role) => modelFor(llm, role), chat };
}

/** A role without a model uses that of the role before it: summary, historian, topic, strong. */
function modelFor(llm: Settings["llm"], role: ChatRole): string | undefined {
  const upTo = CHAT_ROLES.slice(0, CHAT_ROLES.indexOf(role) + 1);
  return upTo.map((name) => llm.models[name]).findLast((model) => model !== undefined);
}

/** What an endpoint counts, where it is a number of tokens. */
function counted(tokens: unknown): number | undefined {
  return typeof tokens === "number" && tokens >= 0 && tokens <= Number.MAX_SAFE_INTEGER ? tokens : undefined;
}

function tokensOf(messages: readonly { content: string }[]): number {
  return Math.ceil(messages.reduce((sum, { content }) => sum + estimateTokens(content), 0));
}

type Send = (params: ChatCompletionCreateParamsNonStreaming) => Promise<ChatCompletion>;

async function sender({ llm, key, fetch }: OpenaiOptions): Promise<Send> {
  // 200 ms of loading, paid by the worker alone and only when there is a call.
  const { default: OpenAI } = await import("openai");
  const client = new OpenAI({
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
  return async (params) => {
    const completion: unknown = await client.chat.completions.create(params);
    // The SDK hands over the text of anything that does not call itself JSON.
    if (typeof completion !== "object" || completion === null) throw new SyntaxError("not JSON");
    return completion as ChatCompletion;
  };
}

/** OpenAI's newer models refuse `max_tokens`; other endpoints know nothing else. */
function outputLimit(llm: Settings["llm"]): Partial<ChatCompletionCreateParamsNonStreaming> {
  return llm.base_url === undefined
    ? { max_completion_tokens: llm.max_output_tokens }
    : { max_tokens: llm.max_output_tokens };
}

/** Endpoints differ: what arrives is looked at, not trusted. */
function answerIn(completion: ChatCompletion): { text: string; cut: boolean; why: string } {
  const choice = (completion as Partial<ChatCompletion>).choices?.[0];
  const content: unknown = (choice as Partial<typeof choice>)?.message?.content;
  // Reasoning models of some endpoints put their thoughts in front of the answer.
  const text =
    typeof content === "string" ? content.replace(/^\s*<think>[\s\S]*?(?:<\/think>|$)/, "").trim() : "";
  const reason = choice?.finish_reason;
  return {
    text,
    cut: reason === "length",
    why: reason === "length" ? " (cut at llm.max_output_tokens)" : "",
  };
}
