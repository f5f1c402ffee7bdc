/**
 * What a kind of job is: a file of this folder each, and a row in registry.ts.
 *
 * A job and its result are plain data that survives JSON. A stage makes the
 * job, a worker runs it, and the stage gets the result; neither side knows how
 * the other does it.
 */
import * as z from "zod";
import type { JobId, UsageRecord } from "../../model/work.js";
import type { Clock } from "../../platform/clock.js";
import type { Reply, Reading } from "../ask.js";
import type { EndpointOptions } from "../openai-client.js";
import type { PromptInputs, PromptsOf, Question } from "../prompts.js";

/** What every job carries; a kind adds what it asks for. */
export interface JobOf<Kind extends string> {
  kind: Kind;
  id: JobId;
  /** Who pays; absent for what is nobody's alone. */
  user?: string;
  /** It is done without a model, whatever the settings say: models have failed at it. */
  byWords?: true;
}

/** What is done by asking a chat model, and perhaps without one. */
export interface ChatKind<J extends JobOf<string>, Output extends object, Inputs extends PromptInputs> {
  kind: J["kind"];
  /** Its prompt files with what is filled into each. `by` of a result is the model of the first one's role. */
  prompts: Inputs;
  output: z.ZodType<Output>;
  /** What `logs/usage.jsonl` calls it, where that is not the kind's name. */
  feature?(job: J): string;
  run(job: J, model: Model<Inputs>): Promise<Reply<NoInfer<Output>>>;
  /** The answer without a model; absent for what only a model can do. */
  builtin?(job: J): NoInfer<Output> | Promise<NoInfer<Output>>;
}

/** What is done by an endpoint that is no chat. */
export interface EndpointKind<J extends JobOf<string> & { model: string }, Output extends object> {
  kind: J["kind"];
  output: z.ZodType<Output>;
  call(
    job: J,
    endpoint: EndpointOptions,
    onUsage: (usage: UsageRecord) => void,
  ): Promise<Reply<NoInfer<Output>>>;
}

/** What a chat kind works with. */
export interface Model<Inputs extends PromptInputs> {
  prompts: PromptsOf<Inputs>;
  /** What fits beside any prompt and its answer. */
  windowTokens: number;
  clock: Clock;
  /** `read` gets the answer, whether it was cut by the output limit, and whether it is the last. `user`: who pays, else the job's own. */
  ask: <T>(
    question: Question,
    read: (text: string, cut: boolean, last: boolean) => Reading<T>,
    user?: string,
  ) => Promise<Reply<T>>;
}

export type ResultOfKind<Kind> = Kind extends { kind: infer Name; output: z.ZodType<infer Output> }
  ? { kind: Name; id: JobId; /** `builtin`, or the model's name. */ by: string } & Output
  : never;

/** Infers the types of a kind from its parts. */
export function chatKind<J extends JobOf<string>, Output extends object, const Inputs extends PromptInputs>(
  kind: ChatKind<J, Output, Inputs>,
): ChatKind<J, Output, Inputs> {
  return kind;
}

export function endpointKind<J extends JobOf<string> & { model: string }, Output extends object>(
  kind: EndpointKind<J, Output>,
): EndpointKind<J, Output> {
  return kind;
}

/** A text with a brand, such as an id: any string passes. */
export function branded<T extends string>(): z.ZodType<T> {
  return z.custom<T>((value) => typeof value === "string");
}
