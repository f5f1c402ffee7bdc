/**
 * Connecting an agent: each file of its settings with memd's entries or without them, seen first and then
 * written. What memd makes beside its entries is noted in the workspace before it stands in the file.
 */
import { isMemdError } from "../model/errors.js";
import type { Disk } from "../platform/disk.js";
import { type Made, noteConnection, readConnections } from "../protocol/connections.js";
import type { FileWriter } from "../protocol/publish.js";
import { openWorkspaceAt } from "../protocol/workspace-file.js";
import type { Workspace } from "../protocol/workspace.js";
import type { Found, Host, HostFile } from "./host.js";
import type { Call } from "./own-calls.js";
import { ofFile, readSettingsText, rewriteSettings } from "./settings-file.js";

/** What a file holds and would hold; undefined where it is not there. */
export interface Change {
  path: string;
  before: string | undefined;
  after: string | undefined;
}

/** Of the files that would change. Throws `host_settings` for one that cannot be, before any is touched. */
export async function plannedConnection(disk: Disk, { files }: Host, call: Call): Promise<Change[]> {
  return planned(disk, files, async (file, before) =>
    ofFile(file.path, () => file.connected(before, call).text),
  );
}

export async function plannedDisconnection(disk: Disk, { files }: Host): Promise<Change[]> {
  return planned(disk, files, async (file, before) => {
    if (before === undefined) return undefined;
    const { made } = await notedOf(disk, file, before);
    return ofFile(file.path, () => file.disconnected(before, made));
  });
}

async function planned(
  disk: Disk,
  files: readonly HostFile[],
  next: (file: HostFile, before: string | undefined) => Promise<string | undefined>,
): Promise<Change[]> {
  const changes: Change[] = [];
  for (const file of files) {
    const before = await readSettingsText(disk, file.path);
    const after = await next(file, before);
    if (after !== before) changes.push({ path: file.path, before, after });
  }
  return changes;
}

/** What became of each file, by its path. */
export type Outcomes = { path: string; outcome: Awaited<ReturnType<typeof rewriteSettings>> }[];

export async function connectHost(
  writer: FileWriter,
  { files }: Host,
  call: Call,
  workspace: Workspace,
): Promise<Outcomes> {
  const outcomes: Outcomes = [];
  for (const file of files) {
    const outcome = await rewriteSettings(writer, file.path, async (before) => {
      const { text, made } = ofFile(file.path, () => file.connected(before, call));
      if (text === before) return text;
      const noted = await notedOf(writer.disk, file, before ?? "");
      if (!noted.isConnected) await noteConnection(writer, workspace, file.path, made);
      else if (noted.made !== undefined)
        await noteConnection(writer, workspace, file.path, together(noted.made, made));
      return text;
    });
    outcomes.push({ path: file.path, outcome });
  }
  return outcomes;
}

export async function disconnectHost(writer: FileWriter, { files }: Host): Promise<Outcomes> {
  const outcomes: Outcomes = [];
  for (const file of files) {
    let workspaces: readonly Workspace[] = [];
    const outcome = await rewriteSettings(writer, file.path, async (before) => {
      if (before === undefined) return undefined;
      const noted = await notedOf(writer.disk, file, before);
      workspaces = noted.workspaces;
      return ofFile(file.path, () => file.disconnected(before, noted.made));
    });
    for (const workspace of workspaces)
      await noteConnection(writer, workspace, file.path, undefined).catch(ifUnwritable);
    outcomes.push({ path: file.path, outcome });
  }
  return outcomes;
}

/** What is wrong with it is said with the file's name. Throws `host_settings` where it cannot be read. */
export function foundIn(file: HostFile, text: string): Found {
  return ofFile(file.path, () => file.found(text));
}

interface Noted {
  isConnected: boolean;
  made: Made | undefined;
  workspaces: readonly Workspace[];
}

/** As the workspaces know it that the file's own entries name. */
async function notedOf(disk: Disk, file: HostFile, text: string): Promise<Noted> {
  const { calls } = foundIn(file, text);
  const named = new Set(calls.flatMap(({ workspace }) => workspace ?? []));
  const workspaces: Workspace[] = [];
  let made: Made | undefined;
  for (const folder of named) {
    const workspace = await openWorkspaceAt(disk, folder).catch(ifNoWorkspace);
    if (workspace === undefined) continue;
    workspaces.push(workspace);
    const noted = (await readConnections({ disk }, workspace)).get(file.path);
    if (noted !== undefined) made = made === undefined ? noted : together(made, noted);
  }
  return { isConnected: calls.length > 0, made, workspaces };
}

/** Of what both replaced, the later one is what its owner put there. */
function together(a: Made, b: Made): Made {
  const containers = [...new Set([...a.containers, ...b.containers])];
  const replaced = { ...a.replaced, ...b.replaced };
  const note = Object.keys(replaced).length === 0 ? {} : { replaced };
  return { file: a.file || b.file, containers, ...note };
}

const NO_WORKSPACE: ReadonlySet<string> = new Set([
  "no_workspace",
  "workspace_newer",
  "workspace_unreadable",
]);

/** The note is lost with its workspace; then what is empty goes. */
function ifNoWorkspace(error: unknown): undefined {
  if (!isMemdError(error) || !NO_WORKSPACE.has(error.code)) throw error;
}

/** A note that stays is put right by the next connection. */
function ifUnwritable(error: unknown): void {
  if (!isMemdError(error, "disk_denied") && !isMemdError(error, "disk_full")) throw error;
}
