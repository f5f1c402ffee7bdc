/**
 * One turn of a reference Teller: a model reads the prompt, may use tools, and
 * answers. For `memd chat`; agents of their own do this themselves.
 */
import type {
  ChatCompletion,
  ChatCompletionMessage,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import { messageOf } from "../model/errors.js";
import type { ToolUse } from "../model/message.js";
import type { UsageRecord } from "../model/work.js";
import { redacted, redactSecrets } from "../text/redact.js";
import { billed, sentTokens } from "./usage.js";
import { outputLimit } from "./openai.js";
import { openaiClient, withRetries, type EndpointOptions } from "./openai-client.js";

export interface TellerTool {
  name: string;
  description: string;
  /** JSON Schema of its arguments. */
  parameters: Record<string, unknown>;
  /** What the model gets; the message of what it throws goes to the model as an error. */
  run(args: Record<string, unknown>): Promise<string>;
}

export type TellerAnswer =
  { to: "answer"; text: string; uses: ToolUse[] } | { to: "failed"; reason: string; uses: ToolUse[] };

/** A model that calls tools and never answers is stopped. */
const MOST_ROUNDS = 8;

const ASK = "Answer what stands under Input now. Use a tool where it helps.";

export interface TellerOptions extends EndpointOptions {
  model: string;
  /** Tokens that may still be spent today; undefined without a cap. */
  budgetTokens?: number | undefined;
  onUsage: (call: UsageRecord) => unknown;
}

/** `prompt` is the content of prompt.md. Never rejects for what an endpoint does. */
export async function tellerTurn(
  options: TellerOptions,
  prompt: string,
  tools: readonly TellerTool[],
): Promise<TellerAnswer> {
  const { model } = options;
  let leftTokens = options.budgetTokens ?? Number.POSITIVE_INFINITY;
  const client = await openaiClient(options);
  const uses: ToolUse[] = [];
  const told = redacted(prompt);
  const messages: ChatCompletionMessageParam[] = [
    { role: "system", content: told.clean },
    { role: "user", content: ASK },
  ];
  const functions = tools.map(({ name, description, parameters }) => ({
    type: "function" as const,
    function: { name, description, parameters },
  }));
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (sentTokens(messages) > leftTokens)
      return { to: "failed", reason: "today's tokens are used up (llm.daily_tokens)", uses };
    const send = (): Promise<ChatCompletion> =>
      client.chat.completions.create({ model, messages, tools: functions, ...outputLimit(options.llm) });
    const bill = (outcome: UsageRecord["outcome"], ms: number, answer?: ChatCompletion): void => {
      const text = answer === undefined ? "" : (messageIn(answer)?.content ?? "");
      const of = { role: "strong", feature: "chat", model } as const;
      const call = billed({ of, at: options.clock.now(), ms, outcome, sent: messages, answer, text });
      leftTokens -= call.tokensIn + call.tokensOut;
      options.onUsage(call);
    };
    const tried = await withRetries(options, send, bill);
    if (tried.to !== "answer") return { to: "failed", reason: tried.reason, uses };
    const message = messageIn(tried.value);
    const calls = (message?.tool_calls ?? []).filter((call) => call.type === "function");
    if (message === undefined || calls.length === 0) {
      const text = message?.content?.trim() ?? "";
      return text === "" ? { to: "failed", reason: "an empty answer", uses } : { to: "answer", text, uses };
    }
    messages.push({ role: "assistant", content: message.content, tool_calls: calls });
    for (const { id, function: called } of calls) {
      const use = await used(tools, id, called.name, called.arguments);
      uses.push(use);
      const content = redactSecrets(String(use.result), told.secrets);
      messages.push({ role: "tool", tool_call_id: id, content });
    }
  }
  return { to: "failed", reason: `no answer after ${MOST_ROUNDS} rounds of tools`, uses };
}

/** Endpoints differ: what arrives is looked at, not trusted. */
function messageIn(answer: ChatCompletion): ChatCompletionMessage | undefined {
  return (answer as Partial<ChatCompletion>).choices?.[0]?.message;
}

async function used(
  tools: readonly TellerTool[],
  callId: string,
  name: string,
  json: string,
): Promise<ToolUse> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) return { name, callId, input: json, result: `error: there is no tool ${name}` };
  try {
    const args: unknown = JSON.parse(json === "" ? "{}" : json);
    if (typeof args !== "object" || args === null) throw new SyntaxError("the arguments are no object");
    return { name, callId, input: args, result: await tool.run(args as Record<string, unknown>) };
  } catch (error) {
    return { name, callId, input: json, result: `error: ${messageOf(error)}` };
  }
}
