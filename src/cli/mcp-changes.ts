/** What `memd mcp` hears of changes, from whichever memd runs. */
import { SECOND_MS } from "../model/time.js";
import { systemClock } from "../platform/clock.js";
import { follow } from "../platform/http.js";
import type { LogEvent } from "../platform/log.js";
import { ownerSocket } from "../protocol/owner-note.js";
import type { Workspace } from "../protocol/workspace.js";
import { type Changes, changesIn } from "../serve/mcp/changes.js";
import type { Ask } from "../serve/mcp/tool.js";

const FOLLOW_AGAIN_MS = 5 * SECOND_MS;

/** As long as this process lives; changes that whoever asks may not read are not heard. */
export async function followChanges(
  workspace: Workspace,
  ask: Ask,
  heard: (changes: Changes) => Promise<void>,
): Promise<never> {
  const told = async (event: LogEvent): Promise<void> => {
    const changes = await changesIn(event, ask);
    if (changes !== undefined) await heard(changes);
  };
  for (;;) {
    const socket = await ownerSocket(workspace);
    const stream = follow(socket, "/events", (data) => {
      void told(JSON.parse(data) as LogEvent).catch(() => undefined);
    });
    await stream.ended;
    await systemClock().sleep(FOLLOW_AGAIN_MS);
  }
}
