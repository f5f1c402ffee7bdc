/** Has a model tell in short what a topic is about. */
import type { JobOutcome, TopicBriefJob, TopicBriefResult } from "../model/work.js";
import { cutText } from "../text/cut.js";
import type { Reading } from "./ask.js";
import { inert, utterancePiece, windowSize } from "./material.js";
import { defuse } from "./notes.js";
import { loadPrompts } from "./prompts.js";
import { placesIn } from "./topic-answers.js";
import type { TopicPorts } from "./topic-split.js";
import { windowsOf } from "./windows.js";

const LONGEST_CHARS = 1500;
const REFS = /\s*\[[\d\s,–-]+\]/g;

export async function runTopicBriefJob(
  job: TopicBriefJob,
  { ask, llm, disk, promptFolders }: TopicPorts,
): Promise<JobOutcome<TopicBriefResult>> {
  const prompts = await loadPrompts(disk, promptFolders);
  const prompt = prompts["topic-brief"];
  const { utterances } = job;
  const pieces = utterances.map((each, index) => `${index + 1} ${utterancePiece(each)}`);
  let brief = { text: job.previous ?? "", refs: [] as number[] };
  for (const window of windowsOf(pieces, windowSize(llm, prompts) / 2)) {
    const previous = brief.text === "" ? "(none)" : brief.text;
    const turns = prompt.turns({
      name: defuse(job.name),
      previous: inert(previous),
      material: inert(window),
    });
    const request = { role: prompt.role, feature: "topic_brief", user: job.user, turns };
    const asked = await ask.question(request, (text) => read(text, utterances.length));
    if (asked.to !== "answer") return { ...asked, usage: [] };
    brief = { text: asked.value.text, refs: [...new Set([...brief.refs, ...asked.value.refs])] };
  }
  const by = ask.modelOf(prompt.role) ?? "";
  return { to: "done", result: { kind: "topic_brief", id: job.id, by, ...brief }, usage: [] };
}

function read(answer: string, count: number): Reading<{ text: string; refs: number[] }> {
  const refs = [...answer.matchAll(REFS)].flatMap(([numbers]) => placesIn(numbers, count));
  const text = defuse(cutText(answer.replace(REFS, "").trim(), LONGEST_CHARS));
  return text === "" ? { problem: "Write the brief." } : { value: { text, refs: [...new Set(refs)] } };
}
