/** A profile brought up to date with what was newly observed. What may change of it is the historian's to decide. */
import * as z from "zod";
import { readJson } from "../answers.js";
import { inert } from "../windows.js";
import { mapAnswer } from "../ask.js";
import { clean } from "../notes.js";
import { chatKind, type JobOf, type ResultOfKind } from "./kind.js";

export interface ProfileJob extends JobOf<"profile"> {
  entity: "user" | "group";
  /** The user's or the group's id. */
  target: string;
  name?: string;
  /** As the newest observations name them, where that is another name. */
  called?: string;
  tags: string[];
  /** As they stand. */
  bullets: string[];
  /** What was newly told, oldest first. */
  events: Told[];
  /** What else stands told of a user, in no promised order: to weigh what is new by, without a model. */
  known: Told[];
}

export interface Told {
  /** `YYYY-MM-DD` */
  date: string;
  text: string;
  /** How often it was said; once where nothing is said of it. */
  times?: number;
  /** It was so, and is not any more. */
  isOver?: true;
}

export type ProfileResult = ResultOfKind<typeof profile>;

const PROBLEM = 'Answer with one JSON object: {"name": "…" or null, "tags": ["…"], "bullets": ["…"]}.';
const answer = z.strictObject({
  name: z.string().max(200).nullish(),
  tags: z.array(z.string().max(60)).default([]),
  bullets: z.array(z.string().max(1000)),
});

export const profile = chatKind({
  kind: "profile",
  prompts: { profile: ["who", "present", "tags", "events"] },
  /** `bullets`: all that are to stand; none where nothing changes. */
  output: z.object({
    name: z.string().exactOptional(),
    tags: z.array(z.string()),
    bullets: z.array(z.string()),
  }),
  run: async (job: ProfileJob, { ask, prompts }) => {
    const present = job.bullets.map((bullet) => `- ${bullet}`).join("\n");
    const question = prompts.profile.fill({
      who: `${job.entity} ${inert(whoIn(job))}`,
      present: job.bullets.length === 0 ? "(nothing yet)" : inert(present),
      tags: job.tags.length === 0 ? "(none)" : inert(job.tags.join(", ")),
      events: inert(job.events.map(({ date, text }) => `- ${date}: ${text}`).join("\n")),
    });
    const reply = await ask(question, (text) => readJson(text, answer, PROBLEM, (value) => value));
    return mapAnswer(reply, ({ name, tags, bullets }) => ({
      ...(typeof name === "string" && clean(name) !== "" ? { name: clean(name) } : {}),
      tags: tags.map(clean).filter((tag) => tag !== ""),
      bullets: bullets.map(clean),
    }));
  },
  builtin: async (job) => (await import("../builtin/profile.js")).builtinProfile(job),
});

/** `Lin Yue(lin)`, and by what other name the newest observations know them. */
function whoIn({ target, name, called }: ProfileJob): string {
  const known = name === undefined ? target : `${name}(${target})`;
  return called === undefined ? known : `${known}, also called ${called}`;
}
