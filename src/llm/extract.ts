/** Has a model pick out what is worth remembering, all kinds asked for in one call. What becomes of it is the historian's to decide. */
import { z } from "zod";
import { isDay } from "../model/time.js";
import type { Settings } from "../model/settings.js";
import { FINDING_KINDS, type Finding } from "../model/finding.js";
import type { ExtractJob, ExtractResult, JobOutcome, Utterance } from "../model/work.js";
import type { Disk } from "../platform/disk.js";
import type { Ask, Reading } from "./ask.js";
import { inert, utterancePiece, windowSize } from "./material.js";
import { defuse } from "./notes.js";
import { loadPrompts } from "./prompts.js";
import { windowsOf } from "./windows.js";

interface ExtractPorts {
  ask: Ask;
  llm: Settings["llm"];
  disk: Disk;
  promptFolders: readonly string[];
}

const LONGEST_CHARS = 2000;
/** Of one call; more is no choice any more. */
const MOST_FINDINGS = 30;

const day = z.string().refine(isDay).nullish().catch(undefined);
const shape = z.strictObject({
  findings: z.array(
    z.strictObject({
      kind: z.enum(FINDING_KINDS),
      text: z.string().max(LONGEST_CHARS),
      from: z.array(z.number().int()).default([]),
      on: day,
      until: day,
    }),
  ),
});

export async function runExtractJob(
  job: ExtractJob,
  { ask, llm, disk, promptFolders }: ExtractPorts,
): Promise<JobOutcome<ExtractResult>> {
  const prompts = await loadPrompts(disk, promptFolders);
  const { extract } = prompts;
  const budget = windowSize(llm, prompts);
  const earlier = windowsOf(job.earlier.map(numbered(1)), budget / 2).at(-1);
  const windows = windowsOf(job.utterances.map(numbered(job.earlier.length + 1)), budget / 2);
  const findings: Finding[] = [];
  for (const window of windows.length === 0 ? ["(nothing)"] : windows) {
    const turns = extract.turns({
      about: job.of === "document" ? "a document" : "a conversation",
      wants: job.wants.join(", "),
      speaker: job.speaker === undefined ? "not known" : defuse(job.speaker),
      earlier: earlier === undefined ? "(nothing)" : inert(earlier),
      material: inert(window),
    });
    const request = { role: extract.role, feature: "extract", user: job.user, turns };
    const asked = await ask.question(request, (text) => read(text, job));
    if (asked.to !== "answer") return { ...asked, usage: [] };
    findings.push(...asked.value);
  }
  const by = ask.modelOf(extract.role) ?? "";
  return { to: "done", result: { kind: "extract", id: job.id, by, findings }, usage: [] };
}

function numbered(first: number): (utterance: Utterance, index: number) => string {
  return (utterance, index) => `${first + index} ${utterancePiece(utterance)}`;
}

/** What nobody asked for is left out, and so are numbers of lines that there are not. */
function read(text: string, { wants, earlier, utterances }: ExtractJob): Reading<Finding[]> {
  const lines = earlier.length + utterances.length;
  try {
    const [json = ""] = /\{[\s\S]*\}/.exec(text) ?? [];
    const { findings } = shape.parse(JSON.parse(json));
    const value = findings
      .map(({ kind, text: said, from, on, until }): Finding => ({
        kind,
        text: said.replace(/\s+/g, " ").trim(),
        from: from.filter((line) => line >= 1 && line <= lines),
        ...(typeof on === "string" ? { on } : {}),
        ...(typeof until === "string" ? { until } : {}),
      }))
      .filter(({ kind, text: said }) => said !== "" && wants.includes(kind));
    return { value: value.slice(0, MOST_FINDINGS) };
  } catch {
    const kinds = FINDING_KINDS.map((kind) => `"${kind}"`).join(", ");
    return {
      problem: `Answer with one JSON object {"findings": [{"kind": one of ${kinds}, "text": "…", "from": [line numbers], "on": "YYYY-MM-DD" or null, "until": "YYYY-MM-DD" or null}]}.`,
    };
  }
}
