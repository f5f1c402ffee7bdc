/**
 * Who may come as far as a workspace's own door, over the port of a root: whoever brings a credential of that
 * workspace. Nobody else has it opened, or learns that it is there. Its door asks again.
 */
import { MemdError } from "../model/errors.js";
import type { Clock } from "../platform/clock.js";
import { nodeDisk } from "../platform/node-disk.js";
import { readText } from "../protocol/publish.js";
import { readTokens } from "../protocol/tokens.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import { Allowance, LIMITS } from "../serve/allowance.js";
import { askerOf, type Place, strangeness } from "../serve/guard.js";
import { problem } from "../serve/problem.js";

export class Gate {
  /** Of all who bring nothing that counts. */
  readonly #strangers = new Allowance(LIMITS.stranger);

  constructor(readonly clock: Pick<Clock, "monotonicMs">) {}

  /** Undefined for who may pass. `workspace`: which is asked for, if there is such. */
  async refusal(
    request: Request,
    place: Place,
    workspace: Workspace | undefined,
  ): Promise<Response | undefined> {
    const caller = { ...Object.fromEntries(request.headers), method: request.method };
    const strange = strangeness(caller, place);
    if (strange !== undefined) return this.#refused(strange, 403);
    if (workspace === undefined || !(await isKnown(caller, place, workspace)))
      return this.#refused(
        "Nobody asks here without a token of the workspace that is named: /w/NAME/status.",
        401,
      );
    return undefined;
  }

  #refused(why: string, status: 401 | 403): Response {
    const waitS = this.#strangers.enter(this.clock.monotonicMs());
    if (waitS !== undefined) {
      const late = new MemdError("rate_limited", `Too many requests: the next one may come in ${waitS} s.`);
      return problem(late, 429, { "retry-after": String(waitS) });
    }
    this.#strangers.leave();
    return problem(
      new MemdError("refused", why),
      status,
      status === 401 ? { "www-authenticate": "Bearer" } : {},
    );
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
