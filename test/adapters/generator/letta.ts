/** Letta's agent files: messages are talk, blocks are notes. */
import type { Session } from "./talk.js";
import { iso, type Yard } from "./yard.js";

interface Message {
  id: string;
  role: string;
  content: unknown;
  created_at: string;
  [field: string]: unknown;
}

export function writeLetta(yard: Yard): string[] {
  const paths: string[] = [];
  for (let number = 0; number < yard.sessions; number++) {
    const session = yard.talk.session();
    const id = `agent-${session.id}`;
    const messages = messagesOf(yard, session, id);
    const blocks = blocksOf(yard);
    const agent = {
      id,
      name: `agent ${number}`,
      system: "You are an agent with a memory.",
      messages,
      in_context_message_ids: messages.slice(-20).map((message) => message.id),
      block_ids: blocks.map((block) => block.id),
      tool_ids: [],
    };
    const file = {
      agents: [agent],
      groups: [],
      blocks,
      files: [],
      sources: [],
      tools: [{ id: "tool-0", name: "archival_memory_insert", source_code: "def f(): pass" }],
      mcp_servers: [],
      metadata: { revision_id: "1" },
      created_at: zoned(session.endsAt),
    };
    paths.push(yard.write(`letta/agent-${number}.af`, JSON.stringify(file, undefined, 2), session.endsAt));
  }
  return paths;
}

function messagesOf(yard: Yard, session: Session, conversation: string): Message[] {
  const messages: Message[] = [];
  const add = (role: string, content: unknown, at: number, own: object = {}): void => {
    messages.push({
      id: `message-${yard.random.uuid()}`,
      role,
      content,
      created_at: zoned(at),
      name: null,
      ...own,
    });
  };
  add("system", `You are an agent. ${yard.prose.word()}`, (session.turns[0]?.at ?? 0) - 100);
  for (const turn of session.turns) {
    const inBlocks = yard.random.chance(0.5);
    add("user", inBlocks ? [{ type: "text", text: turn.human }] : turn.human, turn.at);
    yard.say(conversation, "user", turn.human, turn.at);
    for (const { texts, tool, at } of turn.steps) {
      const blocks = texts.map((text) => ({ type: "text", text }));
      const content =
        texts.length === 1 && yard.random.chance(0.5) ? texts[0] : texts.length === 0 ? null : blocks;
      const tool_calls =
        tool === undefined
          ? null
          : [
              {
                id: tool.id,
                type: "function",
                function: { name: tool.name, arguments: JSON.stringify(tool.input) },
              },
            ];
      if (content === null) yard.odd("replies that only call a tool");
      add("assistant", content, at, { tool_calls });
      if (texts.length > 0) yard.say(conversation, "assistant", texts, at);
      if (tool !== undefined)
        add("tool", [{ type: "text", text: tool.output }], at + 300, { tool_call_id: tool.id });
    }
  }
  if (messages.length > 50) yard.odd("agents with more than 50 messages");
  return messages;
}

function blocksOf(yard: Yard): { id: string }[] {
  const blocks = ["human", "persona", "plans"].map((label) => {
    const value = yard.prose.essay(yard.random.between(200, 1_500));
    yard.note(value);
    return { id: `block-${yard.random.uuid()}`, label, value, description: `About ${label}`, limit: 20_000 };
  });
  yard.odd("empty blocks");
  blocks.push({
    id: `block-${yard.random.uuid()}`,
    label: "empty",
    value: "",
    description: "",
    limit: 5_000,
  });
  return blocks;
}

function zoned(at: number): string {
  return iso(at).replace("Z", "+00:00");
}
