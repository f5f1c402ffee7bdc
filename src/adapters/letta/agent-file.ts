/** An agent file of Letta (`.af`): conversations of its agents, and the blocks of memory that they keep. Pure. */
import { defined } from "../../model/collections.js";
import { type Fields, objectsIn, stringOf, timeOf, wordsOf } from "../fields.js";
import type { Note, Told, ToldMessage } from "../told.js";

export function readLetta(file: Fields): Told {
  const conversations = objectsIn(file["agents"]).flatMap((agent, index) => {
    const id = stringOf(agent["id"]) ?? `agent-${index + 1}`;
    const messages = objectsIn(agent["messages"]).flatMap((message, at) =>
      messageOf(message, `${id}-${at + 1}`),
    );
    return messages.length === 0 ? [] : [defined({ id, title: stringOf(agent["name"]), messages })];
  });
  return { conversations, notes: objectsIn(file["blocks"]).flatMap(blockOf) };
}

function messageOf(message: Fields, otherwise: string): ToldMessage[] {
  const role = message["role"] === "user" ? "user" : message["role"] === "assistant" ? "agent" : undefined;
  const text = wordsOf(message["content"]).trim();
  if (role === undefined || text === "") return [];
  return [
    defined({
      id: stringOf(message["id"]) ?? otherwise,
      role,
      text,
      at: timeOf(message["created_at"]),
      speaker: role === "user" ? stringOf(message["name"]) : undefined,
    }),
  ];
}

function blockOf({ id, label, value }: Fields, index: number): Note[] {
  const text = stringOf(value);
  if (text === undefined) return [];
  return [defined({ id: stringOf(id) ?? `block-${index + 1}`, text, title: stringOf(label) })];
}
