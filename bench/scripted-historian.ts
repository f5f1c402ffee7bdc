/**
 * A model that answers the historian's questions as the built-in provider
 * would, over the wire: what is asked is read off the prompt.
 */
import { isDay, type Day } from "../src/model/time.js";
import { FINDING_KINDS } from "../src/model/found.js";
import type { Utterance } from "../src/model/message.js";
import type { JobId } from "../src/model/work.js";
import type { ExtractJob } from "../src/llm/jobs/extract.js";
import type { Job } from "../src/llm/jobs/registry.js";
import { builtinAnswer } from "../src/llm/run-job.js";
import type { ScriptedAnswer, SeenRequest } from "../test/support/openai-server.js";

/** Of a server that may answer later. */
export async function wireAnswer({ body }: SeenRequest): Promise<ScriptedAnswer> {
  const prompt = body.messages.map(({ content }) => content).join("\n");
  const said = await builtinAnswer(jobIn(prompt));
  return { kind: "ok", text: said === undefined ? "no" : JSON.stringify(outputOf(said)) };
}

function outputOf(result: object): object {
  const { kind: _kind, id: _id, by: _by, ...output } = result as Record<string, unknown>;
  return output;
}

function jobIn(prompt: string): Job {
  const id = "wire" as JobId;
  if (prompt.includes("<pairs>"))
    return { kind: "compare", id, pairs: linesIn(prompt, "pairs").map((line) => JSON.parse(line) as never) };
  if (prompt.includes("<notes>")) {
    const [, day = "", clock = "", speaker = ""] =
      /made at (\S+) (\S+)\. The user who spoke is (.+)\.\n/.exec(prompt) ?? [];
    const texts = linesIn(prompt, "notes").map((line) => JSON.parse(line) as { text: string });
    return { kind: "absolutise", id, speaker, day: day as Day, clock, texts, source: "", recent: [] };
  }
  if (prompt.includes("<profile>")) {
    const [, entity = "user", who = ""] = /profile is of the (\w+) (.+)\.\n/.exec(prompt) ?? [];
    const [, name, target = who] = /^(.+)\((.+)\)$/.exec(who) ?? [];
    return {
      kind: "profile",
      id,
      entity: entity as "user",
      target,
      ...(name === undefined ? {} : { name }),
      tags: [],
      bullets: linesIn(prompt, "profile").flatMap((line) => /^- (.+)$/.exec(line)?.[1] ?? []),
      events: linesIn(prompt, "observations").flatMap((line) => {
        const [, date = "", text = ""] = /^- (\S+): (.+)$/.exec(line) ?? [];
        return text === "" ? [] : [{ date, text }];
      }),
      known: [],
    };
  }
  return extractIn(prompt, id);
}

function extractIn(prompt: string, id: JobId): ExtractJob {
  const [, wants = "", speaker = ""] = /asked for: (.+)\. The user is (.+)\.\n/.exec(prompt) ?? [];
  const [earlier, utterances] = [spokenIn(prompt, "earlier"), spokenIn(prompt, "material")];
  return {
    kind: "extract",
    id,
    of: "conversation",
    wants: FINDING_KINDS.filter((kind) => wants.split(", ").includes(kind)),
    speaker,
    day: utterances.at(-1)?.day ?? earlier.at(-1)?.day ?? ("2026-01-01" as Day),
    earlier,
    utterances,
  };
}

/** `3 [2026-01-28 14:03] Lin Yue (user): …`; what is set in goes on. */
function spokenIn(prompt: string, tag: string): Utterance[] {
  const spoken: Utterance[] = [];
  for (const line of linesIn(prompt, tag)) {
    const [, day = "", clock = "", name = "", role = "", text = ""] =
      /^\d+ \[(\S+) (\S+)\] (.+?) \((user|agent|tool|system)\): (.*)$/.exec(line) ?? [];
    const last = spoken.at(-1);
    if (isDay(day))
      spoken.push({ at: `${day}T${clock}:00Z`, day, clock, name, role: role as Utterance["role"], text });
    else if (last !== undefined) last.text += `\n${line.trim()}`;
  }
  return spoken;
}

function linesIn(prompt: string, tag: string): string[] {
  const from = prompt.lastIndexOf(`<${tag}>`);
  const to = prompt.lastIndexOf(`</${tag}>`);
  return prompt
    .slice(from + tag.length + 2, to)
    .split("\n")
    .filter((line) => line.trim() !== "");
}
