/** `memd say`: one durable file in inbox.d/, whether memd runs or not. */
import { MemdError } from "../model/errors.js";
import { spokenMessage } from "../library/checked.js";
import { nodeDisk } from "../platform/node-disk.js";
import { readStandardInput } from "../platform/process.js";
import { systemRandom } from "../platform/clock.js";
import { writeDrop } from "../protocol/read-list.js";
import { commandClock, openWorkspace, printJson, printLine } from "./context.js";
import type { SayFlags } from "./flags.js";

export async function say(given: string, flags: SayFlags): Promise<void> {
  const text = given === "-" ? new TextDecoder().decode(await readStandardInput()) : given;
  if (text.trim() === "") throw new MemdError("usage", "There is nothing to say.");
  const workspace = await openWorkspace(flags);
  const { user, speaker, scope, session } = flags;
  const now = commandClock().now();
  const writer = { disk: nodeDisk, random: systemRandom, guard: () => Promise.resolve() };
  const message = spokenMessage({ text, user, speaker, scope, session }, now);
  const id = await writeDrop(writer, workspace, message, now);
  if (flags.json === true) printJson({ id });
  else printLine(`Said; it waits in the inbox as ${id}.`);
}
