/** Claude.ai's export: a folder, and a larger one in several zips; with memories and projects. */
import type { Session, Step } from "./talk.js";
import { concat, iso, joined, jsonBytes, rawArray, type Yard } from "./yard.js";
import { zipOf } from "./zip.js";

const ROOT = "00000000-0000-4000-8000-000000000000";
const UNSUPPORTED = "```\nThis block is not supported on your current device yet.\n```";
const PART_LENGTH = 64e6;

interface Message {
  uuid: string;
  sender: "human" | "assistant";
  text: string;
  content: object[];
  created_at: string;
  updated_at: string;
  attachments: object[];
  files: object[];
  parent_message_uuid?: string;
}

export function writeClaudeAi(yard: Yard): string[] {
  const account = yard.random.uuid();
  const inFolder: Buffer[] = [];
  const zips: Buffer[][] = [];
  let length = PART_LENGTH;
  for (let number = 0; number < yard.sessions; number++) {
    const conversation = jsonBytes(conversationOf(yard, yard.talk.session(), account));
    const zipped = number % 3 === 2;
    if (!zipped) inFolder.push(conversation);
    if (!zipped && !yard.happens("conversations in two exports", 0.08)) continue;
    length += conversation.length;
    if (length > PART_LENGTH) {
      zips.push([]);
      length = 0;
    }
    zips.at(-1)?.push(conversation);
    yard.odd("conversations in zips");
  }
  inFolder.push(jsonBytes(emptyConversation(yard, account)));
  yard.write("claude-ai/conversations.json", rawArray(inFolder));
  yard.write("claude-ai/users.json", JSON.stringify([{ uuid: account, full_name: "Lin" }]));
  yard.write("claude-ai/projects.json", JSON.stringify([projectOf(yard), projectOf(yard)]));
  yard.write("claude-ai/memories.json", JSON.stringify([memoriesOf(yard, account)]));
  return [yard.at("claude-ai"), ...writeZips(yard, zips, account)];
}

function writeZips(yard: Yard, zips: readonly Buffer[][], account: string): string[] {
  const users = JSON.stringify([{ uuid: account, full_name: "Lin" }]);
  const paths = zips.map((conversations, number) => {
    const files = { "users.json": users, "conversations.json": concat(rawArray(conversations)) };
    return yard.write(
      `claude-ai-zips/conversations-${String(number).padStart(3, "0")}.zip`,
      zipOf(yard, files),
    );
  });
  const project = projectOf(yard);
  const files = {
    "users.json": users,
    [`memories/${account}.json`]: JSON.stringify(memoriesOf(yard, account)),
    [`projects/${project.uuid}.json`]: JSON.stringify(project),
  };
  return [...paths, yard.write("claude-ai-zips/memories-000.zip", zipOf(yard, files))];
}

function conversationOf(yard: Yard, session: Session, account: string): object {
  const messages: Message[] = [];
  const linked = !yard.happens("messages without parents", 0.15);
  let leaf = ROOT;
  const add = (message: Message): void => {
    if (linked) message.parent_message_uuid = leaf;
    leaf = message.uuid;
    messages.push(message);
  };
  for (const turn of session.turns) {
    const before = leaf;
    if (linked && yard.happens("branches, listed flat", 0.05)) {
      const earlier = yard.prose.human();
      add(human(yard, earlier, turn.at - 500));
      yard.say(session.id, "user", earlier, turn.at - 500);
      leaf = before;
    }
    add(human(yard, turn.human, turn.at));
    yard.say(session.id, "user", turn.human, turn.at);
    for (const step of turn.steps) {
      add(answer(yard, step));
      if (step.texts.length > 0) yard.say(session.id, "assistant", step.texts, step.at);
    }
  }
  const created = micro(session.turns[0]?.at ?? 0);
  const name = yard.happens("conversations without a name", 0.1) ? "" : session.title;
  const times = { created_at: created, updated_at: micro(session.endsAt) };
  return { uuid: session.id, name, ...times, account: { uuid: account }, chat_messages: messages };
}

function emptyConversation(yard: Yard, account: string): object {
  yard.odd("conversations without messages");
  const at = micro(yard.talk.tick());
  return {
    uuid: yard.random.uuid(),
    name: "",
    created_at: at,
    account: { uuid: account },
    chat_messages: [],
  };
}

function human(yard: Yard, text: string, at: number): Message {
  const message = messageOf(yard, "human", at, [{ type: "text", text }], text);
  if (yard.happens("attachments", 0.06)) {
    const extracted_content = `From a file, not typed: ${yard.prose.essay(900)}`;
    message.attachments.push({ file_name: "paste.txt", file_size: 900, file_type: "txt", extracted_content });
    message.files.push({ file_name: "photo.png" });
  }
  if (yard.happens("text without content blocks", 0.06)) message.content = [];
  else if (yard.happens("content blocks without text", 0.06)) message.text = "";
  return message;
}

function answer(yard: Yard, step: Step): Message {
  const content: object[] = [];
  const { thinking, texts, tool } = step;
  if (thinking !== undefined)
    content.push({ type: "thinking", thinking, summaries: [{ summary: "Thought" }] });
  content.push(...texts.map((text) => ({ type: "text", text, citations: [] })));
  if (tool === undefined) return messageOf(yard, "assistant", step.at, content, joined(texts));
  yard.odd("answers whose text has a stand-in for a tool");
  content.push({ type: "tool_use", name: tool.name, input: tool.input, message: "Working" });
  const result = [{ type: "text", text: tool.output }];
  content.push({ type: "tool_result", name: tool.name, content: result, is_error: tool.failed });
  return messageOf(yard, "assistant", step.at, content, joined([...texts, UNSUPPORTED]));
}

function messageOf(
  yard: Yard,
  sender: Message["sender"],
  at: number,
  content: object[],
  text: string,
): Message {
  const created_at = micro(at);
  const uuid = yard.random.uuid();
  return { uuid, sender, text, content, created_at, updated_at: created_at, attachments: [], files: [] };
}

function memoriesOf(yard: Yard, account: string): object {
  const general = `**Work**\n\n${yard.prose.essay(700)}`;
  const project = yard.prose.essay(400);
  yard.note(general);
  yard.note(project);
  yard.odd("memories", 2);
  return {
    conversations_memory: general,
    project_memories: { [yard.random.uuid()]: project },
    account_uuid: account,
  };
}

function projectOf(yard: Yard): { uuid: string } {
  const at = yard.talk.tick();
  const content = yard.prose.essay(1_200);
  yard.note(content, at);
  yard.odd("documents of projects");
  const docs = [{ uuid: yard.random.uuid(), filename: "plan.md", content, created_at: micro(at) }];
  const prompt_template = `Be careful. ${yard.prose.word()}`;
  return {
    uuid: yard.random.uuid(),
    ...{ name: `Project ${yard.prose.word()}`, description: "", is_private: true, prompt_template },
    ...{ created_at: micro(at), updated_at: micro(at), docs },
  };
}

/** Six digits after the second, as Python writes them. */
function micro(at: number): string {
  return iso(at).replace("Z", "045Z");
}
