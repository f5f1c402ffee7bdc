/** `memd say`: one durable file in inbox.d/, whether memd runs or not. */
import { MemdError } from "../model/errors.js";
import { isoOf } from "../model/time.js";
import { nodeDisk } from "../platform/node-disk.js";
import { readStandardInput } from "../platform/process.js";
import { systemRandom } from "../platform/random.js";
import { writeDrop } from "../protocol/drops.js";
import { commandClock, openWorkspace, printJson, printLine } from "./context.js";
import type { SayFlags } from "./main.js";

export async function say(given: string, flags: SayFlags): Promise<void> {
  const text = given === "-" ? new TextDecoder().decode(await readStandardInput()) : given;
  if (text.trim() === "") throw new MemdError("usage", "There is nothing to say.");
  const workspace = await openWorkspace(flags);
  const clock = commandClock();
  const { user, speaker, scope, session } = flags;
  const named = Object.fromEntries(
    Object.entries({ user, speaker, scope, session }).filter(([, value]) => value !== undefined),
  );
  const press = { disk: nodeDisk, random: systemRandom, guard: () => Promise.resolve() };
  const message = { role: "user" as const, text, createdAt: isoOf(clock.now()), ...named };
  const id = await writeDrop(press, workspace, message, clock.now());
  if (flags.json === true) printJson({ id });
  else printLine(`Said; it waits in the inbox as ${id}.`);
}
