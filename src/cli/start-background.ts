/** `memd start --detach`: memd in a process of its own, waited for until it answers. */
import { EXIT, MemdError } from "../model/errors.js";
import { startDetached } from "../platform/process.js";
import { nodeDisk } from "../platform/node-disk.js";
import { join, realFolder } from "../platform/files.js";
import { answers } from "../platform/owner.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import { tell, type CommonOptions, waitFor } from "./context.js";

const DETACH_MS = 30_000;

export async function startInBackground(
  workspace: Workspace,
  socket: string,
  flags: CommonOptions & { port?: number },
): Promise<void> {
  if (await answers(socket)) throw new MemdError("busy", `memd runs in ${workspace.root} already.`);
  await nodeDisk.makeDir(at(workspace, FILES.logs));
  const output = join(await realFolder(nodeDisk, at(workspace, FILES.logs)), "start.txt");
  const port = flags.port === undefined ? [] : ["--port", String(flags.port)];
  const child = startDetached(["start", "--workspace", workspace.root, ...port], output);
  let code: number | null | undefined;
  void child.ended.then((ended) => {
    code = ended;
  });
  const answering = await waitFor(DETACH_MS, async () => {
    if (code !== undefined)
      throw new MemdError(
        code === EXIT.busy ? "busy" : "worker_failed",
        `memd did not start; see ${output}.`,
      );
    return (await answers(socket)) || undefined;
  });
  if (answering === undefined)
    throw new MemdError("timeout", `memd did not answer within ${DETACH_MS / 1000} s; see ${output}.`);
  const { pid } = child;
  const says = `memd runs in ${workspace.root} (process ${pid ?? "?"}). Stop it with \`memd stop\`.`;
  tell(flags, { pid, socket }, () => says);
}
