/**
 * `memd hook` by itself. An agent waits for it at every turn, so that it is built as one file of its own, with
 * nothing in it but what it does.
 */
import { HOOKED_AGENTS } from "../adapters/hooks/dialects.js";
import { arguments_, endOnClosedPipe } from "../platform/process.js";
import type { CommonOptions } from "./context.js";
import { hook } from "./hook.js";

/** False, with nothing done, where it was called in another way than agents call it: that is the whole program's to answer. */
export async function main(): Promise<boolean> {
  const [, , , agentName, ...rest] = arguments_();
  const agent = HOOKED_AGENTS.find((name) => name === agentName);
  const options = optionsIn(rest);
  if (agent === undefined || options === undefined) return false;
  endOnClosedPipe();
  await hook(agent, options);
  return true;
}

function optionsIn(given: readonly string[]): CommonOptions | undefined {
  const [flag, value, ...rest] = given;
  if (flag === undefined) return {};
  if ((flag !== "--workspace" && flag !== "-w") || value === undefined || value.startsWith("-"))
    return undefined;
  const others = optionsIn(rest);
  return others && { workspace: value, ...others };
}
