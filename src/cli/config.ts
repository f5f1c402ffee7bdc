/** `memd config check`. */
import { nodeDisk } from "../platform/node-disk.js";
import { readSettings } from "../protocol/settings.js";
import { at, FILES } from "../protocol/workspace.js";
import { openWorkspace, tell, type CommonOptions } from "./context.js";

export async function checkConfig(options: CommonOptions): Promise<void> {
  const workspace = await openWorkspace(options);
  const settings = await readSettings(nodeDisk, workspace);
  const there = (await nodeDisk.stat(at(workspace, FILES.settings))) !== undefined;
  tell(options, settings, () =>
    there ? "memd.toml is valid." : "There is no memd.toml: every setting has its default.",
  );
}
