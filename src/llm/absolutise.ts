/** Has a model write observations again so that they stand alone. Whether they do is the historian's to judge. */
import { z } from "zod";
import type { AbsolutiseJob, AbsolutiseResult, JobOutcome } from "../model/work.js";
import type { Disk } from "../platform/disk.js";
import type { Ask, Reading } from "./ask.js";
import { inert, utterancePiece } from "./material.js";
import { defuse } from "./notes.js";
import { loadPrompts } from "./prompts.js";

/** A note is a line, not a chapter. */
const LONGEST_CHARS = 4000;

const shape = z.strictObject({ texts: z.array(z.string().max(LONGEST_CHARS)) });

export async function runAbsolutiseJob(
  job: AbsolutiseJob,
  { ask, disk, promptFolders }: { ask: Ask; disk: Disk; promptFolders: readonly string[] },
): Promise<JobOutcome<AbsolutiseResult>> {
  const { absolutise } = await loadPrompts(disk, promptFolders);
  const turns = absolutise.turns({
    when: `${job.day} ${job.clock}`,
    speaker: job.speaker === undefined ? "not known" : defuse(job.speaker),
    source: job.source === "" ? "(none)" : inert(job.source),
    material: job.recent.length === 0 ? "(nothing)" : inert(job.recent.map(utterancePiece).join("\n")),
    observations: inert(job.texts.map((note) => JSON.stringify(note)).join("\n")),
  });
  const request = { role: absolutise.role, feature: "absolutise", user: job.user, turns };
  const asked = await ask.question(request, (text) => read(text, job.texts.length));
  if (asked.to !== "answer") return { ...asked, usage: [] };
  const by = ask.modelOf(absolutise.role) ?? "";
  return { to: "done", result: { kind: "absolutise", id: job.id, by, texts: asked.value }, usage: [] };
}

function read(text: string, count: number): Reading<string[]> {
  const problem = `Answer with one JSON object {"texts": […]} that holds ${count} strings, one for each note.`;
  try {
    const [json = ""] = /\{[\s\S]*\}/.exec(text) ?? [];
    const { texts } = shape.parse(JSON.parse(json));
    return texts.length === count
      ? { value: texts.map((one) => one.replace(/\s+/g, " ").trim()) }
      : { problem };
  } catch {
    return { problem };
  }
}
