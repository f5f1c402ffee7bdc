/** Vercel's AI SDK: arrays of UIMessage, where one answer holds all its steps, and of ModelMessage. */
import { jsonArray, sayAll, type Yard } from "./yard.js";
import type { Session, Step, Turn } from "./talk.js";

export function writeAiSdk(yard: Yard): string[] {
  const paths: string[] = [];
  for (let number = 0; number < yard.sessions; number++) {
    const session = yard.talk.session();
    const stem = number % 2 === 0 ? `ui-${number}` : `model-${number}`;
    const messages = number % 2 === 0 ? uiMessages(yard, session, stem) : modelMessages(yard, session);
    if (number % 2 === 1) sayAll(yard, stem, session, false);
    paths.push(yard.write(`ai-sdk/${stem}.json`, jsonArray(messages)));
  }
  return paths;
}

function uiMessages(yard: Yard, session: Session, conversation: string): object[] {
  const messages: object[] = [{ id: "sys", role: "system", parts: [{ type: "text", text: "Be kind." }] }];
  for (const turn of session.turns) {
    const id = yard.random.hex(16);
    messages.push({ id, role: "user", metadata: { source: "web" }, parts: humanParts(yard, turn.human) });
    yard.say(conversation, "user", turn.human);
    if (turn.steps.length === 0) continue;
    messages.push({ id: yard.random.hex(16), role: "assistant", parts: answerParts(yard, turn) });
    const texts = turn.steps.flatMap((step) => step.texts);
    if (texts.length > 0) yard.say(conversation, "assistant", texts);
    if (texts.length > 1) yard.odd("answers with several texts between tools");
  }
  return messages;
}

function humanParts(yard: Yard, text: string): object[] {
  const parts: object[] = [{ type: "text", text }];
  if (yard.happens("files beside text", 0.1))
    parts.unshift({ type: "file", mediaType: "image/png", url: "data:image/png;base64,iVBORw0KGgo=" });
  return parts;
}

function answerParts(yard: Yard, turn: Turn): object[] {
  const parts: object[] = [];
  for (const step of turn.steps) {
    parts.push({ type: "step-start" });
    if (step.thinking !== undefined) parts.push({ type: "reasoning", text: step.thinking, state: "done" });
    parts.push(...step.texts.map((text) => ({ type: "text", text, state: "done" })));
    if (yard.happens("sources and data parts", 0.08))
      parts.push(
        { type: "source-url", sourceId: "s1", url: "https://example.org", title: "A page" },
        { type: "data-weather", id: "d1", data: { text: "data, not talk" } },
      );
    if (step.tool === undefined) continue;
    const { id, name, input, output, failed } = step.tool;
    const call = { type: `tool-${name.toLowerCase()}`, toolCallId: id, input };
    if (failed) parts.push({ ...call, state: "output-error", errorText: output });
    else parts.push({ ...call, state: "output-available", output: { text: output } });
  }
  return parts;
}

function modelMessages(yard: Yard, session: Session): object[] {
  const messages: object[] = [{ role: "system", content: "Be kind." }];
  for (const turn of session.turns) {
    const parts = [{ type: "text", text: turn.human }];
    messages.push({ role: "user", content: yard.random.chance(0.5) ? turn.human : parts });
    for (const step of turn.steps) messages.push(...modelReply(yard, step));
  }
  return messages;
}

function modelReply(yard: Yard, step: Step): object[] {
  const content: object[] = [];
  if (step.thinking !== undefined) content.push({ type: "reasoning", text: step.thinking });
  content.push(...step.texts.map((text) => ({ type: "text", text })));
  if (step.tool === undefined) {
    const plain = content.length === 1 && step.texts.length === 1 && yard.random.chance(0.5);
    return [{ role: "assistant", content: plain ? step.texts[0] : content }];
  }
  const { id: toolCallId, name: toolName, input, output } = step.tool;
  content.push({ type: "tool-call", toolCallId, toolName, input });
  const result = { type: "tool-result", toolCallId, toolName, output: { type: "text", value: output } };
  return [
    { role: "assistant", content },
    { role: "tool", content: [result] },
  ];
}
