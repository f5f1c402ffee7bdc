/** Commands of a memd that serves every workspace below a folder. */
import type { Add } from "./adding.js";

export function addMany(add: Add): void {
  add("workspaces", () => import("./root.js"))
    .description("the workspaces below a folder, and what the memd that serves them is doing")
    .option("--root <folder>", "below which they lie; this one when not given");
}
