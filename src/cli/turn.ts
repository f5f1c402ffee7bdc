/** `memd say` and `memd end`: one durable file each, in inbox.d/ and queue/pending/, whether memd runs or not. */
import { endedJob, spokenMessage } from "../service/given.js";
import type { EndInput, SayInput } from "../library/inputs.js";
import { MemdError } from "../model/errors.js";
import { ownerless } from "../platform/node-disk.js";
import { writeJob } from "../protocol/queue.js";
import { writeDrop } from "../protocol/read-list.js";
import { commandClock, openWorkspace, tell, typedOrPiped, type CommonOptions } from "./context.js";

type SayFlags = CommonOptions & Pick<SayInput, "user" | "speaker" | "scope" | "session">;

export async function say(given: string, flags: SayFlags): Promise<void> {
  const text = await typedOrPiped(given);
  if (text.trim() === "") throw new MemdError("usage", "There is nothing to say.");
  const workspace = await openWorkspace(flags);
  const { user, speaker, scope, session } = flags;
  const now = commandClock().now();
  const message = spokenMessage({ text, user, speaker, scope, session }, now);
  const id = await writeDrop(ownerless, workspace, message, now);
  tell(flags, { id }, () => `Said; it waits in the inbox as ${id}.`);
}

type EndFlags = CommonOptions & Omit<EndInput, "observations" | "createdAt"> & { observe?: string[] };

export async function end(flags: EndFlags): Promise<void> {
  const workspace = await openWorkspace(flags);
  const now = commandClock().now();
  const { memo, observe: observations, force, close, user, scope, session } = flags;
  const job = endedJob({ memo, observations, force, close, user, scope, session }, now);
  const id = job === undefined ? null : await writeJob(ownerless, workspace, job, now);
  tell(flags, { id }, () =>
    id === null ? "Nothing to keep, so nothing was written." : `Kept; it waits in the queue as ${id}.`,
  );
}
