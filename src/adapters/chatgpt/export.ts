/**
 * The conversations of a ChatGPT export: trees, of which the branch that ends with the
 * current node was shown last.
 *
 * Pure. Title and times may be missing anywhere.
 */
import { defined } from "../../model/collections.js";
import { type Fields, fieldsOf, isFields, listOf, stringOf, timeOf } from "../fields.js";
import type { Conversation, Skipped, ToldMessage } from "../told.js";

export function readChatGpt(conversation: Fields, skipped: Skipped): Conversation[] {
  const mapping = fieldsOf(conversation["mapping"]);
  const nodes = branchOf(mapping, stringOf(conversation["current_node"]) ?? lastLeaf(mapping));
  skipped.note("other branches", Object.keys(mapping).length - nodes.length);
  const messages = nodes.flatMap((node) => messageOf(node, skipped));
  const id = stringOf(conversation["conversation_id"]) ?? stringOf(conversation["id"]);
  if (messages.length === 0 || id === undefined) return [];
  return [defined({ id, title: stringOf(conversation["title"]), messages })];
}

function branchOf(mapping: Fields, leaf: string | undefined): Fields[] {
  const branch: Fields[] = [];
  const seen = new Set<string>();
  for (let id = leaf; id !== undefined && !seen.has(id);) {
    seen.add(id);
    const node = mapping[id];
    if (!isFields(node)) break;
    branch.unshift(node);
    id = stringOf(node["parent"]);
  }
  return branch;
}

/** Where nothing says which branch was shown: the one that was written last. */
function lastLeaf(mapping: Fields): string | undefined {
  const leaves = Object.entries(mapping).filter(
    ([, node]) => listOf(fieldsOf(node)["children"]).length === 0,
  );
  const timeOfNode = (node: unknown): string =>
    timeOf(fieldsOf(fieldsOf(node)["message"])["create_time"]) ?? "";
  return leaves
    .toSorted(([, one], [, other]) => timeOfNode(one).localeCompare(timeOfNode(other)))
    .at(-1)?.[0];
}

const SAID: ReadonlySet<unknown> = new Set(["text", "multimodal_text", "code", "execution_output"]);

function messageOf(node: Fields, skipped: Skipped): ToldMessage[] {
  const message = fieldsOf(node["message"]);
  const { role } = fieldsOf(message["author"]);
  if (role !== "user" && role !== "assistant") return [];
  const content = fieldsOf(message["content"]);
  const isHidden = fieldsOf(message["metadata"])["is_visually_hidden_from_conversation"] === true;
  const isToAll = (stringOf(message["recipient"]) ?? "all") === "all";
  if (isHidden || !isToAll || !SAID.has(content["content_type"])) {
    skipped.note(
      isHidden ? "hidden messages" : isToAll ? "thoughts and notes of the model" : "calls of tools",
    );
    return [];
  }
  const text = [stringOf(content["text"]) ?? "", ...listOf(content["parts"]).map(wordsOfPart)]
    .filter((part) => part !== "")
    .join("\n\n")
    .trim();
  if (text === "") return [];
  const id = stringOf(message["id"]) ?? stringOf(node["id"]) ?? "";
  const spoken = role === "user" ? ("user" as const) : ("agent" as const);
  return [defined({ id, role: spoken, text, at: timeOf(message["create_time"]) })];
}

function wordsOfPart(part: unknown): string {
  return typeof part === "string" ? part : (stringOf(fieldsOf(part)["text"]) ?? "");
}
