/** `memd memory`: what is pinned into every prompt, the bullets of memory.md. */
import pc from "picocolors";
import { MemdError } from "../model/errors.js";
import { readStandardInput } from "../platform/process.js";
import { printJson, printLine, type CommonOptions } from "./context.js";
import { askMemd } from "./memd.js";

export async function listMemory(options: CommonOptions): Promise<void> {
  const answer = await askMemd(options, "listPinned", {});
  if (options.json === true) return printJson(answer.entries);
  if (answer.entries.length === 0)
    return printLine("memory.md has no entries; `memd memory add TEXT` makes one.");
  let heading: string | undefined;
  for (const entry of answer.entries) {
    if (entry.heading !== heading && entry.heading !== "") printLine(pc.bold(entry.heading));
    heading = entry.heading;
    printLine(`${String(entry.number).padStart(4)}  ${entry.text.replaceAll("\n", `\n${" ".repeat(6)}`)}`);
  }
}

export async function addMemory(given: string, options: CommonOptions & { heading?: string }): Promise<void> {
  const text = given === "-" ? new TextDecoder().decode(await readStandardInput()) : given;
  if (text.trim() === "") throw new MemdError("usage", "There is nothing to pin.");
  const { added, entry } = await askMemd(options, "addPinned", { text, heading: options.heading });
  if (options.json === true) return printJson({ added, entry });
  printLine(
    added
      ? `Pinned under "${entry.heading}" as ${entry.number}.`
      : `It is pinned already, as ${entry.number}.`,
  );
}

export async function updateMemory(given: string, said: string, options: CommonOptions): Promise<void> {
  const text = said === "-" ? new TextDecoder().decode(await readStandardInput()) : said;
  const { entry } = await askMemd(options, "updatePinned", { entry: entryNamed(given), text });
  if (options.json === true) return printJson({ entry });
  printLine(`Changed ${entry.number} under "${entry.heading}".`);
}

/** A whole number is one of the list; anything else is an id, or what the entry says. */
function entryNamed(given: string): string | number {
  return /^[1-9]\d{0,8}$/.test(given) ? Number(given) : given;
}

export async function removeMemory(given: string, options: CommonOptions): Promise<void> {
  const entry = entryNamed(given);
  const { removed } = await askMemd(options, "removePinned", { entry });
  if (options.json === true) return printJson({ removed });
  printLine(`Removed from memory.md: ${removed.text}`);
}
