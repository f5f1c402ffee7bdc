/** `memd start --detach`: memd in a process of its own, waited for until it answers. */
import { EXIT, MemdError } from "../model/errors.js";
import { startDetached } from "../platform/process.js";
import { nodeDisk } from "../platform/node-disk.js";
import { answers } from "../platform/owner.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import { commandClock, tell, type CommonOptions } from "./context.js";

const DETACH_MS = 30_000;
const LOOK_MS = 50;

export async function startInBackground(
  workspace: Workspace,
  socket: string,
  flags: CommonOptions & { port?: number },
): Promise<void> {
  if (await answers(socket)) throw new MemdError("busy", `memd runs in ${workspace.root} already.`);
  await nodeDisk.makeDir(at(workspace, FILES.logs));
  const output = at(workspace, `${FILES.logs}/start.txt`);
  const child = startDetached(
    [
      "start",
      "--workspace",
      workspace.root,
      ...(flags.port === undefined ? [] : ["--port", String(flags.port)]),
    ],
    output,
  );
  const clock = commandClock();
  let code: number | null | undefined;
  void child.ended.then((ended) => {
    code = ended;
  });
  for (let waitedMs = 0; waitedMs < DETACH_MS; waitedMs += LOOK_MS) {
    if (code !== undefined)
      throw new MemdError(
        code === EXIT.busy ? "busy" : "worker_failed",
        `memd did not start; see ${output}.`,
      );
    if (await answers(socket)) {
      const { pid } = child;
      const says = `memd runs in ${workspace.root} (process ${pid ?? "?"}). Stop it with \`memd stop\`.`;
      return tell(flags, { pid, socket }, () => says);
    }
    await clock.sleep(LOOK_MS);
  }
  throw new MemdError("timeout", `memd did not answer within ${DETACH_MS / 1000} s; see ${output}.`);
}
