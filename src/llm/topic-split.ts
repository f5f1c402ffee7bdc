/** Has a model sort messages into topics. What becomes of it is decided where topics are kept. */
import type { Settings } from "../model/settings.js";
import type {
  StandingTopic,
  TopicGroup,
  JobOutcome,
  TopicSplitJob,
  TopicSplitResult,
} from "../model/work.js";
import type { Disk } from "../platform/disk.js";
import { topicNameOf } from "../protocol/topic-brief.js";
import type { Ask, Reading } from "./ask.js";
import { inert, utterancePiece, windowSize } from "./material.js";
import { loadPrompts } from "./prompts.js";
import { asText, jsonIn, placesIn, placesOf, shownAs, tagsIn } from "./topic-answers.js";
import { windowsOf } from "./windows.js";

export interface TopicPorts {
  ask: Ask;
  llm: Settings["llm"];
  disk: Disk;
  promptFolders: readonly string[];
}

/** Of a brief, so much tells topics apart. */
const BRIEF_CHARS = 300;
/** Of what is asked at once, topics may take so much. */
const TOPICS_SHARE = 1 / 3;

interface Sorted {
  topic: StandingTopic["id"] | undefined;
  name: string;
  places: number[];
}

export async function runTopicSplitJob(
  job: TopicSplitJob,
  { ask, llm, disk, promptFolders }: TopicPorts,
): Promise<JobOutcome<TopicSplitResult>> {
  const prompts = await loadPrompts(disk, promptFolders);
  const prompt = prompts["topic-split"];
  const budget = windowSize(llm, prompts);
  const { utterances, topics } = job;
  const pieces = utterances.map((each, index) => `${index + 1} ${utterancePiece(each)}`);
  const groups: TopicGroup[] = [];
  for (const window of windowsOf(pieces, budget * (1 - TOPICS_SHARE))) {
    const listed = [...topics.map(listingOf), ...groups.filter(isNew).map(({ name }) => name)];
    const shown = windowsOf(
      listed.map((each, index) => `${shownAs(index)} ${each}`),
      budget * TOPICS_SHARE,
    )[0];
    const turns = prompt.turns({ topics: inert(shown ?? "(none)"), material: inert(window) });
    const request = { role: prompt.role, feature: "topic_split", user: job.user, turns };
    const asked = await ask.question(request, (text) => read(text, utterances.length));
    if (asked.to !== "answer") return { ...asked, usage: [] };
    const fresh = groups.filter(isNew);
    for (const { id, name, places } of asked.value) {
      const at = numberOf(id);
      const known = at === undefined ? undefined : topics[at]?.id;
      const again = at === undefined ? undefined : fresh[at - topics.length];
      // A topic that nobody gave it: of these messages it said nothing.
      if (id !== "" && known === undefined && again === undefined) continue;
      const there = again ?? groups.find(({ topic }) => known !== undefined && topic === known);
      if (there !== undefined) there.stretches.push(places);
      else groups.push({ ...(known === undefined ? {} : { topic: known }), name, stretches: [places] });
    }
  }
  const by = ask.modelOf(prompt.role) ?? "";
  return { to: "done", result: { kind: "topic_split", id: job.id, by, groups }, usage: [] };
}

function isNew({ topic }: TopicGroup): boolean {
  return topic === undefined;
}

function listingOf({ name, brief }: StandingTopic): string {
  return `${name}: ${brief.slice(0, BRIEF_CHARS).replace(/\s+/g, " ")}`;
}

function numberOf(id: string): number | undefined {
  const [, number] = /^T?(\d{1,6})$/i.exec(id) ?? [];
  return number === undefined ? undefined : Number(number) - 1;
}

/** `id` is empty for a topic that begins. */
type Told = Omit<Sorted, "topic"> & { id: string };

function read(text: string, count: number): Reading<Told[]> {
  const told = inJson(text, count) ?? inTags(text, count);
  const value = told.filter(({ id, name, places }) => places.length > 0 && (id !== "" || name !== ""));
  if (value.length > 0) return { value };
  return {
    problem:
      'Answer with one JSON object {"topics": [{"id": "T2", "messages": [numbers]}, {"name": "…", "messages": [numbers]}]}.',
  };
}

function inJson(text: string, count: number): Told[] | undefined {
  const { topics } = (jsonIn(text) ?? {}) as { topics?: unknown };
  if (!Array.isArray(topics)) return undefined;
  return (topics as ({ id?: unknown; name?: unknown; messages?: unknown } | null)[]).map((each) => ({
    id: asText(each?.id).trim(),
    name: topicNameOf(asText(each?.name)),
    places: placesOf(each?.messages, count),
  }));
}

function inTags(text: string, count: number): Told[] {
  return tagsIn(text, "topic").map(({ attributes, text: numbers }) => ({
    id: (attributes["id"] ?? "").trim(),
    name: topicNameOf(attributes["name"] ?? ""),
    places: placesIn(numbers, count),
  }));
}
