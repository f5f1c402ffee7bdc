/** `workspace.json`: what makes a folder a workspace, with its format version. */
import { MemdError } from "../model/errors.js";
import type { Disk } from "../platform/disk.js";
import { join } from "../platform/files.js";
import { readText } from "./publish.js";
import { APART, at, FILES, FORMAT_VERSION, isOwnFolder, type Workspace } from "./workspace.js";

/** The workspace at a folder, or apart in it. Throws `no_workspace`, `workspace_newer` or `workspace_unreadable`. */
export async function openWorkspaceAt(disk: Disk, folder: string): Promise<Workspace> {
  const around = await disk.realPath(folder);
  if (around === undefined) throw new MemdError("no_workspace", `There is no folder ${folder}.`);
  const root = (await isApart(disk, around)) ? join(around, APART) : around;
  const workspace = enclosed(disk, root);
  const text = await readText(disk, at(workspace, FILES.workspace)).catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw error;
    return "";
  });
  if (text === undefined) throw new MemdError("no_workspace", `${root} is not a memd workspace.`);
  const format = formatIn(tryJson(text));
  if (format === undefined)
    throw new MemdError("workspace_unreadable", `${root}/${FILES.workspace} cannot be read.`);
  if (format > FORMAT_VERSION) {
    const known = `this memd knows format ${FORMAT_VERSION}`;
    throw new MemdError("workspace_newer", `${root} has format ${format}; ${known}.`);
  }
  return workspace;
}

async function isApart(disk: Disk, folder: string): Promise<boolean> {
  if ((await disk.stat(join(folder, FILES.workspace))) !== undefined) return false;
  if ((await disk.stat(join(folder, APART)))?.kind !== "dir") return false;
  return (await disk.stat(join(folder, APART, FILES.workspace))) !== undefined;
}

/** A folder that is a workspace, or becomes one: from now on nothing in it is reached through a link that its settings do not name. */
export function enclosed(disk: Disk, root: string): Workspace {
  const workspace: Workspace = { root };
  const linked = async (): Promise<readonly string[]> => {
    const text = await readText(disk, at(workspace, FILES.settings));
    // Brings the schemas, which those who meet no link do without.
    return text === undefined ? [] : (await import("./settings.js")).parseSettings(text).files.linked;
  };
  disk.enclose(root, { isOwn: isOwnFolder, linked });
  return workspace;
}

export function printWorkspaceFile(id: string): string {
  return `${JSON.stringify({ format: FORMAT_VERSION, id }, null, 2)}\n`;
}

/** Looked at by hand: loading the schema library would take the library's callers longer than all the rest. */
function formatIn(content: unknown): number | undefined {
  const { format, id } = (content ?? {}) as { format?: unknown; id?: unknown };
  const isFormat = typeof format === "number" && Number.isSafeInteger(format) && format > 0;
  return isFormat && typeof id === "string" ? format : undefined;
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller says what is wrong with the file.
    return undefined;
  }
}
