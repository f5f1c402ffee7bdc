/** What mem0 holds: `{results: [...]}` of `get_all`, or the bare list. Facts, not messages. Pure. */
import { defined } from "../../model/collections.js";
import { type Fields, stringOf, timeOf } from "../fields.js";
import type { Note } from "../told.js";

export function readMem0(memories: readonly Fields[]): Note[] {
  return memories.flatMap(({ id, memory, created_at: at, user_id: user, agent_id: agent }, index) => {
    const text = stringOf(memory);
    if (text === undefined) return [];
    const about = stringOf(user) ?? stringOf(agent);
    return [defined({ id: stringOf(id) ?? `memory-${index + 1}`, text, at: timeOf(at), about })];
  });
}
