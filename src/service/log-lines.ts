/** The newest lines of `logs/memd.jsonl`. */
import type { Disk } from "../platform/disk.js";
import { readLines } from "../protocol/jsonl.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";

const NEWLINE = 0x0a;

/** Oldest first. What is no object is left out. */
export async function newestLines(
  disk: Disk,
  workspace: Workspace,
  most: number,
): Promise<Record<string, unknown>[]> {
  const bytes = Buffer.from((await disk.read(at(workspace, FILES.log))) ?? []);
  // No more of ten megabytes is parsed than is asked for.
  let from = bytes.at(-1) === NEWLINE ? bytes.length - 1 : bytes.length;
  for (let lines = 0; lines < most && from > 0; lines++) from = bytes.subarray(0, from).lastIndexOf(NEWLINE);
  return [...readLines(bytes.subarray(Math.max(0, from)))].flatMap(({ value }) =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? [{ ...value }] : [],
  );
}
