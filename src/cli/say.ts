/** `memd say`: one durable file in inbox.d/, whether memd runs or not. */
import { MemdError } from "../model/errors.js";
import { spokenMessage } from "../library/checked.js";
import { ownerless } from "../platform/node-disk.js";
import { writeDrop } from "../protocol/read-list.js";
import { commandClock, openWorkspace, tell, typedOrPiped, type CommonOptions } from "./context.js";

interface SayFlags extends CommonOptions {
  user?: string;
  speaker?: string;
  scope?: string;
  session?: string;
}

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
