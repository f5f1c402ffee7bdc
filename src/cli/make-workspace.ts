/** A folder becomes a workspace. What stands there stays as it is; `.gitignore` alone is added to. */
import { MemdError } from "../model/errors.js";
import { takenIn } from "../adapters/folder.js";
import { join, linkFolder } from "../platform/files.js";
import { nodeDisk, ownerless } from "../platform/node-disk.js";
import { templateFolder } from "../platform/package-root.js";
import { withIgnored } from "../protocol/ignored.js";
import { type FileWriter, publish, publishNew, readText, rewriteText } from "../protocol/publish.js";
import { enclosed, printWorkspaceFile } from "../protocol/workspace-file.js";
import { FILES } from "../protocol/workspace.js";
import { commandClock } from "./context.js";
import { sampleFiles } from "./sample.js";

/** Packages drop a file of that name: in the template it has another. */
const TEMPLATE_IGNORED = "gitignore";

interface Making {
  /** Another program's memory, relative to the folder, that is to be searched where it lies. */
  theirs?: string | undefined;
  writer?: FileWriter;
}

/** Where in the workspace that memory is reached. */
const THEIRS = "theirs";
const SEARCHES_THEIRS = `
# The memory of the program next to this folder is searched where it lies.
documents = ["${THEIRS}/**/*.md"]

[files]
linked = ["${THEIRS}"]
`;

/** The files that were made or added to; throws `workspace_exists` and `folder_taken`. */
export async function makeWorkspace(
  folder: string,
  sample: boolean,
  { theirs, writer = ownerless }: Making = {},
): Promise<string[]> {
  const { disk, random } = writer;
  const standing = await disk.realPath(folder);
  if (standing !== undefined) await assertFree(writer, folder, standing);
  const made: string[] = [];
  const put = async (name: string, content: string | Uint8Array): Promise<void> => {
    if (await publishNew(writer, join(folder, name), content)) made.push(name);
  };
  if (sample)
    for (const [name, text] of Object.entries(await sampleFiles(commandClock().now()))) await put(name, text);
  for (const entry of await nodeDisk.list(templateFolder())) {
    if (entry.kind !== "file" || entry.name === TEMPLATE_IGNORED) continue;
    const bytes = await nodeDisk.read(join(templateFolder(), entry.name));
    const more = entry.name === FILES.settings && theirs !== undefined ? SEARCHES_THEIRS : "";
    if (bytes !== undefined) await put(entry.name, Buffer.concat([bytes, Buffer.from(more)]));
  }
  if (theirs !== undefined && (await linkFolder(join(folder, THEIRS), theirs))) made.push(THEIRS);
  if (await addIgnored(folder, writer)) made.push(FILES.ignored);
  // Last: a folder that was cut off in the making is no workspace yet, and `init` finishes it.
  await publish(writer, join(folder, FILES.workspace), printWorkspaceFile(random.name(16)));
  return [...made, FILES.workspace];
}

/** Whether `.gitignore` had to be made or added to. One that is no text is a person's to mend. */
export async function addIgnored(folder: string, writer: FileWriter = ownerless): Promise<boolean> {
  const wanted = (await readText(nodeDisk, join(templateFolder(), TEMPLATE_IGNORED))) ?? "";
  return rewriteText(writer, join(folder, FILES.ignored), (text, bytes) =>
    text === undefined && bytes !== undefined ? undefined : withIgnored(text, wanted),
  );
}

/** Before anything is made. */
async function assertFree(writer: FileWriter, folder: string, standing: string): Promise<void> {
  const { disk } = writer;
  if ((await disk.stat(standing))?.kind !== "dir")
    throw new MemdError("usage", `${folder} is a file; a workspace is a folder.`);
  if ((await disk.stat(join(folder, FILES.workspace))) !== undefined)
    throw new MemdError("workspace_exists", `${folder} is a workspace already.`);
  enclosed(disk, standing);
  const taken = await takenIn(disk, standing);
  if (taken !== undefined)
    throw new MemdError("folder_taken", `${folder} has ${taken}, which another program keeps.`);
}
