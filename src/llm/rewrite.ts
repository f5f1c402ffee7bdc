/** Has a model put a question in other words, where its first answers do not suffice. */
import { z } from "zod";
import type { JobOutcome, RewriteJob, RewriteResult } from "../model/work.js";
import type { Disk } from "../platform/disk.js";
import type { Ask, Reading } from "./ask.js";
import { defuse } from "./notes.js";
import { loadPrompts } from "./prompts.js";

const MOST_QUERIES = 3;
const LONGEST_QUERY_CHARS = 300;

const shape = z.strictObject({ enough: z.boolean(), queries: z.array(z.string()) });

export async function runRewriteJob(
  job: RewriteJob,
  { ask, disk, promptFolders }: { ask: Ask; disk: Disk; promptFolders: readonly string[] },
): Promise<JobOutcome<RewriteResult>> {
  const { rewrite } = await loadPrompts(disk, promptFolders);
  const found = job.found.map(({ date, text }) => `- ${date}: ${text.replace(/\s+/g, " ")}`).join("\n");
  const turns = rewrite.turns({
    query: defuse(job.query),
    found: found === "" ? "(nothing)" : defuse(found),
  });
  const asked = await ask.question({ role: rewrite.role, feature: "rewrite", turns }, read);
  if (asked.to !== "answer") return { ...asked, usage: [] };
  return { to: "done", result: { kind: "rewrite", id: job.id, queries: asked.value }, usage: [] };
}

function read(text: string): Reading<string[]> {
  try {
    const [json = ""] = /\{[\s\S]*\}/.exec(text) ?? [];
    const { enough, queries } = shape.parse(JSON.parse(json));
    const told = queries.map((query) => query.trim().slice(0, LONGEST_QUERY_CHARS)).filter(Boolean);
    return { value: enough ? [] : told.slice(0, MOST_QUERIES) };
  } catch {
    return { problem: 'Answer with one JSON object: {"enough": true or false, "queries": ["…", "…"]}.' };
  }
}
