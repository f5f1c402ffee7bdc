/**
 * `.memd/embedding.json`: that the owner said yes to texts being sent to a server of this machine, to which one
 * and for which model. Without it, or for another server or model, no text is sent.
 */
import * as z from "zod";
import type { Disk } from "../platform/disk.js";
import { dirname } from "../platform/files.js";
import { type FileWriter, ifNoText, ifReadable, publish, readText, removeFile } from "./publish.js";
import { at, FILES, type Workspace } from "./workspace.js";

export const HOME_SERVERS = ["ollama", "lm-studio"] as const;

/** A model that a server of this machine offers. */
export interface HomeModel {
  server: (typeof HOME_SERVERS)[number];
  /** `http://127.0.0.1:11434` */
  url: string;
  model: string;
}

export interface Accepted extends HomeModel {
  /** ISO 8601. */
  acceptedAt: string;
}

const accepted = z.object({
  server: z.enum(HOME_SERVERS),
  url: z.string(),
  model: z.string(),
  acceptedAt: z.string(),
});

/** Undefined where nothing was accepted; a file that cannot be read accepts nothing. */
export async function readAccepted(disk: Disk, workspace: Workspace): Promise<Accepted | undefined> {
  const text = await readText(disk, at(workspace, FILES.embedding)).catch(ifNoText);
  const read: unknown = text === undefined ? undefined : ifReadable(() => JSON.parse(text) as unknown);
  return accepted.safeParse(read).data;
}

export async function writeAccepted(writer: FileWriter, workspace: Workspace, said: Accepted): Promise<void> {
  const file = at(workspace, FILES.embedding);
  await writer.disk.makeDir(dirname(file));
  await publish(writer, file, `${JSON.stringify(said, null, 2)}\n`);
}

/** False where nothing had been accepted. */
export function removeAccepted(writer: FileWriter, workspace: Workspace): Promise<boolean> {
  return removeFile(writer, at(workspace, FILES.embedding));
}
