/** Has a model pick out what is worth remembering of a conversation that leaves the agent's sight. */
import type { Settings } from "../model/settings.js";
import type { JobOutcome, ObservationsJob, ObservationsResult } from "../model/work.js";
import type { Disk } from "../platform/disk.js";
import type { Ask, Reading } from "./ask.js";
import { inert, utterancePiece, windowSize } from "./material.js";
import { readNotes } from "./notes.js";
import { loadPrompts } from "./prompts.js";
import { windowsOf } from "./windows.js";

interface ObservationPorts {
  ask: Ask;
  llm: Settings["llm"];
  disk: Disk;
  promptFolders: readonly string[];
}

const MOST_OF_A_WINDOW = 10;

export async function runObservationsJob(
  job: ObservationsJob,
  { ask, llm, disk, promptFolders }: ObservationPorts,
): Promise<JobOutcome<ObservationsResult>> {
  const prompts = await loadPrompts(disk, promptFolders);
  const prompt = prompts.observations;
  const observations: string[] = [];
  for (const window of windowsOf(job.utterances.map(utterancePiece), windowSize(llm, prompts))) {
    const turns = prompt.turns({ material: inert(window) });
    const request = { role: prompt.role, feature: "observations", user: job.user, turns };
    const asked = await ask.question(request, read);
    if (asked.to !== "answer") return { ...asked, usage: [] };
    observations.push(...asked.value);
  }
  return { to: "done", result: { kind: "observations", id: job.id, observations }, usage: [] };
}

function read(text: string): Reading<string[]> {
  if (/^\W*none\W*$/i.test(text.trim())) return { value: [] };
  const notes = readNotes(text);
  if ("problem" in notes) return { problem: "Answer with Markdown bullets, or with the one word NONE." };
  return { value: notes.value.flatMap(({ bullets }) => bullets).slice(0, MOST_OF_A_WINDOW) };
}
