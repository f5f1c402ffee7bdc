/** `memd export`: all that a person owns as a folder or an archive, its messages as chat lines, or a vault of notes. */
import { chatLine } from "../export/chat-lines.js";
import { type OwnedFiles, ownedFiles } from "../export/copy.js";
import { MessagesAtRest, type Wanted } from "../export/messages.js";
import { isArchiveName } from "../export/incoming.js";
import { writeVault } from "../export/vault.js";
import { defined } from "../model/collections.js";
import { MemdError } from "../model/errors.js";
import { boundOf, type Zone, zoneOf } from "../model/time.js";
import { nodeDisk, ownerless } from "../platform/node-disk.js";
import { basename, dirname, join, relative, resolve } from "../platform/files.js";
import { currentDir, tempDir, terminal } from "../platform/process.js";
import { type Packed, tarGzOf } from "../platform/tar.js";
import { publishNew } from "../protocol/publish.js";
import { publishFolder, sweepTempFolders, withTempFolder } from "../protocol/publish-folder.js";
import { readSettings } from "../protocol/settings.js";
import { isOwnFolder, type Workspace } from "../protocol/workspace.js";
import { shownInJson } from "../text/shown.js";
import { commandClock, openWorkspace, tell, type CommonOptions } from "./context.js";
import { dateFlag } from "./dates.js";
import { askMemd } from "./memd.js";
import { counted } from "./words.js";

type ExportFlags = CommonOptions & { messages?: boolean; vault?: boolean; since?: string; scope?: string };

const PIPE = "-";

export async function exportMemory(target: string, given: ExportFlags): Promise<void> {
  const since = await dateFlag(given, "since", given.since);
  const flags = { ...given, ...defined({ since }) };
  const { messages = false, vault = false } = flags;
  if (!messages && !vault && (flags.since !== undefined || flags.scope !== undefined))
    throw new MemdError(
      "usage",
      "A whole export has no --since and no --scope; --messages and --vault have.",
    );
  const workspace = await openWorkspace(flags);
  if (target === PIPE) {
    if (!messages)
      throw new MemdError("usage", "Only --messages goes to standard output: name a file or a folder.");
    return printMessages(flags, workspace);
  }
  const path = resolve(currentDir(), target);
  const isFile = messages || (!vault && isArchiveName(path));
  await assertFree(workspace, path, isFile);
  await sweepTempFolders(nodeDisk, path, commandClock().now());
  if (messages) return exportMessages(flags, workspace, path);
  if (vault) return exportVault(flags, workspace, path);
  await (isFile ? exportArchive : exportFolder)(flags, path);
}

async function assertFree({ root }: Workspace, path: string, isFile: boolean): Promise<void> {
  const above = await nodeDisk.realPath(dirname(path));
  if (above === undefined) throw new MemdError("input_missing", `There is no folder ${dirname(path)}.`);
  const inside = relative(root, join(above, basename(path)));
  if (inside === "" || isOwnFolder(inside))
    throw new MemdError("value_invalid", `${path} is of the workspace itself; choose a place outside.`);
  const stat = await nodeDisk.stat(path);
  if (stat === undefined) return;
  const isFree = !isFile && stat.kind === "dir" && (await nodeDisk.list(path, 1)).length === 0;
  if (!isFree)
    throw new MemdError(
      "value_invalid",
      `There is a ${path} already${isFile ? "" : ", and it is not empty"}.`,
    );
}

async function exportFolder(flags: ExportFlags, path: string): Promise<void> {
  const copied = await publishFolder(ownerless, path, (temp) =>
    askMemd(flags, "exportFiles", { folder: temp, notedAs: path }),
  );
  tellWhole(flags, path, copied);
}

async function exportArchive(flags: ExportFlags, path: string): Promise<void> {
  const copied = await withTempFolder(ownerless, path, async (temp) => {
    const made = await askMemd(flags, "exportFiles", { folder: temp, notedAs: path });
    const inside = basename(path).replace(/\.(?:tar\.gz|tgz)$/i, "");
    const content = tarGzOf(filesIn({ root: temp }, inside === "" ? "memd" : inside));
    if (!(await publishNew(ownerless, path, content)))
      throw new MemdError("value_invalid", `There is a ${path} already.`);
    return made;
  });
  tellWhole(flags, path, copied);
}

