/** Has a model say which remembered things are one, and which cannot both hold. What follows from it is the historian's to decide. */
import { z } from "zod";
import type { Verdict } from "../model/finding.js";
import type { CompareJob, CompareResult, JobOutcome } from "../model/work.js";
import type { Disk } from "../platform/disk.js";
import type { Ask, Reading } from "./ask.js";
import { inert } from "./material.js";
import { loadPrompts } from "./prompts.js";

const LONGEST_CHARS = 2000;

const shape = z.strictObject({
  verdicts: z.array(
    z.strictObject({
      is: z.enum(["same", "contradicts", "different"]),
      text: z.string().max(LONGEST_CHARS).nullish(),
    }),
  ),
});

export async function runCompareJob(
  job: CompareJob,
  { ask, disk, promptFolders }: { ask: Ask; disk: Disk; promptFolders: readonly string[] },
): Promise<JobOutcome<CompareResult>> {
  const { compare } = await loadPrompts(disk, promptFolders);
  const turns = compare.turns({ pairs: inert(job.pairs.map((pair) => JSON.stringify(pair)).join("\n")) });
  const request = { role: compare.role, feature: "compare", user: job.user, turns };
  const asked = await ask.question(request, (text) => read(text, job.pairs.length));
  if (asked.to !== "answer") return { ...asked, usage: [] };
  const by = ask.modelOf(compare.role) ?? "";
  return { to: "done", result: { kind: "compare", id: job.id, by, verdicts: asked.value }, usage: [] };
}

function read(text: string, count: number): Reading<Verdict[]> {
  const problem = `Answer with one JSON object {"verdicts": […]} that holds ${count} objects {"is": "same", "contradicts" or "different"}, one for each pair.`;
  try {
    const [json = ""] = /\{[\s\S]*\}/.exec(text) ?? [];
    const { verdicts } = shape.parse(JSON.parse(json));
    if (verdicts.length !== count) return { problem };
    return {
      value: verdicts.map(({ is, text: told }): Verdict => {
        const one = told?.replace(/\s+/g, " ").trim() ?? "";
        return { is, ...(one === "" ? {} : { text: one }) };
      }),
    };
  } catch {
    return { problem };
  }
}
