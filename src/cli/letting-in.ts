/** Commands that let somebody look into the memory: a person in the page, a program with a token. */
import type { Add, Group } from "./adding.js";

export function addLettingIn(add: Add, group: Group): void {
  add("open", () => import("./open.js"))
    .description("look at the memory in a page: what the agent saw, why, and where it is written")
    .option(
      "--as <viewer>",
      "what may be read from there alone: user/scope/session (default: the owner, who sees all)",
    )
    .option("--no-browser", "only print the address");

  const token = group("token", "who may ask besides you: a program or an agent", () => import("./token.js"));
  token("add", "let somebody ask as one viewer; prints the token, this once", (file) => file.addTokenFor)
    .requiredOption("--as <address>", "as whom it reads: user/scope")
    .option("--session <session>", "what is of this session too")
    .option("--name <name>", "what it is called in the list");
  token("list", "which there are, and as whom each reads", (file) => file.listTokens);
  token("remove", "let nobody in with it any more", (file) => file.removeTokenNamed).argument(
    "<token>",
    "its name or id",
  );
}
