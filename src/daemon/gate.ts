/**
 * Who may come as far as a workspace's own door, over the port of a root: whoever brings a credential of that
 * workspace. Nobody else has it opened, or learns that it is there. Its door asks again.
 */
import type { Clock } from "../platform/clock.js";
import { nodeDisk } from "../platform/node-disk.js";
import { readText } from "../protocol/publish.js";
import { readTokens } from "../protocol/tokens.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import { askerOf, type Place, strangeness } from "../serve/guard.js";
import { Strangers } from "../serve/strangers.js";

export class Gate {
  readonly #strangers: Strangers;

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#strangers = new Strangers(() => clock.monotonicMs());
  }

  /** Undefined for who may pass. `workspace`: which is asked for, if there is such. */
  async refusal(
    request: Request,
    place: Place,
    workspace: Workspace | undefined,
  ): Promise<Response | undefined> {
    const caller = { ...Object.fromEntries(request.headers), method: request.method };
    const strange = strangeness(caller, place);
    if (strange !== undefined) return this.#strangers.refused(strange, 403);
    if (workspace === undefined || !(await isKnown(caller, place, workspace)))
      return this.#strangers.refused(
        "Nobody asks here without a token of the workspace that is named: /w/NAME/status.",
        401,
      );
    return undefined;
  }
}

async function isKnown(
  caller: Parameters<typeof askerOf>[0],
  place: Place,
  workspace: Workspace,
): Promise<boolean> {
  if (caller["authorization"] === undefined) return false;
  const ownerToken = (await readText(nodeDisk, at(workspace, FILES.token)).catch(() => undefined))?.trim();
  const tokens = await readTokens(nodeDisk, workspace).catch(() => []);
  return askerOf(caller, place, { ownerToken, tokens }) !== undefined;
}
