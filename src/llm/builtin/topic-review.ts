/** Which topics are one, without a model: only what is the same by nearly all its words; what is old is archived by its age. Pure. */
import type { TopicId } from "../../model/topic.js";
import type { TopicReviewJob } from "../jobs/topic-review.js";
import { betweenSeveral, cosine, countsOf, statistics, weighing } from "./term-vectors.js";

/** Two topics are one where they are so many standard deviations more alike than two topics usually are, and half of all. */
const ONE_BY = 3;
const ONE_AT_LEAST = 0.5;
const FEW_TOPICS = 6;

export function builtinTopicReview({ topics }: TopicReviewJob): { merges: TopicId[][]; archive: TopicId[] } {
  const counts = topics.map(({ name, stretches }) => countsOf([name, ...stretches].join("\n")));
  const vectorOf = weighing(counts, betweenSeveral);
  const vectors = counts.map(vectorOf);
  const pairs = vectors.flatMap((one, at) =>
    vectors.slice(0, at).map((other, before) => ({ at, before, likeness: cosine(one, other) })),
  );
  const { mean, deviation } = statistics(pairs.map(({ likeness }) => likeness));
  const least = Math.max(ONE_AT_LEAST, mean + ONE_BY * deviation);
  const merged = new Set<number>();
  const merges = pairs
    .filter(({ likeness }) => topics.length >= FEW_TOPICS && likeness > least)
    .sort((one, other) => other.likeness - one.likeness)
    .flatMap(({ at, before }) => {
      const [into, from] = [topics[before], topics[at]];
      if (merged.has(at) || merged.has(before) || into === undefined || from === undefined) return [];
      merged.add(at).add(before);
      return [[into.id, from.id]];
    });
  return { merges, archive: [] };
}
