/** A set of conversations and questions about them, as two files of JSON lines. */
import fs from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

const messageSchema = z.object({
  conversation: z.string(),
  id: z.string(),
  session: z.string(),
  createdAt: z.string(),
});
const querySchema = z.object({
  conversation: z.string(),
  id: z.string(),
  text: z.string(),
  gold: z.array(z.string()),
  type: z.string().optional(),
});
export type Query = z.infer<typeof querySchema>;

export interface QuestionSet {
  name: string;
  messagesFile: string;
  messages: readonly z.infer<typeof messageSchema>[];
  queries: readonly Query[];
}

export async function readSet(folder: string): Promise<QuestionSet> {
  const messagesFile = path.resolve(folder, "messages.jsonl");
  return {
    name: path.basename(path.resolve(folder)),
    messagesFile,
    messages: messageSchema.array().parse(await jsonLines(messagesFile)),
    queries: querySchema.array().parse(await jsonLines(path.resolve(folder, "queries.jsonl"))),
  };
}

/** `--data DIR`, or every set below `MEMD_BENCH_DATA`. */
export async function setFolders(data: string | undefined): Promise<string[]> {
  const base = process.env["MEMD_BENCH_DATA"];
  if (data !== undefined) {
    const inside = await fs.readdir(data, { withFileTypes: true });
    const sets = inside.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(data, name));
    return inside.some(({ name }) => name === "queries.jsonl") ? [data] : sets.sort();
  }
  if (base === undefined)
    throw new Error("name a folder of messages.jsonl and queries.jsonl with --data DIR");
  const inside = await fs.readdir(base, { withFileTypes: true });
  return inside
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => path.join(base, name))
    .sort();
}

async function jsonLines(file: string): Promise<unknown[]> {
  return (await fs.readFile(file, "utf8"))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as unknown);
}
