/**
 * A set of questions about conversations, as the prompt is asked them: two
 * files of JSON lines, or `queries.jsonl` alone for questions about the sample.
 */
import fs from "node:fs/promises";
import path from "node:path";
import * as z from "zod";

const messageSchema = z.looseObject({
  conversation: z.string(),
  id: z.string(),
  text: z.string(),
  createdAt: z.string(),
});
const saidSchema = z.object({ role: z.enum(["user", "agent"]), text: z.string() });
const querySchema = z.looseObject({
  conversation: z.string().default(""),
  id: z.string(),
  text: z.string(),
  gold: z.array(z.string()).default([]),
  type: z.string().optional(),
  /** One of the messages answers by itself. */
  any: z.boolean().optional(),
  /** Of a message of the gold those that say it again, and would do in its place. */
  same: z.record(z.string(), z.array(z.string())).default({}),
  /** What was said just before it. */
  before: z.array(saidSchema).default([]),
  /** False for what asks nothing, true for what is as short and does. */
  asks: z.boolean().optional(),
});
export type EvidenceQuery = z.infer<typeof querySchema>;
export type SetMessage = z.infer<typeof messageSchema>;

export interface EvidenceSet {
  name: string;
  /** Absent where the sample is asked. */
  messagesFile?: string;
  messages: readonly SetMessage[];
  queries: readonly EvidenceQuery[];
}

export async function readEvidenceSet(folder: string): Promise<EvidenceSet> {
  const absolute = path.resolve(folder);
  const messagesFile = path.join(absolute, "messages.jsonl");
  const messages = await jsonLines(messagesFile);
  return {
    name: path.relative(path.dirname(path.dirname(absolute)), absolute).replaceAll(path.sep, "/"),
    ...(messages === undefined ? {} : { messagesFile }),
    messages: messageSchema.array().parse(messages ?? []),
    queries: querySchema.array().parse((await jsonLines(path.join(absolute, "queries.jsonl"))) ?? []),
  };
}

async function jsonLines(file: string): Promise<unknown[] | undefined> {
  const text = await fs.readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return text
    ?.split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as unknown);
}
