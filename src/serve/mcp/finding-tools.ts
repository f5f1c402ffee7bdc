/** Tools that look for something, and read where it stands. */
import * as z from "zod";
import { nameOf, plain } from "../../context/quote.js";
import { MemdError } from "../../model/errors.js";
import { foundOf } from "../../model/found.js";
import { PASSAGE_KINDS } from "../../model/passage.js";
import { RECORD_KINDS } from "../../model/record.js";
import { method } from "../../service/operations/fields.js";
import { sourceNamed, sourceUri } from "../../service/source-name.js";
import { cutMiddle } from "../../text/sentences.js";
import { estimateTokens } from "../../text/tokens.js";
import { tool } from "./tool.js";
import {
  fitting,
  foundOutput,
  minutes,
  partLines,
  quotedText,
  toldFound,
  toldPrompt,
  toldText,
} from "./wording.js";

const DAY = "a day such as 2026-01-28, or an instant";
const time_from = z.string().describe(`on or after ${DAY}`).exactOptional();
const time_to = z.string().describe("on or before it").exactOptional();
const period = { time_from, time_to };
const count = z.int().min(1).max(50).exactOptional();
const user = z.string().describe("only what is of this user").exactOptional();
const group = z.string().describe("only what is of this group").exactOptional();

export const searchMemories = tool({
  name: "search_memories",
  title: "Search memories",
  description:
    "Find what was said or noted in earlier conversations, by words or meaning: people, plans, decisions, preferences, dates. Use it before you answer from memory, and before you say that you do not know. Ask with the telling words and names, in the language that was spoken; then `read` a source for more.",
  asks: ["searchMemories"],
  access: "viewer",
  effect: "reads",
  isBasic: true,
  input: z.strictObject({
    query: z.string(),
    limit: count,
    ...period,
    memory_types: z.array(z.enum(PASSAGE_KINDS)).min(1).exactOptional(),
    method: method.exactOptional(),
    use_rerank: z.boolean().exactOptional(),
  }),
  output: foundOutput,
  run: async (ask, asked, room) => {
    const { hits, ...remarks } = await ask("searchMemories", { ...asked, marks: true });
    const found = hits.map(({ marks = [], ...hit }) => ({ ...foundOf(hit), marks }));
    return toldFound(found, remarks, room.answer);
  },
});

export const searchEvents = tool({
  name: "search_events",
  title: "Search events",
  description:
    "What happened and when, one line each: for questions about days, order, how often or how long ago. Without a query the newest come first.",
  asks: ["searchEvents"],
  access: "viewer",
  effect: "reads",
  isBasic: true,
  input: z.strictObject({
    query: z.string().exactOptional(),
    top_k: count,
    ...period,
    target_user_id: user,
    target_group_id: group,
  }),
  output: foundOutput,
  run: async (ask, asked, room) => {
    const { top_k: limit, ...more } = asked;
    const { events, ...remarks } = await ask("searchEvents", { ...more, limit, marks: true });
    return toldFound(events, remarks, room.answer);
  },
});

export const read = tool({
  name: "read",
  title: "Read a source",
  description:
    "Read what stands at a source that another tool named, such as memd://memory/2026-03-07.md#L12: the words around a hit, a summary, a whole day. Long ones go on where the answer says.",
  asks: ["readSource"],
  access: "viewer",
  effect: "reads",
  isBasic: true,
  input: z.strictObject({
    source: z.string(),
    from: z.int().positive().describe("first line").exactOptional(),
    to: z.int().positive().describe("last line").exactOptional(),
    offset: z.int().nonnegative().exactOptional(),
  }),
  run: async (ask, { source, ...lines }, room) => {
    const { path, ...named } = sourceNamed(source);
    const stretch = { path, ...(lines.from === undefined && lines.to === undefined ? named : {}), ...lines };
    // Quoted it takes more than by itself: how much more is not known before.
    for (let most = room.answer; ; most = Math.floor(most / 2)) {
      const answer = await ask("readSource", { ...stretch, max_tokens: Math.max(most, LEAST_READ) });
      const { parts, next } = answer;
      const text = quotedText(parts.map(partLines).join("\n\n"));
      if (estimateTokens(text) > room.answer && most > LEAST_READ) continue;
      if (next === undefined) return { text };
      // It may stand elsewhere than where it was named.
      const on = `read ${sourceUri(answer.path)} with from ${next.from} and offset ${next.offset}`;
      return { text: `${text}\n\nThere is more: ${on}.` };
    }
  },
});

