/** A copy of the workspace's own files, of one moment, for whoever takes them elsewhere. */
import { copyOwned } from "../export/copy.js";
import { MemdError } from "../model/errors.js";
import { isAbsolute, relative } from "../platform/files.js";
import { noteExport } from "../protocol/exports.js";
import { isOwnFolder } from "../protocol/workspace.js";
import type { Memd } from "./memd.js";
import type { AnswerOf, ParsedOf } from "./operations.js";

/** Durable is the note of it; the copy is by whoever publishes it. */
export async function exportFiles(
  memd: Memd,
  { folder, notedAs }: ParsedOf<"exportFiles">,
): Promise<AnswerOf<"exportFiles">> {
  const { writer, workspace, clock } = memd.archive.context;
  if (!isAbsolute(folder))
    throw new MemdError("value_invalid", `"folder" must be an absolute path, and ${folder} is none.`);
  const inside = relative(workspace.root, folder);
  if (inside === "" || isOwnFolder(inside))
    throw new MemdError("value_invalid", `${folder} is of the workspace itself.`);
  if ((await writer.disk.stat(folder)) !== undefined)
    throw new MemdError("value_invalid", `There is a ${folder} already.`);
  await memd.settled();
  return memd.exclusive(async () => {
    if (notedAs !== undefined) await noteExport(writer, workspace, notedAs, clock.now());
    return copyOwned(writer, workspace, folder);
  });
}
