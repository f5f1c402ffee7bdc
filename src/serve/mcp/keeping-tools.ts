/** Tools that keep something, change it, or take it away; and topics. */
import * as z from "zod";
import { oneLine, shortLine } from "../../context/quote.js";
import { isMemdError } from "../../model/errors.js";
import type { AnswerOf } from "../../service/operations.js";
import { oneNamed } from "../../service/entries.js";
import { sourceUri } from "../../service/source-name.js";
import { type Ask, tool } from "./tool.js";
import { fitting, QUOTED, quotedText } from "./wording.js";

export const remember = tool({
  name: "remember",
  title: "Remember",
  description:
    "Keep one thing for good, so that every later prompt shows it: a rule, a lasting preference, a decision. Use it when the person asks you to remember, or clearly means it. Say it so that it stands alone: with names and dates, without pronouns or `tomorrow`.",
  asks: ["addPinned"],
  access: "viewer",
  effect: "adds",
  isBasic: true,
  input: z.strictObject({ text: z.string() }),
  run: async (ask, { text }) => {
    const { added, entry } = await ask("addPinned", { text });
    return { text: `${added ? "Remembered" : "It was remembered before"}, as ${entry.number}.` };
  },
});

export const end = tool({
  name: "end",
  title: "End a turn",
  description:
    "Call it once when a turn or a task is done: in `memo` one line on what you did, in `observations` what is worth remembering of it, one thing each, with names and dates instead of pronouns and `tomorrow`.",
  asks: ["end"],
  access: "viewer",
  effect: "adds",
  isBasic: true,
  input: z.strictObject({
    memo: z.string().exactOptional(),
    observations: z.array(z.string()).max(50).exactOptional(),
  }),
  run: async (ask, turn) => {
    const { id } = await ask("end", turn);
    return { text: id === undefined ? "There was nothing to keep." : "Kept." };
  },
});

const entry = z
  .union([z.string().min(1), z.int().positive()])
  .describe("its number in memory_list, its id, its text, or a part that no other has");

export const memoryList = tool({
  name: "memory_list",
  title: "List what is remembered for good",
  description: "What `remember` kept, numbered: look here before you change or delete one.",
  asks: ["listPinned"],
  access: "viewer",
  effect: "reads",
  isBasic: false,
  input: z.strictObject({}),
  run: async (ask, _asked, room) => {
    const { entries } = await ask("listPinned", {});
    const line = ({ number, heading = "", text }: Pinned): string =>
      `${number}${heading === "" ? "" : ` (${shortLine(heading)})`}: ${oneLine(text)}`;
    const { fit, left } = fitting(entries, line, room.answer);
    if (fit.length === 0) return { text: "Nothing is remembered for good yet." };
    return {
      text: `${quotedText(fit.map(line).join("\n"))}${left > 0 ? `\n\n${left} more have no room.` : ""}`,
    };
  },
});

export const memoryUpdate = tool({
  name: "memory_update",
  title: "Change what is remembered",
  description: "Say anew what `remember` kept, when it has changed or was wrong.",
  asks: ["updatePinned"],
  access: "viewer",
  effect: "changes",
  isBasic: false,
  input: z.strictObject({ entry, text: z.string() }),
  run: async (ask, asked) => {
    const changed = await ask("updatePinned", asked);
    return { text: `Changed ${changed.entry.number}.` };
  },
});

export const memoryDelete = tool({
  name: "memory_delete",
  title: "Delete what is remembered",
  description: "Take one thing away that `remember` kept. Only when the person says so.",
  asks: ["listPinned", "removePinned"],
  access: "viewer",
  effect: "removes",
  isBasic: false,
  input: z.strictObject({ entry }),
  run: async (ask, asked) => {
    const { removed } = await ask("removePinned", asked);
    return { text: `Deleted: ${oneLine(removed.text)}` };
  },
  confirm: async (ask, asked) => {
    const { number, id, text } = await theEntry(ask, asked.entry);
    return {
      key: `delete-${id ?? number}-${text.length}`,
      question: `Delete from memory: "${oneLine(text)}"?`,
    };
  },
});

type Pinned = AnswerOf<"listPinned">["entries"][number];

