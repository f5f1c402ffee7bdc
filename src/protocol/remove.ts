/** A file goes for good. */
import { dirname } from "../platform/path.js";
import type { FileWriter } from "./publish.js";

/** Durable when it returns; false where nothing stood there. */
export async function removeFile({ disk, guard }: FileWriter, file: string): Promise<boolean> {
  await guard();
  const stood = await disk.unlink(file);
  if (stood) await disk.syncDir(dirname(file));
  return stood;
}
