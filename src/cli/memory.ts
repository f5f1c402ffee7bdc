/** `memd memory`: what is pinned into every prompt, the bullets of memory.md. */
import pc from "picocolors";
import { MemdError } from "../model/errors.js";
import { tell, typedOrPiped, type CommonOptions } from "./context.js";
import { askMemd } from "./memd.js";

type MemoryOptions = CommonOptions & { as?: string };

export async function listMemory(options: MemoryOptions): Promise<void> {
  const { entries } = await askMemd(options, "listPinned", { as: options.as });
  tell(options, entries, () => {
    if (entries.length === 0) return "There are no entries; `memd memory add TEXT` makes one.";
    return entries.flatMap(({ heading = "", number, text }, place) => [
      ...(heading === entries[place - 1]?.heading || heading === "" ? [] : [pc.bold(heading)]),
      `${String(number).padStart(4)}  ${text.replaceAll("\n", `\n${" ".repeat(6)}`)}`,
    ]);
  });
}

export async function addMemory(given: string, options: MemoryOptions & { heading?: string }): Promise<void> {
  const text = await typedOrPiped(given);
  if (text.trim() === "") throw new MemdError("usage", "There is nothing to pin.");
  const { heading, as } = options;
  const { added, entry } = await askMemd(options, "addPinned", { text, heading, as });
  tell(options, { added, entry }, () =>
    added ? `Pinned${under(entry)} as ${entry.number}.` : `It is pinned already, as ${entry.number}.`,
  );
}

export async function updateMemory(given: string, said: string, options: MemoryOptions): Promise<void> {
  const text = await typedOrPiped(said);
  const { entry } = await askMemd(options, "updatePinned", {
    entry: entryNamed(given),
    text,
    as: options.as,
  });
  tell(options, { entry }, () => `Changed ${entry.number}${under(entry)}.`);
}

export async function removeMemory(given: string, options: MemoryOptions): Promise<void> {
  const { removed } = await askMemd(options, "removePinned", { entry: entryNamed(given), as: options.as });
  tell(options, { removed }, () => `Removed: ${removed.text}`);
}

/** Entries of memory.md stand under a heading. */
function under({ heading }: { heading?: string }): string {
  return heading === undefined ? "" : ` under "${heading}"`;
}

/** A whole number is one of the list; anything else is an id, or what the entry says. */
function entryNamed(given: string): string | number {
  return /^[1-9]\d{0,8}$/.test(given) ? Number(given) : given;
}
