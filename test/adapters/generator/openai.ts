/** OpenAI chat messages as an array, a request body, lines, lines of conversations; and Responses items. */
import { jsonArray, jsonLines, sayAll, type Yard } from "./yard.js";
import type { Session, Step } from "./talk.js";

export function writeOpenAi(yard: Yard): string[] {
  const paths: string[] = [];
  const training: string[] = [];
  for (let number = 0; number < yard.sessions; number++) {
    const session = yard.talk.session();
    const stem = `chat-${number}`;
    const shape = (["array", "items", "lines", "body", "training"] as const)[number % 5] ?? "array";
    if (shape === "training") {
      sayAll(yard, `training#${training.length + 1}`, session, false);
      training.push(`${JSON.stringify({ messages: chatMessages(yard, session) })}\n`);
      yard.odd("lines that hold a whole conversation");
      continue;
    }
    sayAll(yard, stem, session, false);
    const name = `openai/${stem}`;
    if (shape === "array") paths.push(yard.write(`${name}.json`, jsonArray(chatMessages(yard, session))));
    if (shape === "items") paths.push(yard.write(`${name}.json`, jsonArray(responseItems(yard, session))));
    if (shape === "lines") paths.push(yard.write(`${name}.jsonl`, jsonLines(chatMessages(yard, session))));
    if (shape === "body") {
      const body = { model: "gpt-x", messages: chatMessages(yard, session), temperature: 0.2 };
      paths.push(yard.write(`${name}.json`, JSON.stringify(body, undefined, 2)));
      yard.odd("request bodies with messages");
    }
  }
  if (training.length > 0) paths.push(yard.write("openai/training.jsonl", training));
  return paths;
}

function chatMessages(yard: Yard, session: Session): object[] {
  const messages: object[] = [
    { role: yard.random.pick(["system", "developer"]), content: `You are careful. ${yard.prose.word()}` },
  ];
  for (const turn of session.turns) {
    messages.push({ role: "user", content: humanContent(yard, turn.human) });
    for (const step of turn.steps) messages.push(...chatReply(yard, step));
  }
  return messages;
}

function humanContent(yard: Yard, text: string): unknown {
  if (!yard.happens("content in parts", 0.25)) return text;
  const part = { type: "text", text };
  if (!yard.happens("pictures beside text", 0.4)) return [part];
  return [part, { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } }];
}

function chatReply(yard: Yard, step: Step): object[] {
  const parts = step.texts.map((text) => ({ type: "text", text }));
  const content = parts.length === 0 ? null : parts.length === 1 ? step.texts[0] : parts;
  if (step.tool === undefined) return [{ role: "assistant", content, refusal: null }];
  if (content === null) yard.odd("replies that only call a tool");
  const call = {
    id: step.tool.id,
    type: "function",
    function: { name: step.tool.name, arguments: JSON.stringify(step.tool.input) },
  };
  return [
    { role: "assistant", content, tool_calls: [call] },
    { role: "tool", tool_call_id: step.tool.id, content: step.tool.output },
  ];
}

function responseItems(yard: Yard, session: Session): object[] {
  const items: object[] = [
    { type: "message", role: "developer", content: [{ type: "input_text", text: "Be brief." }] },
  ];
  for (const turn of session.turns) {
    if (yard.happens("items without a type", 0.2)) items.push({ role: "user", content: turn.human });
    else items.push({ type: "message", role: "user", content: [{ type: "input_text", text: turn.human }] });
    for (const step of turn.steps) items.push(...replyItems(yard, step));
  }
  return items;
}

function replyItems(yard: Yard, step: Step): object[] {
  const items: object[] = [];
  if (step.thinking !== undefined)
    items.push({
      type: "reasoning",
      id: `rs_${yard.random.hex(12)}`,
      summary: [{ type: "summary_text", text: step.thinking }],
    });
  if (step.texts.length > 0)
    items.push({
      type: "message",
      id: `msg_${yard.random.hex(12)}`,
      role: "assistant",
      status: "completed",
      content: step.texts.map((text) => ({ type: "output_text", text, annotations: [] })),
    });
  if (step.tool === undefined) return items;
  const { id, name, input, output } = step.tool;
  items.push({ type: "function_call", call_id: id, name, arguments: JSON.stringify(input) });
  items.push({ type: "function_call_output", call_id: id, output });
  return items;
}
