/** A set of conversations and questions about them, as two files of JSON lines; or `queries.jsonl` alone for questions about the sample. */
import fs from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { sampleFiles } from "../../src/cli/sample.js";
import { epochMs } from "../../src/model/time.js";

const messageSchema = z.looseObject({
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
  /** One of the messages answers by itself. */
  any: z.boolean().optional(),
});
export type Query = z.infer<typeof querySchema>;

export interface QuestionSet {
  name: string;
  messages: readonly z.infer<typeof messageSchema>[];
  queries: readonly Query[];
}

export async function readSet(folder: string): Promise<QuestionSet> {
  const isOfSample = !(await fs.readdir(folder)).includes("messages.jsonl");
  const messages = isOfSample ? await ofSample() : await jsonLines(path.resolve(folder, "messages.jsonl"));
  return {
    name: nameOf(path.resolve(folder)),
    messages: messageSchema.array().parse(messages),
    queries: querySchema.array().parse(await jsonLines(path.resolve(folder, "queries.jsonl"))),
  };
}

/** Halves of one set are told apart. */
function nameOf(folder: string): string {
  const name = path.basename(folder);
  return ["look", "hold"].includes(name) ? `${path.basename(path.dirname(folder))}/${name}` : name;
}

/** `sample-007` is line 7 of the sample: `sample-7` in a set. */
async function ofSample(): Promise<unknown[]> {
  const files = await sampleFiles(epochMs(Date.now()));
  const history = JSON.parse(files["history.json"] ?? "[]") as { id: string }[];
  return history.map(({ id, ...message }) => ({
    ...message,
    id: id.replace(/^sample-0+/, "sample-"),
    conversation: "sample",
    session: "main",
  }));
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
