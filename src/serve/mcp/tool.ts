/**
 * A tool of an agent: a row beside the table of operations that says in which words an agent asks for one, when it
 * should, and how the answer is told. Who asks is known before: no argument of a tool names a workspace, or on whose
 * behalf something is read.
 */
import type * as z from "zod";
import type { AnswerOf, OperationName, SentTo } from "../../service/operations.js";
import type { Access } from "../../service/operations/operation.js";

/** Asks an operation on behalf of whoever the connection is bound to. */
export type Ask = <N extends OperationName>(name: N, asked: Omit<SentTo<N>, "as">) => Promise<AnswerOf<N>>;

/** What a call does to what is remembered. */
export type Effect = "reads" | "adds" | "changes" | "removes";

/** What an answer may take, in tokens: what it says as text, and again as data. */
export interface Room {
  answer: number;
  /** Of the prompt, which is asked for to be read whole. */
  prompt: number;
}

export interface Told {
  text: string;
  /** The same for programs, in the shape of `output`. */
  data?: Record<string, unknown>;
}

export interface Tool<I extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  /** When to use it, and what it gives. */
  description: string;
  /** Which operations it asks. */
  asks: readonly OperationName[];
  access: Access;
  effect: Effect;
  /** Of the set that agents are shown unless the settings say `all`. */
  isBasic: boolean;
  input: I;
  output?: z.ZodObject;
  run(ask: Ask, asked: z.output<I>, room: Room): Promise<Told>;
  /** What a person is asked before it is done. Throws what the call would. */
  confirm?(ask: Ask, asked: z.output<I>): Promise<{ key: string; question: string }>;
}

/** Its types are known where it is written; a list of tools is one of all kinds. */
export function tool<I extends z.ZodObject>(row: Tool<I>): Tool {
  return row;
}
