/** `memd prompt`. */
import { MemdError } from "../model/errors.js";
import { terminal } from "../platform/process.js";
import type { Prompt } from "../context/inputs.js";
import { commandClock, printJson, type CommonOptions } from "./context.js";
import { withMemd, type Memd } from "./memd.js";

const PATIENCE_MS = 30_000;
const LOOK_MS = 50;

export async function prompt(options: CommonOptions & { wait?: string }): Promise<void> {
  const current = await withMemd(options, false, (memd) => covering(memd, options.wait));
  if (options.json === true) printJson(current.data);
  else terminal.out(current.markdown);
}

async function covering(memd: Memd, id: string | undefined): Promise<Prompt> {
  const clock = commandClock();
  for (let waitedMs = 0; waitedMs <= PATIENCE_MS; waitedMs += LOOK_MS) {
    const current = await memd.ask<Prompt | null>("GET", "/prompt");
    if (current !== null && (id === undefined || (current.data.inboxIds as string[]).includes(id)))
      return current;
    await clock.sleep(LOOK_MS);
  }
  throw new MemdError(
    "timeout",
    `No prompt covers the inbox message ${id ?? ""} after ${PATIENCE_MS / 1000} s.`,
  );
}
