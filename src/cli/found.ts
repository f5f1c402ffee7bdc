/** What a folder held before it became a workspace, in words: what it is, and what memd does with it. Pure. */
import type { Held } from "../adapters/folder.js";
import { shellQuoted } from "../text/shell.js";
import { counted } from "./words.js";

/** A thing that was found, and what becomes of it. */
export interface Found extends Held {
  /** One sentence. */
  what: string;
  /** What memd does with it, or is told to do by whom. */
  then: string;
}

/** `here`: the folder as options of a command name it, with a blank before. */
export function foundOf(held: readonly Held[], here: string): Found[] {
  const isVault = held.some(({ is }) => is === "obsidian");
  return held.map((each) => ({ ...each, ...saidOf(each, isVault, here) }));
}

function saidOf(held: Held, isVault: boolean, here: string): Pick<Found, "what" | "then"> {
  const { is, files, count, kinds = [] } = held;
  const names = `${files.join(", ")}${count > files.length ? `, and ${count - files.length} more` : ""}`;
  switch (is) {
    case "openclaw":
      return {
        what: `an OpenClaw workspace: ${names}`,
        then: "SOUL.md is shown in the prompt as it stands; memory.md is memd's own, MEMORY.md is left alone.",
      };
    case "obsidian":
      return {
        what: "an Obsidian vault",
        then: "its notes stay as they are; memd keeps its own in memory/, which shows in the vault.",
      };
    case "code":
      return {
        what: `a code repository: ${names}`,
        then: "memd's files lie beside the code, and .gitignore keeps out what is not for a repository; `memd init memd` makes a folder of their own instead.",
      };
    case "notes":
      return {
        what: `${counted(count, isVault ? "note" : "Markdown file")}: ${names}`,
        then: 'searched where they lie once memd.toml says documents = ["**/*.md"].',
      };
    case "transcripts":
      return {
        what: `${counted(count, "transcript")} (${kinds.join(", ")}): ${names}`,
        then: `taken in by \`memd import ${shellQuoted(files[0] ?? "")}${here}\`.`,
      };
    default:
      return is satisfies never;
  }
}
