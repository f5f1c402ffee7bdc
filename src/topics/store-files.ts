/** What is done to the files of a store, each step whole or not done. Paths are relative. */
import type { FiledMessage, MessageId } from "../model/message.js";
import type { EpochMs, Zone } from "../model/time.js";
import type { Topic } from "../model/topic.js";
import { dirname } from "../platform/files.js";
import { setAside } from "../protocol/conflicts.js";
import { publish, textIn, type FileWriter } from "../protocol/publish.js";
import {
  parseTopicMessages,
  printTopicEvent,
  printTopicMessage,
  type TopicMessages,
} from "../protocol/topic-events.js";
import { at, type Workspace } from "../protocol/workspace.js";

export interface TopicStoreParts {
  writer: FileWriter;
  workspace: Workspace;
  zone: Zone;
}

/** A file of messages as it stands. */
export interface MessagesFile extends TopicMessages {
  path: string;
}

/** One that is nowhere is empty. */
export async function readMessages(
  { writer, workspace }: TopicStoreParts,
  path: string,
): Promise<MessagesFile> {
  const bytes = (await writer.disk.read(at(workspace, path))) ?? new Uint8Array();
  const { messages, hasOthers } = parseTopicMessages(new TextDecoder().decode(bytes));
  // Bytes that are no text stand in the copy that is made before any of it is written again.
  return { path, messages, hasOthers: hasOthers || textIn(bytes) === undefined };
}

/** The file with these messages alone; of lines that are no messages a copy is kept. */
export async function writeMessages(
  { writer, workspace }: TopicStoreParts,
  file: MessagesFile,
  kept: Map<MessageId, FiledMessage>,
): Promise<void> {
  const path = at(workspace, file.path);
  const bytes = file.hasOthers ? await writer.disk.read(path) : undefined;
  if (bytes !== undefined) await setAside(writer, workspace, file.path, bytes, "lines that are no messages");
  file.hasOthers = false;
  await publish(writer, path, [...kept.values()].map((each) => `${printTopicMessage(each)}\n`).join(""));
  file.messages = kept;
}

/** All that happened, told as what stands. */
export async function writeStanding(
  { writer, workspace }: TopicStoreParts,
  path: string,
  topics: readonly Topic[],
  reviewedAt: EpochMs | undefined,
): Promise<void> {
  const line = printTopicEvent({ at: latestOf(topics), is: "standing", topics, reviewedAt });
  await publish(writer, at(workspace, path), `${line}\n`);
}

/** Nobody knows what the disk has of it. */
export async function writeAnew({ writer, workspace }: TopicStoreParts, path: string): Promise<void> {
  const bytes = await writer.disk.read(at(workspace, path));
  if (bytes !== undefined) await publish(writer, at(workspace, path), bytes);
}

/**
 * It stands under its new name before the old one goes. Where both stand, that
 * was cut off in between; what another hand put there is kept, beside.
 */
export async function moveFile(parts: TopicStoreParts, from: string, to: string): Promise<void> {
  const { writer, workspace } = parts;
  const { disk } = writer;
  const [old, wanted] = [at(workspace, from), at(workspace, to)];
  const stat = await disk.stat(old);
  if (from === to || stat?.kind !== "file") return;
  await disk.makeDir(dirname(wanted));
  await writer.guard();
  const isFree = await disk.link(old, wanted);
  if (!isFree && (await disk.stat(wanted))?.ino !== stat.ino) await keepBeside(parts, from);
  await disk.syncDir(dirname(wanted));
  await disk.unlink(old);
  await disk.syncDir(dirname(old));
}

async function keepBeside({ writer, workspace }: TopicStoreParts, path: string): Promise<void> {
  const bytes = await writer.disk.read(at(workspace, path));
  if (bytes !== undefined) await setAside(writer, workspace, path, bytes, "a second copy");
}

/** No clock is asked: it is as late as what it tells of. */
export function latestOf(topics: readonly Topic[]): EpochMs {
  const times = topics.flatMap(({ since, filledAt }) => [since, filledAt]);
  return times.reduce((latest, each) => (each > latest ? each : latest), 0 as EpochMs);
}
