/** Topics of one user in one place, the owner's in `main` where nobody is named. */
import { z } from "zod";
import { TOPIC_STATES } from "../../model/topic.js";
import type { Activated } from "../../topics/activate.js";
import { madeAs, name, period } from "./fields.js";
import { operation } from "./operation.js";

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
  /** Relative. */
  file: z.string(),
  parent: z.string().exactOptional(),
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
  reviewedAt: z.string().exactOptional(),
});

const named = z.strictObject({ topic: name });

export const listTopics = operation({
  summary: "active ones first, then by relevance; with `all` also those that are archived, divided or merged",
  access: "viewer",
  method: "GET",
  path: "/topics",
  input: z.strictObject({ all: z.boolean().exactOptional() }),
  output: z.object({ topics: z.array(topic), stats }),
});

export const activateTopics = operation({
  summary:
    "wakes the topics that know of something: `found`, which the prompt shows from now on; where none surely does, the likeliest as `candidates`, with their dates",
  access: "viewer",
  method: "POST",
  path: "/topics/activate",
  input: z.strictObject({ query: z.string(), ...period }),
  output: madeAs<Activated>(),
});

export const showTopic = operation({
  summary: "a topic by its id or its whole name, with its `brief` and what was `said`",
  access: "viewer",
  method: "POST",
  path: "/topics/show",
  input: named,
  output: topic.extend({
    brief: z.string(),
    said: z.array(z.object({ id: z.string(), at: z.string(), name: z.string(), text: z.string() })),
  }),
});

export const renameTopic = operation({
  summary: "calls a topic by another name",
  access: "viewer",
  method: "POST",
  path: "/topics/rename",
  input: named.extend({ name }),
  output: topic,
});

export const mergeTopics = operation({
  summary: "makes several one: the topic that has the messages of all",
  access: "viewer",
  method: "POST",
  path: "/topics/merge",
  input: z.strictObject({ topics: z.array(name).min(1), into: name }),
  output: topic,
});

export const splitTopic = operation({
  summary: "divides a topic: the new ones",
  access: "viewer",
  method: "POST",
  path: "/topics/split",
  input: named,
  output: z.object({ topics: z.array(topic) }),
});

export const archiveTopic = operation({
  summary: "puts a topic away until somebody asks for it",
  access: "viewer",
  method: "POST",
  path: "/topics/archive",
  input: named,
  output: topic,
});

export const reviewTopics = operation({
  summary: "the daily review, now: how many came of it",
  access: "viewer",
  method: "POST",
  path: "/topics/review",
  input: z.strictObject({}),
  output: z.object({ merged: z.number(), archived: z.number() }),
});
