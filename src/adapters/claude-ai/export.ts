/**
 * The conversations of a Claude.ai export, the documents of its projects and what it
 * remembered.
 *
 * Pure. Branches lie flat beside each other; every message of them was said.
 */
import { defined } from "../../model/collections.js";
import { type Fields, objectsIn, fieldsOf, stringOf, timeOf, wordsOf } from "../fields.js";
import type { Conversation, Note, ToldMessage } from "../told.js";

export function readClaudeAi(conversation: Fields): Conversation[] {
  const messages = objectsIn(conversation["chat_messages"]).flatMap(messageOf);
  const id = stringOf(conversation["uuid"]);
  if (messages.length === 0 || id === undefined) return [];
  return [defined({ id, title: stringOf(conversation["name"]), messages })];
}

/** What stands in the text for what a tool was given and gave. */
const STAND_IN = /^```\n?This block is not supported on your current device yet\.\n?```$/gm;

function messageOf(message: Fields, index: number): ToldMessage[] {
  const role =
    message["sender"] === "human" ? "user" : message["sender"] === "assistant" ? "agent" : undefined;
  if (role === undefined) return [];
  const said = wordsOf(message["content"]).trim();
  const text = said === "" ? (stringOf(message["text"]) ?? "").replaceAll(STAND_IN, "").trim() : said;
  if (text === "") return [];
  const id = stringOf(message["uuid"]) ?? `message-${index + 1}`;
  return [defined({ id, role, text, at: timeOf(message["created_at"]) } as const)];
}

/** Documents that a project was given. */
export function readProject({ uuid, name, docs }: Fields): Note[] {
  return objectsIn(docs).flatMap(({ uuid: id, filename, content, created_at: at }, index) => {
    const text = stringOf(content);
    if (text === undefined) return [];
    const title = [stringOf(name), stringOf(filename)].filter((part) => part !== undefined).join(": ");
    return [
      defined({
        id: stringOf(id) ?? `${stringOf(uuid) ?? "project"}-${index + 1}`,
        title,
        text,
        at: timeOf(at),
      }),
    ];
  });
}

/** What Claude.ai wrote down about its person. */
export function readMemories(memories: Fields): Note[] {
  const account = stringOf(memories["account_uuid"]) ?? "account";
  const text = stringOf(memories["conversations_memory"]);
  const own = text === undefined ? [] : [{ id: `${account}-memory`, title: "Claude.ai memory", text }];
  const ofProjects = Object.entries(fieldsOf(memories["project_memories"])).flatMap(([id, about]) =>
    typeof about === "string" && about !== ""
      ? [{ id: `${id}-memory`, title: "Claude.ai memory", text: about }]
      : [],
  );
  return [...own, ...ofProjects];
}
