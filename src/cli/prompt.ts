/** `memd prompt`. */
import { MemdError } from "../model/errors.js";
import { terminal } from "../platform/process.js";
import type { AnswerOf } from "../service/operations.js";
import { SECOND_MS } from "../model/time.js";
import { commandClock, printJson, printLine } from "./context.js";
import type { PromptFlags } from "./flags.js";
import type { Memd } from "../library/running.js";
import { withMemd } from "./memd.js";
import { explained } from "./prompt-text.js";

const PATIENCE_SECONDS = 30;
const LOOK_MS = 50;

export async function prompt(options: PromptFlags): Promise<void> {
  const current = await withMemd(options, false, (memd) => covering(memd, options));
  if (options.json === true) return printJson(current.data);
  if (options.explain === true) return printLine(explained(current.data));
  terminal.out(current.markdown);
}

/** The prompt that covers the message, or any where none is named. Throws `timeout`. */
export async function covering(memd: Memd, options: PromptFlags): Promise<NonNullable<AnswerOf<"prompt">>> {
  const { wait: id, patience = PATIENCE_SECONDS } = options;
  const clock = commandClock();
  for (let waitedMs = 0; waitedMs <= patience * SECOND_MS; waitedMs += LOOK_MS) {
    const current = await memd.ask("prompt", { for: options.for });
    if (current !== null && (id === undefined || current.data.inboxIds.some((one) => one === id)))
      return current;
    await clock.sleep(LOOK_MS);
  }
  throw new MemdError("timeout", `No prompt covers the inbox message ${id ?? ""} after ${patience} s.`);
}
