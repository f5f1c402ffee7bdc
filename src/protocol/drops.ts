/** `inbox.d/`: one message per file, for many writers. The file's name is the message's id. */
import { isMemdError } from "../model/errors.js";
import type { IncomingMessage, Message, MessageId } from "../model/message.js";
import type { Disk } from "../platform/disk.js";
import { parseJson } from "../platform/json.js";
import { epochMs, isoOf, type EpochMs } from "../model/time.js";
import { parseMessage, printMessage, withId } from "./message.js";
import { publishNew, type FileWriter } from "./publish.js";
import { at, FILES, type Workspace } from "./workspace.js";

export type Drop =
  | { is: "message"; file: string; message: Message }
  | { is: "unreadable"; file: string; bytes: Uint8Array; reason: string };

/** Drops in the order of their names; unfinished ones (hidden, `.tmp`) are left alone. */
export async function readDrops(disk: Disk, workspace: Workspace): Promise<Drop[]> {
  const drops: Drop[] = [];
  for (const entry of await disk.list(at(workspace, FILES.drops))) {
    if (entry.kind !== "file" || entry.name.startsWith(".") || !entry.name.endsWith(".json")) continue;
    const file = `${FILES.drops}/${entry.name}`;
    try {
      const bytes = await disk.read(at(workspace, file));
      const stat = await disk.stat(at(workspace, file));
      if (bytes === undefined || stat === undefined) continue;
      drops.push(await readDrop(file, entry.name, bytes, epochMs(stat.mtimeMs)));
    } catch (error) {
      // Another user's file that only they may read: it stays, and the others' messages go on.
      if (!isMemdError(error, "disk_denied")) throw error;
      drops.push({ is: "unreadable", file, bytes: new Uint8Array(), reason: error.message });
    }
  }
  return drops;
}

/** Of this process: a clock that stands still, or is set back, must not turn the order of drops around. */
let lastNamed = epochMs(0);

/** Publishes a drop; its id. Time-ordered names, so that drops keep their order. */
export async function writeDrop(
  writer: FileWriter,
  workspace: Workspace,
  message: Omit<IncomingMessage, "id">,
  now: EpochMs,
): Promise<MessageId> {
  for (;;) {
    lastNamed = epochMs(Math.max(now, lastNamed + 1));
    const id = `${isoOf(lastNamed).replaceAll(/[:.]/g, "-")}-${writer.random.name(8)}`;
    const file = at(workspace, `${FILES.drops}/${id}.json`);
    if (await publishNew(writer, file, `${JSON.stringify(printMessage(message))}\n`)) return id as MessageId;
  }
}

async function readDrop(file: string, name: string, bytes: Uint8Array, writtenAt: EpochMs): Promise<Drop> {
  let reason = "it has no text";
  try {
    const message = parseMessage(await parseJson(bytes));
    if (message !== undefined) {
      const id = name.slice(0, -".json".length) as MessageId;
      const dated = message.createdAt === "" ? { ...message, createdAt: isoOf(writtenAt) } : message;
      return { is: "message", file, message: withId(dated, id) };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    reason = error.message;
  }
  return { is: "unreadable", file, bytes, reason };
}
