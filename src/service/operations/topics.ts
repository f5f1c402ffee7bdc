/** Topics of one user in one place, the owner's in `main` where nobody is named. */
import * as z from "zod";
import { TOPIC_STATES } from "../../model/topic.js";
import type { Activated } from "../../topics/activate.js";
import { madeAs, maybe, name, period } from "./fields.js";
import { viewer } from "./operation.js";

const topic = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(TOPIC_STATES),
  /** From the first day to the last. */
  dates: z.string(),
  messages: z.number(),
  tokens: z.number(),
  /** Average of the last turns, 0–1. */
  relevance: z.number(),
  /** Of these turns, the newest first. */
  scores: z.array(z.number()).readonly(),
  /** Relative. */
  file: z.string(),
  parent: maybe,
  into: z.array(z.string()).readonly().exactOptional(),
});

const stats = z.object({
  active: z.number(),
  dormant: z.number(),
  archived: z.number(),
  /** Messages that are in no topic yet, and their tokens. */
  unsplit: z.number(),
  unsplitTokens: z.number(),
  /** What it takes to be woken, and below what a topic goes to sleep, with so many active. */
  minimum: z.number(),
  sleepBelow: z.number(),
  reviewedAt: maybe,
});

/** A topic that may know of what was asked. */
const foundTopic = z.object({
  id: z.string(),
  name: z.string(),
  dates: z.string(),
  about: z.string(),
  file: z.string(),
  score: z.number(),
  state: z.enum(TOPIC_STATES),
  woken: z.boolean(),
});

const named = z.strictObject({ topic: name });

export const listTopics = viewer({
  call: "GET /topics",
  command: "topics list",
  summary: "active ones first, then by relevance; with `all` also those that are archived, divided or merged",
  input: z.strictObject({ all: z.boolean().exactOptional() }),
  example: { all: true },
  errors: ["topics_off"],
  output: z.object({ topics: z.array(topic), stats }),
});

export const activateTopics = viewer({
  call: "POST /topics/activate",
  command: "topics activate",
  method: "activateTopics",
  summary:
    "wakes the topics that know of something: `found`, which the prompt shows from now on; where none surely does, the likeliest as `candidates`, with their dates",
  input: z.strictObject({ query: z.string(), ...period }),
  example: { query: "the boat we wanted to buy" },
  errors: ["topics_off", "empty_query"],
  output: madeAs<Activated>(z.object({ found: z.array(foundTopic), candidates: z.array(foundTopic) })),
});

export const showTopic = viewer({
  call: "POST /topics/show",
  command: "topics show",
  summary: "a topic by its id or its whole name, with its `brief` and what was `said`",
  input: named,
  example: { topic: "The boat" },
  errors: ["topics_off", "topic_unknown"],
  output: topic.extend({
    brief: z.string(),
    said: z.array(z.object({ id: z.string(), at: z.string(), name: z.string(), text: z.string() })),
  }),
});

export const renameTopic = viewer({
  call: "POST /topics/rename",
  command: "topics rename",
  summary:
    "calls a topic by another name; where it is not called what was `shown` any more, nothing is changed",
  input: named.extend({ name, shown: maybe }),
  example: { topic: "The boat", name: "Buying a boat" },
  errors: ["topics_off", "topic_unknown", "value_invalid", "entry_changed"],
  output: topic,
});

export const mergeTopics = viewer({
  call: "POST /topics/merge",
  command: "topics merge",
  summary: "makes several one: the topic that has the messages of all",
  input: z.strictObject({ topics: z.array(name).min(1), into: name }),
  example: { topics: ["Sailing"], into: "The boat" },
  errors: ["topics_off", "topic_unknown", "value_invalid"],
  output: topic,
});

export const splitTopic = viewer({
  call: "POST /topics/split",
  command: "topics split",
  summary: "divides a topic: the new ones",
  input: named,
  example: { topic: "The boat" },
  errors: ["topics_off", "topic_unknown", "value_invalid", "worker_failed"],
  output: z.object({ topics: z.array(topic) }),
});

export const archiveTopic = viewer({
  call: "POST /topics/archive",
  command: "topics archive",
  summary: "puts a topic away until somebody asks for it",
  input: named,
  example: { topic: "The boat" },
  errors: ["topics_off", "topic_unknown", "value_invalid"],
  output: topic,
});

export const reviewTopics = viewer({
  call: "POST /topics/review",
  command: "topics review",
  summary: "the daily review, now: how many came of it",
  input: z.strictObject({}),
  errors: ["topics_off"],
  output: z.object({ merged: z.number(), archived: z.number() }),
});
