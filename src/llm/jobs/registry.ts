/**
 * All kinds of jobs, one row each. What there is of jobs, results and prompts,
 * and who does a job, is read off this table.
 *
 * Loads no built-in answer and no SDK: a kind does when it is used.
 */
import * as z from "zod";
import { MemdError } from "../../model/errors.js";
import type { JobId } from "../../model/work.js";
import type { Disk } from "../../platform/disk.js";
import { loadPrompts, type PromptInputs, type PromptsOf } from "../prompts.js";
import { absolutise } from "./absolutise.js";
import { compare } from "./compare.js";
import { embedding } from "./embedding.js";
import { extract } from "./extract.js";
import type { ChatKind, EndpointKind, ResultOfKind } from "./kind.js";
import { observations } from "./observations.js";
import { profile } from "./profile.js";
import { rank } from "./rank.js";
import { rerank } from "./rerank.js";
import { rewrite } from "./rewrite.js";
import { summary } from "./summary.js";
import { topicBrief } from "./topic-brief.js";
import { topicIndex } from "./topic-index.js";
import { topicReview } from "./topic-review.js";
import { topicSplit } from "./topic-split.js";
import { topicWindows } from "./topic-windows.js";

const KINDS = [
  summary,
  observations,
  absolutise,
  extract,
  compare,
  profile,
  topicSplit,
  topicBrief,
  topicWindows,
  topicIndex,
  topicReview,
  embedding,
  rerank,
  rank,
  rewrite,
] as const;

type Kind = (typeof KINDS)[number];
type JobIn<K> =
  K extends ChatKind<infer J, infer _Output, infer _Inputs>
    ? J
    : K extends EndpointKind<infer J, infer _Output>
      ? J
      : never;

export type Job = JobIn<Kind>;
export type JobResult = ResultOfKind<Kind>;
/** What comes of a job of this kind. */
export type ResultOf<J extends Job> = Extract<JobResult, { kind: J["kind"] }>;
export type TopicJob = Extract<Job, { kind: `topic_${string}` }>;
export type TopicResult = ResultOf<TopicJob>;

/** What is common to all kinds, whatever their types. */
type AnyKind = ChatKind<Job, object, PromptInputs> | EndpointKind<Job & { model: string }, object>;

const BY_NAME = new Map<string, AnyKind>(KINDS.map((kind) => [kind.kind, kind as unknown as AnyKind]));

/** Every prompt file of every kind, and what is filled into it. */
export const PROMPT_INPUTS: PromptInputs = Object.fromEntries(
  KINDS.flatMap((kind) => ("prompts" in kind ? Object.entries<readonly string[]>(kind.prompts) : [])),
);

/** Of all kinds, each file from the first folder that has it. Throws MemdError `prompt_invalid`: memd asks for them at its start. */
export function jobPrompts(disk: Disk, folders: readonly string[]): Promise<PromptsOf<PromptInputs>> {
  return loadPrompts(disk, folders, PROMPT_INPUTS);
}

export function kindOf({ kind }: Pick<Job, "kind">): AnyKind {
  const known = BY_NAME.get(kind);
  if (known === undefined) throw new MemdError("internal", `There is no kind of job ${kind}.`);
  return known;
}

export function resultOf({ kind, id }: Job, by: string, output: object): JobResult {
  return { kind, id, by, ...output } as JobResult;
}

const head = z.object({
  kind: z.string(),
  id: z.custom<JobId>((id) => typeof id === "string"),
  by: z.string(),
});

/** Undefined for what is no result of any kind. */
export function parseResult(value: unknown): JobResult | undefined {
  const result = head.safeParse(value);
  const output = BY_NAME.get(result.data?.kind ?? "")?.output.safeParse(value);
  if (result.data === undefined || output?.success !== true) return undefined;
  return { ...result.data, ...output.data } as JobResult;
}
