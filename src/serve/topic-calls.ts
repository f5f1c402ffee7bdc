/** Topics as calls of the socket. `as` names whose they are; without it the owner's in `main`. */
import type { Hono } from "hono";
import { z } from "zod";
import { addressIn } from "../model/address-text.js";
import { LOCAL_ADDRESS, type Address } from "../model/address.js";
import { MemdError } from "../model/errors.js";
import type { Memd as Supervisor } from "../service/memd.js";
import {
  archiveTopic,
  listTopics,
  mergeTopics,
  renameTopic,
  reviewTopics,
  showTopic,
  splitTopic,
} from "../service/topics.js";
import { viewerOf } from "./memory-calls.js";
import { bound } from "./search-options.js";

const as = z.string().optional();
const topic = z.string().min(1);
const topicBody = z.strictObject({ topic, as });
const renameBody = topicBody.extend({ name: z.string().min(1) });
const mergeBody = z.strictObject({ topics: z.array(topic).min(1), into: topic, as });
const reviewBody = z.strictObject({ as });
const activateBody = z.strictObject({
  query: z.string(),
  time_from: z.string().optional(),
  time_to: z.string().optional(),
  as,
});

export function addTopicCalls(app: Hono, supervisor: Supervisor): void {
  app.get("/topics", async (context) => {
    const all = context.req.query("all") === "true";
    return context.json(await listTopics(supervisor, addressOf(context.req.query("as")), all));
  });
  app.post("/topics/activate", async (context) => {
    const asked = activateBody.parse(await context.req.json());
    const { query, time_from: from, time_to: to } = asked;
    if (!supervisor.topics.isOn) throw new MemdError("topics_off", "Topics are off in this workspace.");
    const found = await supervisor.activateTopics(addressOf(asked.as), query, {
      ...(from === undefined ? {} : { from: bound("The time", from) }),
      ...(to === undefined ? {} : { to: bound("The time", to) }),
    });
    // Whoever asked reads the prompt next.
    await supervisor.settled();
    return context.json(found);
  });
  app.post("/topics/show", async (context) => {
    const asked = topicBody.parse(await context.req.json());
    return context.json(await showTopic(supervisor, addressOf(asked.as), asked.topic));
  });
  app.post("/topics/rename", async (context) => {
    const asked = renameBody.parse(await context.req.json());
    return context.json(await renameTopic(supervisor, addressOf(asked.as), asked.topic, asked.name));
  });
  app.post("/topics/merge", async (context) => {
    const asked = mergeBody.parse(await context.req.json());
    return context.json(await mergeTopics(supervisor, addressOf(asked.as), asked.topics, asked.into));
  });
  app.post("/topics/split", async (context) => {
    const asked = topicBody.parse(await context.req.json());
    return context.json({ topics: await splitTopic(supervisor, addressOf(asked.as), asked.topic) });
  });
  app.post("/topics/archive", async (context) => {
    const asked = topicBody.parse(await context.req.json());
    return context.json(await archiveTopic(supervisor, addressOf(asked.as), asked.topic));
  });
  app.post("/topics/review", async (context) => {
    const asked = reviewBody.parse(await context.req.json());
    return context.json(await reviewTopics(supervisor, addressOf(asked.as)));
  });
}

/** A name that was lost on the way must not open what is the owner's. Throws `usage`. */
function addressOf(text: string | undefined): Address {
  if (text === undefined) return LOCAL_ADDRESS;
  viewerOf(text);
  return addressIn(text);
}
