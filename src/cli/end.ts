/** `memd end`: what is kept of a turn, as one durable file in queue/pending/, whether memd runs or not. */
import { endedJob } from "../library/checked.js";
import { ownerless } from "../platform/node-disk.js";
import { writeJob } from "../protocol/queue.js";
import { commandClock, openWorkspace, tell, type CommonOptions } from "./context.js";

interface EndFlags extends CommonOptions {
  memo?: string;
  observe?: string[];
  force?: boolean;
  close?: boolean;
  user?: string;
  scope?: string;
  session?: string;
}

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