/** What an operation gives at least. */
const LEAST_READ = 100;

export const getPrompt = tool({
  name: "get_prompt",
  title: "Get the memory prompt",
  description:
    "All that memd would put before an agent now: the owner's rules, pinned memory, profiles, what was done lately, and what is known about the newest input. Read it once when a conversation begins.",
  asks: ["prompt"],
  access: "viewer",
  effect: "reads",
  isBasic: true,
  input: z.strictObject({}),
  run: async (ask, _asked, room) => {
    const prompt = await ask("prompt", {});
    return { text: await toldPrompt(prompt?.markdown, room.prompt) };
  },
});

export const getProfile = tool({
  name: "get_profile",
  title: "Get a profile",
  description:
    "What is known of the person you talk to, or of a user or group that you name: role, skills, habits, preferences. Use it before you advise somebody.",
  asks: ["getProfile"],
  access: "viewer",
  effect: "reads",
  isBasic: true,
  input: z.strictObject({
    entity: z.enum(["user", "group"]).exactOptional(),
    id: z.string().exactOptional(),
  }),
  run: async (ask, asked, room) => {
    if ((asked.entity === undefined) !== (asked.id === undefined))
      throw new MemdError(
        "value_invalid",
        "Name an entity and an id, or neither for the person you talk to.",
      );
    const { file, text, body } = await ask("getProfile", asked);
    return { text: `${toldText(body ?? text, room.answer)}\n\n[${sourceUri(file)}]` };
  },
});

export const searchProfiles = tool({
  name: "search_profiles",
  title: "Search profiles",
  description: "Find of whom something is known: who sails, who works on what, whom to ask.",
  asks: ["searchProfiles"],
  access: "viewer",
  effect: "reads",
  isBasic: false,
  input: z.strictObject({
    query: z.string(),
    entity: z.enum(["user", "group"]).exactOptional(),
    limit: count,
  }),
  output: foundOutput,
  run: async (ask, asked, room) => {
    const { hits, ...remarks } = await ask("searchProfiles", asked);
    return toldFound(hits.map(foundOf), remarks, room.answer);
  },
});

export const listMemories = tool({
  name: "list_memories",
  title: "List memories",
  description:
    "Events, facts, episodes, expectations and profiles, newest first, a page at a time: to look through what is remembered, and for the ids that `delete_memory` takes.",
  asks: ["listMemories"],
  access: "viewer",
  effect: "reads",
  isBasic: false,
  input: z.strictObject({
    memory_types: z
      .array(z.enum([...RECORD_KINDS, "profile"]))
      .min(1)
      .exactOptional(),
    target_user_id: user,
    target_group_id: group,
    ...period,
    limit: count,
    cursor: z.string().exactOptional(),
  }),
  run: async (ask, asked, room) => {
    const { memories, next, ...remarks } = await ask("listMemories", { limit: 20, ...asked });
    const { text } = toldFound(memories, remarks, 2 * room.answer, ({ id }) => `, id ${id}`);
    return { text: next === undefined ? text : `${text}\n\nThe next page: cursor ${JSON.stringify(next)}.` };
  },
});

export const getHistory = tool({
  name: "get_history",
  title: "Get the conversation",
  description:
    "What was said in this conversation, or in another session of the same place, word for word, newest last.",
  asks: ["history"],
  access: "viewer",
  effect: "reads",
  isBasic: false,
  input: z.strictObject({
    session: z.string().exactOptional(),
    limit: count,
    cursor: z.string().exactOptional(),
  }),
  run: async (ask, asked, room) => {
    const { messages, next } = await ask("history", { limit: 20, ...asked });
    const newestFirst = [...messages].reverse();
    const line = (message: (typeof messages)[number]): string =>
      `${minutes(message.at)} ${nameOf(message)}: ${cutMiddle(plain(message.text), room.answer / 4, "…")}`;
    const { fit, left } = fitting(newestFirst, line, room.answer / 2);
    if (fit.length === 0) return { text: "Nothing was said there." };
    const cursor = left > 0 ? fit.at(-1)?.id : next;
    const earlier = cursor === undefined ? "" : `\n\nWhat was said before: cursor ${JSON.stringify(cursor)}.`;
    return { text: `${quotedText(fit.reverse().map(line).join("\n"))}${earlier}` };
  },
});
