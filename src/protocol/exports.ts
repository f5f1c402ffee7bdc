/**
 * `queue/exports.json`: where copies of the workspace went that memd made. What is forgotten here may
 * still stand in them. It is of this machine, and in no export itself.
 */
import * as z from "zod";
import { type EpochMs, isoOf } from "../model/time.js";
import type { Disk } from "../platform/disk.js";
import { type FileWriter, ifNoText, ifReadable, readText, rewriteText } from "./publish.js";
import { at, FILES, type Workspace } from "./workspace.js";

export interface KnownExport {
  /** Absolute, as it was then. */
  path: string;
  /** ISO 8601. */
  at: string;
}

const shape = z.object({ exports: z.array(z.object({ path: z.string().min(1), at: z.string() })) });

/** Older ones are told no more. */
const MOST_EXPORTS = 200;

/** Oldest first, each path once. */
export async function knownExports(disk: Disk, workspace: Workspace): Promise<KnownExport[]> {
  return parsed(await readText(disk, at(workspace, FILES.exports)).catch(ifNoText));
}

/** Durable when it returns; to be told before the export stands under its name. */
export async function noteExport(
  writer: FileWriter,
  workspace: Workspace,
  path: string,
  now: EpochMs,
): Promise<void> {
  await rewriteText(writer, at(workspace, FILES.exports), (text) => {
    const others = parsed(text).filter((known) => known.path !== path);
    const exports = [...others, { path, at: isoOf(now) }].slice(-MOST_EXPORTS);
    return `${JSON.stringify({ exports }, null, 2)}\n`;
  });
}

function parsed(text = ""): KnownExport[] {
  return shape.safeParse(ifReadable((): unknown => JSON.parse(text))).data?.exports ?? [];
}
