/** Copies of `history.json` and `inbox.json` that a rewrite had displaced, once something is forgotten. */
import { anyReplaced, letGoReplaced } from "../protocol/displaced.js";
import { parseListBytes } from "../protocol/read-list.js";
import { FILES } from "../protocol/workspace.js";
import type { ArchiveContext } from "./context.js";
import type { Readings } from "./readings.js";
import { takeIn } from "./intake.js";

/** Lets go what a killed memd had replaced, and what still holds what is forgotten. */
export async function clearReplaced(context: ArchiveContext, readings: Readings): Promise<void> {
  const { writer, workspace, ledger, clock } = context;
  if (ledger.forgotten.isEmpty) return;
  for (const name of ["history", "inbox"] as const) {
    const holds = async (bytes: Uint8Array): Promise<boolean> => {
      const reading = await parseListBytes(bytes);
      // Torn by a loss of power: nobody can say what it holds, and nobody saved it.
      if (reading.is !== "list") return true;
      const messages = reading.list.entries.flatMap(({ message }) =>
        message === undefined ? [] : [message],
      );
      return takeIn(ledger, messages, name, readings[name], clock.now()).forgotten.size > 0;
    };
    if (await anyReplaced(writer, workspace, FILES[name], holds))
      await letGoReplaced(writer, workspace, FILES[name]);
  }
}
