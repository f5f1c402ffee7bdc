/** What `opencode export` prints of a session: `{info, messages: [{info, parts}]}`. Pure. */
import { defined } from "../../model/collections.js";
import { type Fields, fieldsOf, objectsIn, stringOf, timeOf } from "../fields.js";
import type { Conversation, Skipped, ToldMessage } from "../told.js";

export function readOpencode({ info, messages }: Fields, skipped: Skipped): Conversation[] {
  const { id, title, directory, parentID: parent } = fieldsOf(info);
  if (stringOf(parent) !== undefined) {
    skipped.note("talk of subagents");
    return [];
  }
  const told = objectsIn(messages).flatMap(messageOf);
  if (told.length === 0) return [];
  return [
    defined({
      id: stringOf(id) ?? "session",
      title: stringOf(title),
      project: stringOf(directory),
      messages: told,
    }),
  ];
}

/** Each of its texts has an id, and so is a message of its own. */
function messageOf({ info, parts }: Fields, index: number): ToldMessage[] {
  const { id, role, time } = fieldsOf(info);
  if (role !== "user" && role !== "assistant") return [];
  const at = timeOf(fieldsOf(time)["created"]);
  const tools = objectsIn(parts).flatMap(({ type, tool: name, callID: callId, state }) =>
    type === "tool" && typeof name === "string" && typeof callId === "string"
      ? [defined({ name, callId, input: fieldsOf(state)["input"], result: fieldsOf(state)["output"] })]
      : [],
  );
  const said = objectsIn(parts).flatMap(
    ({ type, id: part, text, synthetic, ignored }, place): ToldMessage[] => {
      const words = stringOf(text)?.trim() ?? "";
      if (type !== "text" || synthetic === true || ignored === true || words === "") return [];
      const name = stringOf(part) ?? `${stringOf(id) ?? `message-${index + 1}`}-${place + 1}`;
      return [
        defined({
          id: name,
          role: role === "user" ? ("user" as const) : ("agent" as const),
          text: words,
          at,
        }),
      ];
    },
  );
  const [first] = said;
  if (first !== undefined && tools.length > 0) first.tools = tools;
  return said;
}
