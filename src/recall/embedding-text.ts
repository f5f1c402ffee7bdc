/** What of a passage is turned into a vector, and whether a model reads it at all. Pure. */
import type { Passage } from "../model/passage.js";

/** Most models read no more, and say less of a long text than of a short one. */
const LONGEST_CHARS = 2_000;

export function embeddingText({ speaker, text }: Pick<Passage, "speaker" | "text">): string {
  const said = speaker === undefined ? text : `${speaker}: ${text}`;
  return said.slice(0, LONGEST_CHARS).toWellFormed();
}

export const LOOKS_HAN = /\p{Script=Han}/u;

/** Three sentences that have nothing to do with one another. */
export const HAN_PROBE = ["我下个月搬去里斯本工作。", "这只猫对花生过敏。", "数据库昨晚又超时了。"] as const;

/**
 * Questions about anything: what their vectors have in common is that they ask,
 * which tells nothing about where the answer stands.
 */
export const COMMON_QUESTIONS = [
  "What did she do last weekend?",
  "When did he go to the doctor?",
  "Where do they live?",
  "Who gave you the book?",
  "How many children do they have?",
  "Why did she leave her job?",
  "What is his favourite food?",
  "Which city did we visit?",
  "What did you recommend about the project?",
  "How long has she been working there?",
  "Did he finish the report?",
  "What are their plans for the summer?",
  "How does she feel about it?",
  "What kind of music does he like?",
  "What was the reason for the delay?",
  "When is the meeting?",
] as const;

export function centreOf(vectors: readonly (readonly number[])[]): number[] {
  const [first = []] = vectors;
  return first.map(
    (_, index) => vectors.reduce((sum, vector) => sum + (vector[index] ?? 0), 0) / vectors.length,
  );
}

const ALIKE = 0.95;

/** A model that does not know Chinese gives all Chinese sentences nearly the same vector. */
export function readsHan(probe: readonly (readonly number[])[]): boolean {
  const pairs = probe.flatMap((one, index) => probe.slice(index + 1).map((other) => cosine(one, other)));
  return pairs.some((likeness) => likeness < ALIKE);
}

function cosine(one: readonly number[], other: readonly number[]): number {
  let product = 0;
  let square = 0;
  let otherSquare = 0;
  for (const [index, value] of one.entries()) {
    const there = other[index] ?? 0;
    product += value * there;
    square += value * value;
    otherSquare += there * there;
  }
  return product / Math.sqrt(square * otherSquare || 1);
}
