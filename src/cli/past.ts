/** The commands by which a past comes in and leaves: what they take. What they do is loaded when they are run. */
import { Option } from "commander";
import { KINDS } from "../adapters/kinds.js";
import type { Add } from "./adding.js";

const IMPORTED =
  "files, folders or zips of other agents, exports, notes, or JSON lines, or what `memd export` made; - reads standard input";

export function addPast(add: Add): void {
  add("import", async () => ({ import: (await import("./import.js")).importPast }))
    .description("take in the past from what other agents, exports and notes hold; safe to repeat")
    .argument("<path...>", IMPORTED)
    .addOption(new Option("--from <kind>", "what all of them are, where memd does not see it").choices(KINDS))
    .option("--list", "only show what would come")
    .option("--project <dir>", "only what was about this project: its folder, its name or its scope")
    .option("--since <day>", "only what was said then or later")
    .option("--tools", "with what tools were given and gave");
  add("export", async () => ({ export: (await import("./export.js")).exportMemory }))
    .description("take everything along: a folder or an archive that `memd import` makes the same of again")
    .argument(
      "<target>",
      "a folder or a .tar.gz, not there yet; with --messages a file, or - for standard output",
    )
    .addOption(
      new Option("--messages", "only the messages, as chat JSON lines, oldest first").conflicts("vault"),
    )
    .option("--vault", "notes for Obsidian: days, people and topics that name one another")
    .option("--since <day>", "of --messages or --vault, only what was said then or later")
    .option("--scope <scope>", "of --messages or --vault, only this scope");
}
