/** What a topic is about, without a model: its telling sentences. Pure but for loading the date reader. */
import { groupBy } from "../../model/group.js";
import { loadAbsoluteDates } from "../../text/absolute-dates.js";
import { redactSecrets } from "../../text/redact.js";
import type { TopicBriefJob } from "../jobs/topic-brief.js";
import { clean } from "../notes.js";
import { candidatesOf } from "./candidates.js";
import { pick } from "./pick.js";

const LONGEST_BRIEF_CHARS = 1000;
const LONGEST_LINE_CHARS = 200;

export async function builtinTopicBrief({
  utterances,
}: TopicBriefJob): Promise<{ text: string; refs: number[] }> {
  const dates = await loadAbsoluteDates();
  // A summary's own choice; of its sentences the most telling are taken until the brief is full.
  const picked = pick(candidatesOf({ utterances, days: [] }, "month"), "day");
  const lines: { line: string; source: number }[] = [];
  let left = LONGEST_BRIEF_CHARS;
  for (const { stamp, name, text, day, source } of spread(picked)) {
    const sentence = dates(clean(redactSecrets(text)).slice(0, LONGEST_LINE_CHARS).toWellFormed(), day);
    const line = `- ${stamp} ${name === "" ? "" : `${clean(name)}: `}${sentence}`;
    if (line.length > left) continue;
    left -= line.length + 1;
    lines.push({ line, source });
  }
  lines.sort((one, other) => one.source - other.source);
  return {
    text: lines.map(({ line }) => line).join("\n"),
    refs: [...new Set(lines.map(({ source }) => source))],
  };
}

/** Days take turns, the newest first: what stands now is as much of the brief as how it began. */
function spread<T extends { stamp: string }>(picked: readonly T[]): T[] {
  const days = [...groupBy(picked, ({ stamp }) => stamp).values()].reverse();
  const most = Math.max(0, ...days.map((of) => of.length));
  return Array.from({ length: most }).flatMap((_each, at) => days.flatMap((of) => of[at] ?? []));
}
