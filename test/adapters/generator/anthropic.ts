/** Anthropic messages: arrays, lines, request bodies; answers as messages or as whole API responses. */
import { jsonArray, jsonLines, type Yard } from "./yard.js";
import type { Session, Step } from "./talk.js";

export function writeAnthropic(yard: Yard): string[] {
  const paths: string[] = [];
  for (let number = 0; number < yard.sessions; number++) {
    const session = yard.talk.session();
    const stem = `messages-${number}`;
    const messages = messagesOf(yard, session, stem);
    if (number % 3 === 0) paths.push(yard.write(`anthropic/${stem}.json`, jsonArray(messages)));
    else if (number % 3 === 1) paths.push(yard.write(`anthropic/${stem}.jsonl`, jsonLines(messages)));
    else {
      const body = { model: "claude-x", max_tokens: 4096, system: "Be careful.", messages };
      paths.push(yard.write(`anthropic/${stem}.json`, JSON.stringify(body)));
      yard.odd("request bodies with messages");
    }
  }
  return paths;
}

function messagesOf(yard: Yard, session: Session, conversation: string): object[] {
  const messages: object[] = [];
  for (const turn of session.turns) {
    messages.push({ role: "user", content: humanContent(yard, turn.human) });
    yard.say(conversation, "user", turn.human);
    for (const step of turn.steps) {
      messages.push(reply(yard, step));
      if (step.texts.length > 0) yard.say(conversation, "assistant", step.texts);
      if (step.tool === undefined) continue;
      const content: object[] = [toolResult(yard, step.tool)];
      if (yard.happens("human text beside a tool result", 0.04)) {
        const text = yard.prose.human();
        content.push({ type: "text", text });
        yard.say(conversation, "user", text);
      }
      messages.push({ role: "user", content });
    }
  }
  return messages;
}

function humanContent(yard: Yard, text: string): unknown {
  if (yard.random.chance(0.5)) return text;
  const block = { type: "text", text, cache_control: { type: "ephemeral" } };
  if (!yard.happens("pictures and documents beside text", 0.2)) return [block];
  const data = "iVBORw0KGgo=";
  return [
    { type: "image", source: { type: "base64", media_type: "image/png", data } },
    { type: "document", source: { type: "text", media_type: "text/plain", data: "a document's text" } },
    block,
  ];
}

function reply(yard: Yard, step: Step): object {
  const content: object[] = [];
  if (step.thinking !== undefined)
    content.push({ type: "thinking", thinking: step.thinking, signature: yard.random.hex(40) });
  if (yard.happens("redacted thinking", 0.03)) content.push({ type: "redacted_thinking", data: "RWdv" });
  content.push(...step.texts.map((text) => ({ type: "text", text })));
  if (step.tool !== undefined)
    content.push({ type: "tool_use", id: step.tool.id, name: step.tool.name, input: step.tool.input });
  if (yard.happens("whole API responses", 0.2))
    return {
      id: `msg_${yard.random.hex(20)}`,
      type: "message",
      role: "assistant",
      model: "claude-x",
      content,
      stop_reason: step.tool === undefined ? "end_turn" : "tool_use",
      usage: { input_tokens: 10, output_tokens: 20 },
    };
  if (content.length === 1 && step.texts.length === 1) return { role: "assistant", content: step.texts[0] };
  return { role: "assistant", content };
}

function toolResult(yard: Yard, tool: { id: string; output: string; failed: boolean }): object {
  const content = yard.random.chance(0.5) ? tool.output : [{ type: "text", text: tool.output }];
  return { type: "tool_result", tool_use_id: tool.id, content, is_error: tool.failed };
}
