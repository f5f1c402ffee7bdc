/** `memd import` of what `memd export` made, or of another workspace. */
import pc from "picocolors";
import { isEmptyFor, type PutReport, putFiles } from "../export/restore.js";
import { MessagesAtRest } from "../export/messages.js";
import { openIncoming } from "../export/incoming.js";
import { unlistedIn } from "../export/unlisted.js";
import { tally } from "../model/collections.js";
import { MemdError } from "../model/errors.js";
import type { IncomingMessage } from "../model/message.js";
import { isoOf, zoneOf } from "../model/time.js";
import { nodeDisk, ownerless } from "../platform/node-disk.js";
import { join } from "../platform/files.js";
import { tempDir } from "../platform/process.js";
import { ownerSocket } from "../protocol/owner-note.js";
import { withTempFolder } from "../protocol/publish-folder.js";
import type { Workspace } from "../protocol/workspace.js";
import { becomeOwner, type Running } from "../daemon/own.js";
import { commandClock, openWorkspace, tell, typed, type CommonOptions } from "./context.js";
import { progress } from "./import-report.js";
import { counted } from "./words.js";

const BATCH_MESSAGES = 1000;

interface Outcome extends PutReport {
  /** Nothing stood here: it is the same workspace now. */
  restored: boolean;
  /** That stand in what was imported. */
  messages: number;
  fresh: number;
}

export async function importExport(path: string, options: CommonOptions): Promise<void> {
  const workspace = await openWorkspace(options);
  const outcome = await withTempFolder(ownerless, join(tempDir(), "memd-import"), async (temp) => {
    const incoming = await openIncoming(nodeDisk, path, temp);
    if (incoming.root === workspace.root)
      throw new MemdError("usage", `${typed(path)} is this workspace itself.`);
    const running = await becomeOwner(workspace, await ownerSocket(workspace), commandClock());
    if (running === undefined)
      throw new MemdError("busy", `memd runs in ${workspace.root}, and its files are to be put there.`);
    try {
      return await takeOver(running, workspace, incoming, options);
    } finally {
      await running.stop();
    }
  });
  tell(options, outcome, inWords);
}

async function takeOver(
  { memd }: Running,
  workspace: Workspace,
  incoming: Workspace,
  options: CommonOptions,
): Promise<Outcome> {
  const { settings, systemZone, disk } = memd.parts;
  const { writer } = memd.archive.context;
  const zone = zoneOf(settings.timezone ?? systemZone);
  const theirs = await MessagesAtRest.open(nodeDisk, incoming, zone);
  const unlisted = await unlistedIn(theirs);
  const isEmpty = await isEmptyFor(theirs, disk, workspace);
  const ours = await MessagesAtRest.open(disk, workspace, zone);
  const now = commandClock().now();
  // Nobody who asks meanwhile is answered before the files stand.
  const report = await memd.exclusive(() =>
    putFiles(writer, workspace, theirs, isEmpty ? undefined : ours, now),
  );
  progress(options, "the index is made …");
  await memd.start({ watch: false, work: false });
  const before = isEmpty ? ours.standing.size : memd.archive.context.ledger.size;
  if (!isEmpty)
    for await (const batch of batchesOf(messagesFor(theirs, unlisted, ours))) {
      await memd.importMessages(batch);
      progress(options, `${memd.archive.context.ledger.size - before} new messages …`);
    }
  await memd.settled();
  const fresh = memd.archive.context.ledger.size - before;
  return { restored: isEmpty, messages: theirs.standing.size + unlisted.length, fresh, ...report };
}

async function* batchesOf(messages: AsyncIterable<IncomingMessage>): AsyncGenerator<IncomingMessage[]> {
  let batch: IncomingMessage[] = [];
  for await (const message of messages) {
    batch.push(message);
    if (batch.length < BATCH_MESSAGES) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** What stands here already, word for word or not, is left to this workspace; the rest as memd takes it in. */
async function* messagesFor(
  theirs: MessagesAtRest,
  unlisted: readonly IncomingMessage[],
  ours: MessagesAtRest,
): AsyncGenerator<IncomingMessage> {
  for await (const filed of theirs.all()) {
    if (ours.hasSame(filed)) continue;
    const { message, filedAt, belongsTo } = filed;
    const isAnswer = message.role !== "user" && message.user === undefined && belongsTo !== undefined;
    const createdAt = message.createdAt === "" ? isoOf(filedAt) : message.createdAt;
    yield { ...message, createdAt, ...(isAnswer ? { user: belongsTo } : {}) };
  }
  yield* unlisted;
}

function inWords({ restored, messages, fresh, files, records, beside, left, settings }: Outcome): string[] {
  const what = [counted(files, "file"), ...(records > 0 ? [counted(records, "record")] : [])].join(" and ");
  const whys = tally(left.map(({ why }) => why));
  return [
    restored
      ? `Restored ${counted(messages, "message")} and ${what}: it is the same workspace.`
      : `Imported ${counted(fresh, "new message")} of ${messages}, ${what}.`,
    ...beside.map((path) => pc.yellow(`Kept in conflicts/, since something else stands here: ${path}`)),
    ...[...whys].map(([why, times]) => pc.dim(`Left out: ${counted(times, "file")}, ${why}.`)),
    ...(settings === undefined
      ? []
      : [`Its settings are not in force: read ${settings}, and rename it to memd.toml to accept them.`]),
  ];
}
