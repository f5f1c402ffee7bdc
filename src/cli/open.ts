/** `memd open`: the page, in the browser of this machine. */
import { seatIn, seatText } from "../model/address.js";
import { defined } from "../model/collections.js";
import { answers } from "../platform/owner.js";
import { ownerless } from "../platform/node-disk.js";
import { openInBrowser } from "../platform/process.js";
import { ownerSocket } from "../protocol/owner-note.js";
import { publish } from "../protocol/publish.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import { type CommonOptions, openWorkspace, printLine, tell } from "./context.js";
import { askMemd } from "./memd.js";
import { startInBackground } from "./start.js";

type OpenFlags = CommonOptions & { as?: string; browser: boolean };

export async function open(flags: OpenFlags): Promise<void> {
  const workspace = await openWorkspace(flags);
  const socket = await ownerSocket(workspace);
  // A page wants a memd that stays.
  if (!(await answers(socket))) {
    const { pid } = await startInBackground(workspace, socket, undefined);
    if (flags.json !== true)
      printLine(`memd runs in ${workspace.root} (process ${pid ?? "?"}). Stop it with \`memd stop\`.`);
  }
  const viewer = flags.as === undefined ? undefined : seatText(seatIn(flags.as));
  const { url } = await askMemd(flags, "openPage", defined({ viewer }));
  const opened =
    flags.browser && flags.json !== true && (await openInBrowser(await leadingTo(workspace, url)));
  tell(flags, { url }, () => [
    url,
    opened ? "Opened in the browser." : "Open it in a browser of this machine.",
    "The address lets one page in, within a minute; `memd open` gives another.",
  ]);
}

/**
 * A file that leads to the address, for this user alone: what stands in the arguments of a browser every user of
 * the machine can read, and whoever is faster would be let in.
 */
async function leadingTo(workspace: Workspace, url: string): Promise<string> {
  const file = at(workspace, FILES.opened);
  await publish(ownerless, file, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}">\n`);
  return file;
}
