/** `memd memory`: what is pinned into every prompt, the bullets of memory.md. */
import pc from "picocolors";
import { MemdError } from "../model/errors.js";
import { tell, typedOrPiped, type CommonOptions } from "./context.js";
import { askMemd } from "./memd.js";

export async function listMemory(options: CommonOptions): Promise<void> {
  const { entries } = await askMemd(options, "listPinned", {});
  tell(options, entries, () => {
    if (entries.length === 0) return "memory.md has no entries; `memd memory add TEXT` makes one.";
    return entries.flatMap(({ heading, number, text }, place) => [
      ...(heading === entries[place - 1]?.heading || heading === "" ? [] : [pc.bold(heading)]),
      `${String(number).padStart(4)}  ${text.replaceAll("\n", `\n${" ".repeat(6)}`)}`,
    ]);
  });
}

export async function addMemory(given: string, options: CommonOptions & { heading?: string }): Promise<void> {
  const text = await typedOrPiped(given);
  if (text.trim() === "") throw new MemdError("usage", "There is nothing to pin.");
  const { added, entry } = await askMemd(options, "addPinned", { text, heading: options.heading });
  tell(options, { added, entry }, () =>
    added
      ? `Pinned under "${entry.heading}" as ${entry.number}.`
      : `It is pinned already, as ${entry.number}.`,
  );
}

export async function updateMemory(given: string, said: string, options: CommonOptions): Promise<void> {
  const text = await typedOrPiped(said);
  const { entry } = await askMemd(options, "updatePinned", { entry: entryNamed(given), text });
  tell(options, { entry }, () => `Changed ${entry.number} under "${entry.heading}".`);
}

export async function removeMemory(given: string, options: CommonOptions): Promise<void> {
  const { removed } = await askMemd(options, "removePinned", { entry: entryNamed(given) });
  tell(options, { removed }, () => `Removed from memory.md: ${removed.text}`);
}

/** A whole number is one of the list; anything else is an id, or what the entry says. */
function entryNamed(given: string): string | number {
  return /^[1-9]\d{0,8}$/.test(given) ? Number(given) : given;
}