async function* filesIn(copy: Workspace, inside: string): AsyncGenerator<Packed> {
  const { files }: OwnedFiles = await ownedFiles(nodeDisk, copy);
  for (const { path, mtimeMs } of files) {
    const bytes = await nodeDisk.read(join(copy.root, path));
    if (bytes !== undefined) yield { path: `${inside}/${path}`, mtimeMs, bytes };
  }
}

interface Whole {
  files: number;
  bytes: number;
  left: string[];
}

function tellWhole(flags: ExportFlags, path: string, { files, bytes, left }: Whole): void {
  tell(flags, { path, files, bytes, left }, () => [
    `Exported ${counted(files, "file")}, ${(bytes / MB).toFixed(1)} MB, to ${path}.`,
    ...left.map((each) => `Left out: ${each} is a link, or no file.`),
    `\`memd import ${path}\` in another workspace makes the same of it.`,
  ]);
}

const MB = 1_000_000;

async function exportMessages(flags: ExportFlags, workspace: Workspace, path: string): Promise<void> {
  const messages = await withTempFolder(ownerless, path, async (temp) => {
    const { all, wanted } = await picture(flags, workspace, temp, path);
    let count = 0;
    const lines = async function* (): AsyncGenerator<Uint8Array> {
      for await (const filed of all.all(wanted)) {
        count++;
        yield Buffer.from(`${JSON.stringify(chatLine(filed))}\n`);
      }
    };
    if (!(await publishNew(ownerless, path, lines())))
      throw new MemdError("value_invalid", `There is a ${path} already.`);
    return count;
  });
  tell(flags, { path, messages }, () => `Exported ${counted(messages, "message")} to ${path}.`);
}

/** Nothing else is printed. */
async function printMessages(flags: ExportFlags, workspace: Workspace): Promise<void> {
  await withTempFolder(ownerless, join(tempDir(), "memd-export"), async (temp) => {
    const { all, wanted } = await picture(flags, workspace, temp);
    for await (const filed of all.all(wanted))
      terminal.out(`${shownInJson(JSON.stringify(chatLine(filed)))}\n`);
  });
}

async function exportVault(flags: ExportFlags, workspace: Workspace, path: string): Promise<void> {
  const counts = await withTempFolder(ownerless, path, async (copy) => {
    const { all, wanted, zone } = await picture(flags, workspace, copy, path);
    return publishFolder(ownerless, path, (temp) => writeVault(all, temp, zone, wanted));
  });
  tell(flags, { path, ...counts }, ({ days, people, topics }) => [
    `Wrote ${counted(days, "day")}, ${counted(people, "person", "people")} and ${counted(topics, "topic")} to ${path}.`,
    "Open it in Obsidian as a vault; it begins with Home.",
  ]);
}

interface Picture {
  all: MessagesAtRest;
  wanted: Wanted;
  zone: Zone;
}

/** A copy of the workspace's files, of one moment, in which nobody works. */
async function picture(
  flags: ExportFlags,
  workspace: Workspace,
  folder: string,
  notedAs?: string,
): Promise<Picture> {
  await askMemd(flags, "exportFiles", { folder, ...(notedAs !== undefined && { notedAs }) });
  const { timezone } = await readSettings(nodeDisk, workspace);
  const zone = zoneOf(timezone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone);
  const all = await MessagesAtRest.open(nodeDisk, { root: folder }, zone);
  for (const { path, reason } of all.unreadable) terminal.err(`memd: ${path} is left out: ${reason}.\n`);
  const { scope } = flags;
  if (scope !== undefined && ![...all.standing.values()].some((each) => each.scope === scope))
    throw new MemdError("value_invalid", `Nothing was said in a scope ${scope}.`);
  return {
    all,
    wanted: { scope, since: flags.since === undefined ? undefined : boundOf(flags.since) },
    zone,
  };
}
