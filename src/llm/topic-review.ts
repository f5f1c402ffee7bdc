/** Has a model look through the topics: which are one, and which were a passing matter. */
import type { JobOutcome, TopicReviewJob, TopicReviewResult } from "../model/work.js";
import type { TopicId } from "../model/topic.js";
import type { Reading } from "./ask.js";
import { inert, windowSize } from "./material.js";
import { loadPrompts } from "./prompts.js";
import { jsonIn, meantBy, shownAs, tagsIn } from "./topic-answers.js";
import type { TopicPorts } from "./topic-split.js";
import { windowsOf } from "./windows.js";

type Told = Pick<TopicReviewResult, "merges" | "archive">;

export async function runTopicReviewJob(
  job: TopicReviewJob,
  { ask, llm, disk, promptFolders }: TopicPorts,
): Promise<JobOutcome<TopicReviewResult>> {
  const prompts = await loadPrompts(disk, promptFolders);
  const prompt = prompts["topic-review"];
  const listed = job.topics.map(
    ({ name, brief, dates, tokens }, index) =>
      `${shownAs(index)} ${name} (${dates}, ${tokens} tokens): ${brief.replace(/\s+/g, " ")}`,
  );
  const merges: TopicId[][] = [];
  const archive: TopicId[] = [];
  for (const window of windowsOf(listed, windowSize(llm, prompts) / 2)) {
    const turns = prompt.turns({ topics: inert(window) });
    const request = { role: prompt.role, feature: "topic_review", user: job.user, turns };
    const asked = await ask.question(request, (text) => read(text, job));
    if (asked.to !== "answer") return { ...asked, usage: [] };
    merges.push(...asked.value.merges);
    archive.push(...asked.value.archive);
  }
  const by = ask.modelOf(prompt.role) ?? "";
  return { to: "done", result: { kind: "topic_review", id: job.id, by, merges, archive }, usage: [] };
}

/** Each topic in one merge at most. */
function read(text: string, { topics }: TopicReviewJob): Reading<Told> {
  const json = jsonIn(text) as { merge?: unknown; archive?: unknown } | undefined;
  const listed = (names: readonly unknown[]): TopicId[] => [
    ...new Set(names.flatMap((name) => meantBy(name, topics) ?? [])),
  ];
  const split = (names: string): string[] => names.split(/[\s,]+/);
  if (json === undefined && !/<(?:merge|archive)\b/i.test(text))
    return { problem: 'Answer with one JSON object {"merge": [["T1", "T5"]], "archive": ["T3"]}.' };
  const groups = Array.isArray(json?.merge)
    ? json.merge.map((each: unknown) => listed(Array.isArray(each) ? each : []))
    : tagsIn(text, "merge").map((tag) => listed(split(tag.text)));
  const seen = new Set<TopicId>();
  const merges = groups
    .map((group) => group.filter((id) => !seen.has(id) && seen.add(id)))
    .filter((group) => group.length > 1);
  const archive = Array.isArray(json?.archive)
    ? listed(json.archive)
    : tagsIn(text, "archive").flatMap((tag) => listed(split(tag.text)));
  return { value: { merges, archive: archive.filter((id) => !seen.has(id)) } };
}
