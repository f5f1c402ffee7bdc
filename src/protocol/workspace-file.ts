/** `workspace.json`: what makes a folder a workspace, with its format version. */
import { z } from "zod";
import { MemdError } from "../model/errors.js";
import type { Disk } from "../platform/disk.js";
import { readText } from "./publish.js";
import { at, FILES, FORMAT_VERSION, type Workspace } from "./workspace.js";

const shape = z.looseObject({ format: z.number().int().positive(), id: z.string() });

/** The workspace at a folder. Throws `no_workspace`, `workspace_newer` or `workspace_unreadable`. */
export async function openWorkspaceAt(disk: Disk, folder: string): Promise<Workspace> {
  const root = await disk.realPath(folder);
  if (root === undefined) throw new MemdError("no_workspace", `There is no folder ${folder}.`);
  const workspace: Workspace = { root };
  const text = await readText(disk, at(workspace, FILES.workspace)).catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw error;
    return "";
  });
  if (text === undefined) throw new MemdError("no_workspace", `${root} is not a memd workspace.`);
  const parsed = shape.safeParse(tryJson(text));
  if (!parsed.success)
    throw new MemdError("workspace_unreadable", `${root}/${FILES.workspace} cannot be read.`);
  if (parsed.data.format > FORMAT_VERSION) {
    const known = `this memd knows format ${FORMAT_VERSION}`;
    throw new MemdError("workspace_newer", `${root} has format ${parsed.data.format}; ${known}.`);
  }
  return workspace;
}

export function printWorkspaceFile(id: string): string {
  return `${JSON.stringify({ format: FORMAT_VERSION, id }, null, 2)}\n`;
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller says what is wrong with the file.
    return undefined;
  }
}
