/** Has a model bring a profile up to date. What may change of it is the historian's to decide. */
import { z } from "zod";
import type { JobOutcome, ProfileJob, ProfileResult } from "../model/work.js";
import type { Disk } from "../platform/disk.js";
import type { Ask, Reading } from "./ask.js";
import { inert } from "./material.js";
import { loadPrompts } from "./prompts.js";

const shape = z.strictObject({
  name: z.string().max(200).nullish(),
  tags: z.array(z.string().max(60)).default([]),
  bullets: z.array(z.string().max(1000)),
});

export async function runProfileJob(
  job: ProfileJob,
  { ask, disk, promptFolders }: { ask: Ask; disk: Disk; promptFolders: readonly string[] },
): Promise<JobOutcome<ProfileResult>> {
  const { profile } = await loadPrompts(disk, promptFolders);
  const turns = profile.turns({
    who: `${job.entity} ${inert(whoIn(job))}`,
    present:
      job.bullets.length === 0
        ? "(nothing yet)"
        : inert(job.bullets.map((bullet) => `- ${bullet}`).join("\n")),
    tags: job.tags.length === 0 ? "(none)" : inert(job.tags.join(", ")),
    events: inert(job.events.map(({ date, text }) => `- ${date}: ${text}`).join("\n")),
  });
  const request = { role: profile.role, feature: "profile", user: job.user, turns };
  const asked = await ask.question(request, read);
  if (asked.to !== "answer") return { ...asked, usage: [] };
  const { name, tags, bullets } = asked.value;
  const by = ask.modelOf(profile.role) ?? "";
  const named = name === undefined || name === null || name.trim() === "" ? {} : { name };
  return { to: "done", result: { kind: "profile", id: job.id, by, ...named, tags, bullets }, usage: [] };
}

/** `Lin Yue(lin)`, and by what other name the newest observations know them. */
function whoIn({ target, name, called }: ProfileJob): string {
  const known = name === undefined ? target : `${name}(${target})`;
  return called === undefined ? known : `${known}, also called ${called}`;
}

function read(text: string): Reading<z.infer<typeof shape>> {
  try {
    const [json = ""] = /\{[\s\S]*\}/.exec(text) ?? [];
    return { value: shape.parse(JSON.parse(json)) };
  } catch {
    return {
      problem: 'Answer with one JSON object: {"name": "…" or null, "tags": ["…"], "bullets": ["…"]}.',
    };
  }
}
