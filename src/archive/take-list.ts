/**
 * Reading history.json and inbox.json, which hosts write. A file that stays
 * unreadable is copied to `conflicts/`, its whole messages go to the journal, and
 * work goes on without it.
 */
import { pacer } from "../platform/clock.js";
import { setAside } from "../protocol/conflicts.js";
import { letGoReplaced } from "../protocol/displaced.js";
import { salvage, type MessageList } from "../protocol/message-list.js";
import { parseMessage } from "../protocol/message.js";
import { readList } from "../protocol/read-list.js";
import { at, FILES } from "../protocol/workspace.js";
import type { ArchiveContext } from "./context.js";
import { versionHash } from "./identity.js";
import { journalMessages } from "./journal-messages.js";
import { dropForgotten, type ListName } from "./list-file.js";
import { alignedState, EMPTY_STATE, type ListState } from "./list-state.js";
import type { Readings } from "./readings.js";
import { stampOf } from "../platform/stamp.js";

/** Reads one of the two lists, unless it stands as before, and journals what is new in it. */
export async function takeList(
  context: ArchiveContext,
  name: ListName,
  before: ListState,
  readings: Readings,
): Promise<ListState> {
  const { writer, workspace, clock } = context;
  const path = FILES[name];
  const stamp = stampOf(await writer.disk.stat(at(workspace, path)));
  if (before.stamp === stamp) return before;
  const reading = await readList(writer.disk, clock, at(workspace, path));
  switch (reading.is) {
    case "absent":
      return { ...EMPTY_STATE, stamp };
    case "unreadable":
      await saveUnreadable(context, path, reading.bytes, reading.reason, before.unreadable);
      return { ...before, stamp, unreadable: reading.reason };
    case "list": {
      const { list, bytes } = reading;
      if (saysTheSame(before, bytes)) return readAgain(before, stamp);
      await hashAll(context, list);
      const state = await alignedState(context, name, { list, bytes, stamp }, readings);
      return withoutForgotten(context, name, state, readings);
    }
    default:
      return reading satisfies never;
  }
}

/** Byte for byte what was taken in, with nothing in it that has to go. */
function saysTheSame({ known, holdsForgotten }: ListState, bytes: Uint8Array): boolean {
  return known !== undefined && holdsForgotten !== true && Buffer.compare(known.bytes, bytes) === 0;
}

function readAgain({ unreadable: _unreadable, ...before }: ListState, stamp: string): ListState {
  return { ...before, stamp };
}

/** What was told to be forgotten does not stay where its host wrote it again. */
async function withoutForgotten(
  context: ArchiveContext,
  name: ListName,
  state: ListState,
  readings: Readings,
): Promise<ListState> {
  if (state.holdsForgotten === undefined || state.known === undefined) return state;
  const { writer, workspace } = context;
  const rewritten = await dropForgotten(context, name, state.known, readings[name]);
  await letGoReplaced(writer, workspace, FILES[name]);
  return rewritten === undefined ? state : alignedState(context, name, rewritten.written, readings);
}

/** Hashing megabytes of text takes its time: it is done in small steps, and remembered. */
async function hashAll({ clock }: ArchiveContext, list: MessageList): Promise<void> {
  const pace = pacer(clock);
  for (const { message } of list.entries) {
    if (message !== undefined) versionHash(message);
    await pace();
  }
}

async function saveUnreadable(
  context: ArchiveContext,
  path: string,
  bytes: Uint8Array,
  reason: string,
  knownReason: string | undefined,
): Promise<void> {
  const { writer, workspace, log } = context;
  const copied = bytes.byteLength > 0 && (await setAside(writer, workspace, path, bytes, "unreadable"));
  if (!copied && knownReason !== undefined) return;
  log.write({ level: "error", event: "file_unreadable", file: path, reason });
  const whole = salvage(new TextDecoder().decode(bytes)).filter(hasRole).map(parseMessage);
  await journalMessages(
    context,
    whole.filter((message) => message !== undefined),
    "salvage",
  );
}

/** A fragment of a message may have a text; only a whole one says who spoke. */
function hasRole(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && typeof (value as { role?: unknown }).role === "string"
  );
}
