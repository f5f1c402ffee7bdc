/**
 * `memd/trusted.json` among this user's settings, outside every workspace: whose settings of those that reach out of
 * a workspace count below a root, by the hash of them as they were when the owner said so.
 */
import * as z from "zod";
import { dirname, join } from "../platform/files.js";
import { nodeDisk, ownerless } from "../platform/node-disk.js";
import { environment, homeDir } from "../platform/process.js";
import { ifReadable, publish, readText } from "./publish.js";

const shape = z.record(z.string(), z.string());

/** Undefined where nothing of the workspace was trusted. */
export async function readTrusted(root: string): Promise<string | undefined> {
  return (await standing())[root];
}

/** Undefined: not any more. */
export async function saveTrusted(root: string, hash: string | undefined): Promise<void> {
  const { [root]: _before, ...others } = await standing();
  const now = hash === undefined ? others : { ...others, [root]: hash };
  const file = trustFile();
  await nodeDisk.makeDir(dirname(file));
  await publish(ownerless, file, `${JSON.stringify(now, null, 2)}\n`);
}

async function standing(): Promise<Record<string, string>> {
  const text = (await readText(nodeDisk, trustFile()).catch(() => undefined)) ?? "";
  const found = shape.safeParse(ifReadable((): unknown => JSON.parse(text)));
  return found.success ? found.data : {};
}

function trustFile(): string {
  const { XDG_CONFIG_HOME: named = "" } = environment();
  // A relative one would mean another place in every folder.
  const base = named.startsWith("/") ? named : join(homeDir(), ".config");
  return join(base, "memd", "trusted.json");
}
