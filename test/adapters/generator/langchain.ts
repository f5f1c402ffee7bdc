/** LangChain: `messages_to_dict`, the flat shape, LangGraph's state, and the `lc` constructor shape. */
import { jsonArray, sayAll, type Yard } from "./yard.js";
import type { Session } from "./talk.js";

type Type = "human" | "ai" | "system" | "tool";

interface Message {
  type: Type;
  data: Record<string, unknown>;
}

const CLASSES: Record<Type, string> = {
  human: "HumanMessage",
  ai: "AIMessage",
  system: "SystemMessage",
  tool: "ToolMessage",
};

export function writeLangChain(yard: Yard): string[] {
  const paths: string[] = [];
  for (let number = 0; number < yard.sessions; number++) {
    const session = yard.talk.session();
    const stem = `chain-${number}`;
    sayAll(yard, stem, session, false);
    const messages = messagesOf(yard, session);
    const shape = (["dict", "flat", "lc", "state"] as const)[number % 4] ?? "dict";
    yard.odd(`shape: ${shape}`);
    const file = `langchain/${stem}.json`;
    if (shape === "dict") paths.push(yard.write(file, jsonArray(messages)));
    if (shape === "flat") paths.push(yard.write(file, jsonArray(messages.map(flat))));
    if (shape === "lc") paths.push(yard.write(file, jsonArray(messages.map(constructed))));
    if (shape === "state") paths.push(yard.write(file, JSON.stringify({ messages: messages.map(flat) })));
  }
  return paths;
}

function messagesOf(yard: Yard, session: Session): Message[] {
  const messages: Message[] = [message("system", "Be careful.", undefined)];
  for (const turn of session.turns) {
    const blocks = [{ type: "text", text: turn.human }];
    const inBlocks = yard.happens("content in blocks", 0.25);
    messages.push(message("human", inBlocks ? blocks : turn.human, yard.random.uuid()));
    for (const step of turn.steps) {
      const content = step.texts.length === 1 ? step.texts[0] : texts(step.texts);
      const ai = message("ai", content, `run-${yard.random.uuid()}`);
      messages.push(ai);
      if (step.tool === undefined) continue;
      const { id, name, input, output } = step.tool;
      ai.data["tool_calls"] = [{ name, args: input, id, type: "tool_call" }];
      messages.push(message("tool", output, undefined, { tool_call_id: id, name }));
    }
  }
  return messages;
}

/** A reply that only calls a tool has the empty text. */
function texts(list: readonly string[]): unknown {
  return list.length === 0 ? "" : list.map((text) => ({ type: "text", text }));
}

function message(type: Type, content: unknown, id: string | undefined, more: object = {}): Message {
  const named = id === undefined ? {} : { id };
  return {
    type,
    data: { content, additional_kwargs: {}, response_metadata: {}, type, name: null, ...named, ...more },
  };
}

function flat(message: Message): object {
  return { ...message.data, type: message.type };
}

function constructed(message: Message): object {
  const id = ["langchain", "schema", "messages", CLASSES[message.type]];
  return { lc: 1, type: "constructor", id, kwargs: message.data };
}
