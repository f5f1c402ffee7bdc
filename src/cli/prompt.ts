/** `memd prompt`. */
import { MemdError } from "../model/errors.js";
import { terminal } from "../platform/process.js";
import type { Prompt } from "../context/inputs.js";
import { SECOND_MS } from "../model/time.js";
import { commandClock, printJson } from "./context.js";
import type { PromptFlags } from "./main.js";
import { withMemd, type Memd } from "./memd.js";

const PATIENCE_SECONDS = 30;
const LOOK_MS = 50;

export async function prompt(options: PromptFlags): Promise<void> {
  const current = await withMemd(options, false, (memd) =>
    covering(memd, options.wait, (options.patience ?? PATIENCE_SECONDS) * SECOND_MS),
  );
  if (options.json === true) printJson(current.data);
  else terminal.out(current.markdown);
}

async function covering(memd: Memd, id: string | undefined, patienceMs: number): Promise<Prompt> {
  const clock = commandClock();
  for (let waitedMs = 0; waitedMs <= patienceMs; waitedMs += LOOK_MS) {
    const current = await memd.ask<Prompt | null>("GET", "/prompt");
    if (current !== null && (id === undefined || (current.data.inboxIds as string[]).includes(id)))
      return current;
    await clock.sleep(LOOK_MS);
  }
  throw new MemdError(
    "timeout",
    `No prompt covers the inbox message ${id ?? ""} after ${patienceMs / SECOND_MS} s.`,
  );
}
