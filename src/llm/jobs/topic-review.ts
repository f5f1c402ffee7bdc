/** All topics looked through: which are one, and which were a passing matter. */
import * as z from "zod";
import type { TopicId } from "../../model/topic.js";
import { jsonIn, meantBy, shownAs, tagsIn } from "../answers.js";
import { inert, windowsOf } from "../windows.js";
import { askInTurn, mapAnswer, type Reading } from "../ask.js";
import { branded, chatKind, type JobOf, type ResultOfKind } from "./kind.js";
import type { StandingTopic } from "./topic-split.js";

export interface TopicReviewJob extends JobOf<"topic_review"> {
  topics: (StandingTopic & { dates: string })[];
}

export type TopicReviewResult = ResultOfKind<typeof topicReview>;

/** Each merge goes into its first topic. */
const output = z.object({
  merges: z.array(z.array(branded<TopicId>())),
  archive: z.array(branded<TopicId>()),
});

export const topicReview = chatKind({
  kind: "topic_review",
  prompts: { "topic-review": ["topics"] },
  output,
  run: async (job: TopicReviewJob, { ask, prompts, windowTokens }) => {
    const listed = job.topics.map(
      ({ name, brief, dates, tokens }, index) =>
        `${shownAs(index)} ${name} (${dates}, ${tokens} tokens): ${brief.replace(/\s+/g, " ")}`,
    );
    const reply = await askInTurn(windowsOf(listed, windowTokens / 2), (window) =>
      ask(prompts["topic-review"].fill({ topics: inert(window) }), (text) => read(text, job)),
    );
    return mapAnswer(reply, (reviews) => ({
      merges: reviews.flatMap(({ merges }) => merges),
      archive: reviews.flatMap(({ archive }) => archive),
    }));
  },
  builtin: async (job) => (await import("../builtin/topic-split.js")).builtinTopicReview(job),
});

/** Each topic in one merge at most. */
function read(text: string, { topics }: TopicReviewJob): Reading<z.infer<typeof output>> {
  const json = jsonIn(text) as { merge?: unknown; archive?: unknown } | undefined;
  const listed = (names: readonly unknown[]): TopicId[] => [
    ...new Set(names.flatMap((name) => meantBy(name, topics) ?? [])),
  ];
  const tags = (name: string): string[][] => tagsIn(text, name).map((tag) => tag.text.split(/[\s,]+/));
  if (json === undefined && !/<(?:merge|archive)\b/i.test(text))
    return { problem: 'Answer with one JSON object {"merge": [["T1", "T5"]], "archive": ["T3"]}.' };
  const groups: readonly unknown[] = Array.isArray(json?.merge) ? json.merge : tags("merge");
  const seen = new Set<TopicId>();
  const merges = groups
    .map((group) => listed(Array.isArray(group) ? group : []).filter((id) => !seen.has(id) && seen.add(id)))
    .filter((group) => group.length > 1);
  const archive = listed(Array.isArray(json?.archive) ? json.archive : tags("archive").flat());
  return { value: { merges, archive: archive.filter((id) => !seen.has(id)) } };
}
