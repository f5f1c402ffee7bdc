/**
 * `queue/followed.json`: the transcripts of agents that are read as they grow, and how far each was
 * read. What is lost of it is read once more, and taken in once all the same.
 *
 * Pure.
 */
import * as z from "zod";
import { ifReadable } from "./publish.js";

export interface Followed {
  /** Whose it is, as `memd hook` names agents. */
  agent: string;
  /** Where its project's memory is, as the first hook said. */
  scope: string;
  /** Of the file that was read. */
  ino: number;
  size: number;
  /** Bytes up to the turn that was the last one then, and the lines before it. */
  offset: number;
  lines: number;
}

const count = z.number().int().nonnegative();
const entry = z.object({
  agent: z.string(),
  scope: z.string(),
  ino: count,
  size: count,
  offset: count,
  lines: count,
});
const shape = z.object({ version: z.literal(1), transcripts: z.record(z.string(), z.unknown()) });

/** By path. What cannot be read is left out. */
export function parseFollowed(text: string): Map<string, Followed> {
  const file = shape.safeParse(ifReadable(() => JSON.parse(text) as unknown));
  const found = new Map<string, Followed>();
  for (const [path, value] of Object.entries(file.data?.transcripts ?? {})) {
    const { data } = entry.safeParse(value);
    if (data !== undefined) found.set(path, data);
  }
  return found;
}

export function printFollowed(followed: ReadonlyMap<string, Followed>): string {
  return `${JSON.stringify({ version: 1, transcripts: Object.fromEntries(followed) }, null, 1)}\n`;
}
