/** `memd config check`. */
import { nodeDisk } from "../platform/node-disk.js";
import { readSettings } from "../protocol/settings.js";
import { at, FILES } from "../protocol/workspace.js";
import { openWorkspace, printJson, printLine, type CommonOptions } from "./context.js";

export async function checkConfig(options: CommonOptions): Promise<void> {
  const workspace = await openWorkspace(options);
  const settings = await readSettings(nodeDisk, workspace);
  if (options.json === true) return printJson(settings);
  const there = (await nodeDisk.stat(at(workspace, FILES.settings))) !== undefined;
  printLine(there ? "memd.toml is valid." : "There is no memd.toml: every setting has its default.");
}
