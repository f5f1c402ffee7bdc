/**
 * Chat with any OpenAI-compatible endpoint.
 *
 * Owns the request and its bill. Secrets are redacted here, at the last place
 * before the wire.
 */
import type {
  ChatCompletion,
  ChatCompletionCreateParamsNonStreaming,
} from "openai/resources/chat/completions";
import type { Settings } from "../model/settings.js";
import { CHAT_ROLES, type ChatRole, type UsageRecord } from "../model/work.js";
import { redactTogether } from "../text/redact.js";
import { billed } from "./usage.js";
import { openaiClient, withRetries, type EndpointOptions } from "./openai-client.js";
import type { ChatAnswer, ChatProvider, ChatRequest } from "./ask.js";

export function openaiProvider(options: EndpointOptions): ChatProvider {
  const { llm, clock } = options;

  const chat = async (request: ChatRequest): Promise<ChatAnswer> => {
    const calls: UsageRecord[] = [];
    const model = modelFor(llm, request.role);
    if (model === undefined) {
      const reason = `no model is named for ${request.role}: set llm.models.summary`;
      return { to: "failed", reason, calls };
    }
    const texts = redactTogether(request.turns.map(({ text }) => text));
    const messages = request.turns.map(({ role }, index) => ({ role, content: texts[index] ?? "" }));
    const client = await openaiClient(options);
    const send = async (): Promise<ChatCompletion> => {
      const completion: unknown = await client.chat.completions.create({
        model,
        messages,
        ...outputLimit(llm),
      });
      // The SDK hands over the text of anything that does not call itself JSON.
      if (typeof completion !== "object" || completion === null) throw new SyntaxError("not JSON");
      return completion as ChatCompletion;
    };
    const bill = (outcome: UsageRecord["outcome"], ms: number, answer?: ChatCompletion): void => {
      const text = answer === undefined ? "" : answerIn(answer).text;
      const ended = outcome === "ok" && text === "" ? "empty" : outcome;
      const of = { ...request, model };
      calls.push(billed({ of, at: clock.now(), ms, outcome: ended, sent: messages, answer, text }));
    };
    const tried = await withRetries(options, send, bill, request.once === true ? 0 : llm.max_retries);
    if (tried.to !== "answer") return { ...tried, calls };
    const { text, cut, why } = answerIn(tried.value);
    if (text === "") return { to: "failed", reason: `empty answer${why}`, calls };
    return { to: "answer", text, cut, calls };
  };

  return { modelOf: (role) => modelFor(llm, role), chat };
}

/** A role without a model uses that of the role before it: summary, historian, topic, strong. */
export function modelFor(llm: Settings["llm"], role: ChatRole): string | undefined {
  const upTo = CHAT_ROLES.slice(0, CHAT_ROLES.indexOf(role) + 1);
  return upTo.map((name) => llm.models[name]).findLast((model) => model !== undefined);
}

/** OpenAI's newer models refuse `max_tokens`; other endpoints know nothing else. */
export function outputLimit(llm: Settings["llm"]): Partial<ChatCompletionCreateParamsNonStreaming> {
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
  const cut = choice?.finish_reason === "length";
  return { text, cut, why: cut ? " (cut at llm.max_output_tokens)" : "" };
}
