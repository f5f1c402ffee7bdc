/** Has a model say which topics may hold what is looked for. */
import type { JobOutcome, TopicIndexJob, TopicIndexResult } from "../model/work.js";
import type { Reading } from "./ask.js";
import { inert, windowSize } from "./material.js";
import { loadPrompts } from "./prompts.js";
import { asText, jsonIn, meantBy, shownAs, tagsIn } from "./topic-answers.js";
import type { TopicPorts } from "./topic-split.js";
import { windowsOf } from "./windows.js";

type Found = TopicIndexResult["found"];

const LEVELS = ["high", "medium", "low"] as const;

export async function runTopicIndexJob(
  job: TopicIndexJob,
  { ask, llm, disk, promptFolders }: TopicPorts,
): Promise<JobOutcome<TopicIndexResult>> {
  const prompts = await loadPrompts(disk, promptFolders);
  const prompt = prompts["topic-index"];
  const listed = job.topics.map(
    ({ name, brief, dates }, index) => `${shownAs(index)} ${name} (${dates}): ${brief.replace(/\s+/g, " ")}`,
  );
  const found: Found = [];
  for (const window of windowsOf(listed, windowSize(llm, prompts) / 2)) {
    const turns = prompt.turns({ topics: inert(window), query: inert(job.query) });
    const request = { role: prompt.role, feature: "topic_index", user: job.user, turns };
    const asked = await ask.question(request, (text) => read(text, job));
    if (asked.to !== "answer") return { ...asked, usage: [] };
    found.push(...asked.value);
  }
  const by = ask.modelOf(prompt.role) ?? "";
  const ranked = LEVELS.flatMap((level) => found.filter((each) => each.level === level));
  return { to: "done", result: { kind: "topic_index", id: job.id, by, found: ranked }, usage: [] };
}

function read(text: string, { topics }: TopicIndexJob): Reading<Found> {
  const json = jsonIn(text) as { topics?: unknown } | undefined;
  const told = Array.isArray(json?.topics)
    ? (json.topics as ({ id?: unknown; relevance?: unknown } | null)[]).map((each) => ({
        id: each?.id,
        level: asText(each?.relevance),
      }))
    : tagsIn(text, "topic").map(({ attributes }) => ({
        id: attributes["id"],
        level: attributes["relevance"] ?? "",
      }));
  if (!Array.isArray(json?.topics) && told.length === 0)
    return { problem: 'Answer with one JSON object {"topics": [{"id": "T1", "relevance": "high"}]}.' };
  const seen = new Set<string>();
  return {
    value: told.flatMap(({ id, level }) => {
      const topic = meantBy(id, topics);
      const known = LEVELS.find((each) => each === level.trim().toLowerCase());
      if (topic === undefined || known === undefined || seen.has(topic)) return [];
      seen.add(topic);
      return [{ id: topic, level: known }];
    }),
  };
}
