/** The tools that `memd chat` gives its model: memory.md, search, and the end of the turn. */
import { z } from "zod";
import type { TellerTool } from "../llm/teller.js";
import { MARKS } from "../serve/marks.js";
import type { PinnedEntry } from "../service/pinned.js";
import type { Memd } from "../library/running.js";

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
        const body = { query, options: { limit: SEARCH_LIMIT }, lineWidth: LINE_WIDTH };
        const { lines } = await memd.ask<{ lines: string[] }>("POST", "/agent/memories/search", body);
        return lines.length === 0
          ? "Nothing found."
          : lines.join("\n").replaceAll(MARKS.open, "").replaceAll(MARKS.close, "");
      },
    ),
    tool("memory_list", "The entries of memory.md, which every prompt shows.", z.object({}), async () => {
      const { entries } = await memd.ask<{ entries: PinnedEntry[] }>("GET", "/memory");
      return JSON.stringify(entries);
    }),
    tool(
      "memory_add",
      "Pin something that must never be forgotten: a lasting preference, a rule, a decision. Only when the person says so or clearly means it.",
      z.object({ text: z.string(), heading: z.string().optional() }),
      async (given) => JSON.stringify(await memd.ask("POST", "/memory", given)),
    ),
    tool(
      "memory_update",
      "Change what a pinned entry says.",
      z.object({ entry, text: z.string() }),
      async (given) => JSON.stringify(await memd.ask("POST", "/memory/update", given)),
    ),
    tool("memory_delete", "Take a pinned entry away.", z.object({ entry }), async (given) =>
      JSON.stringify(await memd.ask("POST", "/memory/remove", given)),
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
