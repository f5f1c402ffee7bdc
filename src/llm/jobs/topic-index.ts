/** Which topics may know what is looked for. Only a model does this. */
import * as z from "zod";
import type { TopicId } from "../../model/topic.js";
import { asText, jsonIn, meantBy, shownAs, tagsIn } from "../answers.js";
import { inert, windowsOf } from "../windows.js";
import { askInTurn, mapAnswer, type Reading } from "../ask.js";
import { branded, chatKind, type JobOf } from "./kind.js";

export interface TopicIndexJob extends JobOf<"topic_index"> {
  query: string;
  topics: { id: TopicId; name: string; brief: string; dates: string }[];
}

const LEVELS = ["high", "medium", "low"] as const;
const found = z.object({ id: branded<TopicId>(), level: z.enum(LEVELS) });
type Found = z.infer<typeof found>;

export const topicIndex = chatKind({
  kind: "topic_index",
  prompts: { "topic-index": ["topics", "query"] },
  /** Best first. */
  output: z.object({ found: z.array(found) }),
  run: async (job: TopicIndexJob, { ask, prompts, windowTokens }) => {
    const listed = job.topics.map(
      ({ name, brief, dates }, index) =>
        `${shownAs(index)} ${name} (${dates}): ${brief.replace(/\s+/g, " ")}`,
    );
    const reply = await askInTurn(windowsOf(listed, windowTokens / 2), (window) =>
      ask(prompts["topic-index"].fill({ topics: inert(window), query: inert(job.query) }), (text) =>
        read(text, job),
      ),
    );
    return mapAnswer(reply, (all) => ({
      found: LEVELS.flatMap((level) => all.flat().filter((each) => each.level === level)),
    }));
  },
});

function read(text: string, { topics }: TopicIndexJob): Reading<Found[]> {
  const json = jsonIn(text) as { topics?: unknown } | undefined;
  const listed = json?.topics;
  const named: readonly ({ id?: unknown; relevance?: unknown } | null)[] = Array.isArray(listed)
    ? listed
    : tagsIn(text, "topic").map(({ attributes }) => attributes);
  const isNone = tagsIn(text, "topic_routing").length > 0;
  if (!Array.isArray(listed) && named.length === 0 && !isNone)
    return { problem: 'Answer with one JSON object {"topics": [{"id": "T1", "relevance": "high"}]}.' };
  const seen = new Set<string>();
  return {
    value: named.flatMap((each) => {
      const id = meantBy(each?.id, topics);
      const level = LEVELS.find((one) => one === asText(each?.relevance).trim().toLowerCase());
      if (id === undefined || level === undefined || seen.has(id)) return [];
      seen.add(id);
      return [{ id, level }];
    }),
  };
}