async function theEntry(ask: Ask, which: string | number): Promise<Pinned> {
  return oneNamed((await ask("listPinned", {})).entries, which, "the list");
}

export const deleteMemory = tool({
  name: "delete_memory",
  title: "Forget a memory",
  description:
    "Forget one record for good, by the id that `list_memories` gives: its text goes from every file. Only when the person says so.",
  asks: ["deleteMemory"],
  access: "owner",
  effect: "removes",
  isBasic: false,
  input: z.strictObject({ id: z.string() }),
  run: async (ask, asked) => {
    const { records } = await ask("deleteMemory", asked);
    return { text: records === 0 ? "It has gone back to what it was before." : "Forgotten." };
  },
  confirm: (_ask, { id }) =>
    Promise.resolve({ key: `forget-${id}`, question: `Forget the record ${oneLine(id)} for good?` }),
});

export const addDocument = tool({
  name: "add_document",
  title: "Add a document",
  description:
    "Keep a text of some length to be looked up later: notes, a manual, a page. The same id again replaces it.",
  asks: ["addDocument"],
  access: "owner",
  effect: "adds",
  isBasic: false,
  input: z.strictObject({
    text: z.string(),
    id: z.string().exactOptional(),
    title: z.string().exactOptional(),
  }),
  run: async (ask, asked) => {
    const { document } = await ask("addDocument", asked);
    return { text: `It is there as ${oneLine(document.id)} [${sourceUri(document.file)}].` };
  },
});

const topicsOutput = z.object({
  note: z.string(),
  found: z.array(
    z.object({
      name: z.string(),
      dates: z.string(),
      about: z.string(),
      source: z.string(),
      sure: z.boolean(),
    }),
  ),
});

export const activateTopic = tool({
  name: "activate_topic",
  title: "Bring a topic back",
  description:
    "When the person speaks of something as if you knew it and you find nothing: wakes the topics that know of it, old ones too. What is not `sure` is a candidate: ask whether it is meant. The words themselves come with `get_prompt`.",
  asks: ["activateTopics"],
  access: "viewer",
  effect: "adds",
  isBasic: true,
  input: z.strictObject({
    query: z.string(),
    time_from: z.string().exactOptional(),
    time_to: z.string().exactOptional(),
  }),
  output: topicsOutput,
  run: async (ask, asked, room) => {
    const { found, candidates } = await ask("activateTopics", asked).catch(noTopics);
    const topics = [
      ...found.map((topic) => ({ ...topic, sure: true })),
      ...candidates.map((topic) => ({ ...topic, sure: false })),
    ].map(({ name, dates, about, file, sure }) => ({
      name: shortLine(name),
      dates,
      about: oneLine(about),
      source: sourceUri(file),
      sure,
    }));
    const line = ({ name, dates, about, sure }: (typeof topics)[number]): string =>
      `${name} (${dates})${sure ? "" : ", perhaps"}: ${about}`;
    const { fit } = fitting(topics, line, room.answer / 2);
    const text =
      fit.length === 0
        ? "No topic knows of it: look with `search_memories`."
        : quotedText(fit.map(line).join("\n"));
    return { text, data: { note: QUOTED, found: fit } };
  },
});

/** Where there are none, no person has to be told. */
function noTopics(error: unknown): AnswerOf<"activateTopics"> {
  if (isMemdError(error, "topics_off")) return { found: [], candidates: [] };
  throw error;
}

export const listTopics = tool({
  name: "list_topics",
  title: "List topics",
  description: "What the conversation has been about, the active ones first: for an overview.",
  asks: ["listTopics"],
  access: "viewer",
  effect: "reads",
  isBasic: false,
  input: z.strictObject({ all: z.boolean().describe("archived ones too").exactOptional() }),
  run: async (ask, asked, room) => {
    const { topics } = await ask("listTopics", asked);
    const line = ({ name, state, dates, messages }: (typeof topics)[number]): string =>
      `${shortLine(name)} (${state}, ${dates}, ${messages} messages)`;
    const { fit } = fitting(topics, line, room.answer);
    return { text: fit.length === 0 ? "There are no topics yet." : quotedText(fit.map(line).join("\n")) };
  },
});
