/** `memd end`: what is kept of a turn, as one durable file in queue/pending/, whether memd runs or not. */
import { endedJob } from "../library/checked.js";
import { nodeDisk } from "../platform/node-disk.js";
import { systemRandom } from "../platform/clock.js";
import { writeJob } from "../protocol/queue.js";
import { commandClock, openWorkspace, printJson, printLine } from "./context.js";
import type { EndFlags } from "./flags.js";

export async function end(flags: EndFlags): Promise<void> {
  const workspace = await openWorkspace(flags);
  const now = commandClock().now();
  const { memo, observe: observations, force, close, user, scope, session } = flags;
  const job = endedJob({ memo, observations, force, close, user, scope, session }, now);
  const writer = { disk: nodeDisk, random: systemRandom, guard: () => Promise.resolve() };
  const id = job && (await writeJob(writer, workspace, job, now));
  if (flags.json === true) printJson({ id: id ?? null });
  else
    printLine(
      id === undefined ? "Nothing to keep, so nothing was written." : `Kept; it waits in the queue as ${id}.`,
    );
}
