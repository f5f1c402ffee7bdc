/** Commands for whoever talks to an agent that is installed: to make memd its memory, and what it runs itself. */
import { Argument, type Command } from "commander";
import { HOOKED_AGENTS } from "../adapters/hooks/dialects.js";
import { HOST_NAMES } from "../adapters/host.js";
import type { Add } from "./adding.js";

export function addAgents(add: Add): void {
  add("hook", () => import("./hook.js"))
    .description(
      "what an agent runs at each turn: keeps what was said, and prints what the memory holds for it",
    )
    .addArgument(
      new Argument("<agent>", "whose hook it is; it is told on standard input").choices(HOOKED_AGENTS),
    );
  const ofAgent = (command: Command): Command =>
    command
      .addArgument(new Argument("<agent>", "which").choices(HOST_NAMES))
      .option("--dry-run", "only show what would change in its settings")
      .option("-y, --yes", "without asking");
  ofAgent(add("connect", () => import("./connect.js")))
    .description("make memd the memory of an agent that is installed here")
    .option("--no-import", "leave the past that it holds")
    .option("--no-start", "leave memd as it is, running or not");
  ofAgent(add("disconnect", () => import("./disconnect.js"))).description(
    "take out of an agent's settings what connect put there",
  );
}
