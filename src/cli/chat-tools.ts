/** The tools that `memd chat` gives its model: memory.md, search, and the end of the turn. */
import { z } from "zod";
import type { TellerTool } from "../llm/teller.js";
import type { Memd } from "../library/running.js";
import { foundOf } from "../model/found.js";
import { hitLine } from "./hit-line.js";

/** What the model leaves behind at the end of its turn. */
export interface TurnEnd {
  memo?: string;
  observations: string[];
}

const entry = z.union([z.string(), z.number()]).describe("its id, its number in the list, or its text");
const SEARCH_LIMIT = 8;
const LINE_WIDTH = 300;

/** `end` collects what the model wants to be kept. */
export function chatTools(memd: Memd, end: TurnEnd): TellerTool[] {
  return [
    tool(
      "search_memories",
      "Find something that was said or noted before, by words or by meaning.",
      z.object({ query: z.string() }),
      async ({ query }) => {
        const { hits } = await memd.ask("searchMemories", { query, limit: SEARCH_LIMIT, marks: true });
        const lines = hits.map(({ marks = [], ...hit }) => hitLine({ ...foundOf(hit), marks }, LINE_WIDTH));
        return lines.length === 0 ? "Nothing found." : lines.join("\n");
      },
    ),
    tool("memory_list", "The entries of memory.md, which every prompt shows.", z.object({}), async () => {
      const { entries } = await memd.ask("listPinned", {});
      return JSON.stringify(entries);
    }),
    tool(
      "memory_add",
      "Pin something that must never be forgotten: a lasting preference, a rule, a decision. Only when the person says so or clearly means it.",
      z.object({ text: z.string(), heading: z.string().optional() }),
      async (given) => JSON.stringify(await memd.ask("addPinned", given)),
    ),
    tool(
      "memory_update",
      "Change what a pinned entry says.",
      z.object({ entry, text: z.string() }),
      async (given) => JSON.stringify(await memd.ask("updatePinned", given)),
    ),
    tool("memory_delete", "Take a pinned entry away.", z.object({ entry }), async (given) =>
      JSON.stringify(await memd.ask("removePinned", given)),
    ),
    tool(
      "end",
      "Before your answer: one line on what you did in this turn, and what is worth remembering of it, one thing each, with names and dates instead of pronouns and `tomorrow`.",
      z.object({ memo: z.string().optional(), observations: z.array(z.string()).optional() }),
      ({ memo, observations = [] }) => {
        if (memo !== undefined) end.memo = memo;
        end.observations.push(...observations);
        return Promise.resolve("Kept.");
      },
    ),
  ];
}

function tool<T extends z.ZodObject>(
  name: string,
  description: string,
  shape: T,
  run: (args: z.infer<T>) => Promise<string>,
): TellerTool {
  const { $schema: _schema, ...parameters } = z.toJSONSchema(shape) as Record<string, unknown>;
  return { name, description, parameters, run: (args) => run(shape.parse(args)) };
}
