/** `memd init`: makes a folder a workspace. What stands there stays as it is. */
import { MemdError } from "../model/errors.js";
import { nodeDisk } from "../platform/node-disk.js";
import { templateFolder } from "../platform/package-root.js";
import { join } from "../platform/path.js";
import { systemRandom } from "../platform/random.js";
import { publish, publishNew, type FileWriter } from "../protocol/publish.js";
import { printWorkspaceFile } from "../protocol/workspace-file.js";
import { FILES } from "../protocol/workspace.js";
import { commandClock, printJson, printLine, typed, workspaceFolder, type CommonOptions } from "./context.js";
import { sampleLists } from "./sample.js";

export async function init(
  named: string | undefined,
  options: CommonOptions & { sample?: boolean },
): Promise<void> {
  if (named !== undefined && options.workspace !== undefined)
    throw new MemdError("usage", "The folder is named twice: once is enough.");
  const folder = workspaceFolder(named === undefined ? options : { ...options, workspace: named });
  const made = await makeWorkspace(folder, options.sample === true);
  if (options.json === true) return printJson({ workspace: folder, files: made });
  printLine(`${folder} is a memd workspace now.`);
  for (const file of made) printLine(`  ${file}`);
  const here = typed(folder) === "." ? "" : ` -w ${quoted(typed(folder))}`;
  printLine(
    `Next: \`memd start${here}\`; write to inbox.json and history.json there, or try \`memd say hello${here}\`.`,
  );
}

/** For a shell. */
function quoted(path: string): string {
  return /^[\w./~-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

const systemFileWriter: FileWriter = { disk: nodeDisk, random: systemRandom, guard: () => Promise.resolve() };

/** The files that were made; throws `workspace_exists`. */
export async function makeWorkspace(
  folder: string,
  sample: boolean,
  writer: FileWriter = systemFileWriter,
): Promise<string[]> {
  const { disk, random } = writer;
  const standing = await disk.realPath(folder);
  if (standing !== undefined && (await disk.stat(standing))?.kind !== "dir")
    throw new MemdError("usage", `${folder} is a file; a workspace is a folder.`);
  if ((await disk.stat(join(folder, FILES.workspace))) !== undefined) {
    throw new MemdError("workspace_exists", `${folder} is a workspace already.`);
  }
  const made: string[] = [];
  const put = async (name: string, content: string | Uint8Array): Promise<void> => {
    if (await publishNew(writer, join(folder, name), content)) made.push(name);
  };
  if (sample) {
    const { history, inbox, memory } = await sampleLists(nodeDisk, commandClock().now());
    await put(FILES.history, history);
    await put(FILES.inbox, inbox);
    await put(FILES.memory, memory);
  }
  for (const entry of await nodeDisk.list(templateFolder())) {
    if (entry.kind !== "file") continue;
    const bytes = await nodeDisk.read(join(templateFolder(), entry.name));
    if (bytes !== undefined) await put(entry.name, bytes);
  }
  // Last: a folder that was cut off in the making is no workspace yet, and `init` finishes it.
  await publish(writer, join(folder, FILES.workspace), printWorkspaceFile(random.name(16)));
  return [...made, FILES.workspace];
}
