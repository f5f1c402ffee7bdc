/** `memd start`: memd itself, in this terminal or in the background. */
import pc from "picocolors";
import { MemdError, type ExitCode, EXIT } from "../model/errors.js";
import { startDetached } from "../platform/detach.js";
import { nodeDisk } from "../platform/node-disk.js";
import { answers } from "../platform/owner.js";
import { ownerSocket } from "../protocol/owner-note.js";
import { join, relative, resolve } from "../platform/path.js";
import { currentDir, environment, exitNow, onStopSignal, stayLean } from "../platform/process.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import { statusOf } from "../service/status.js";
import { becomeOwner, type Running } from "./compose.js";
import { commandClock, openWorkspace, printJson, printLine, workspaceFolder } from "./context.js";
import { makeWorkspace } from "./init.js";
import type { StartFlags } from "./flags.js";
import { eventPrinter } from "./progress.js";
import { readyText, sampleText } from "./start-text.js";

const SAMPLE_FOLDER = "sample-workspace";
/** SIGTERM to gone, at most; what is cut off is taken up again at the next start. */
const STOP_MS = 4500;
const DETACH_MS = 30_000;
const LOOK_MS = 50;

export async function start(flags: StartFlags): Promise<void> {
  const options = flags.sample === true ? await withSample(flags) : flags;
  const workspace = await openWorkspace(options);
  const socket = await ownerSocket(workspace);
  if (flags.detach === true) return startInBackground(workspace, socket, options);
  stayLean();
  const running = await becomeOwner(workspace, socket, commandClock(), flags.port);
  if (running === undefined) throw new MemdError("busy", `memd runs in ${workspace.root} already.`);
  const code = await run(running, workspace, options);
  // All is closed and flushed; a watch that the watcher opened while it was being closed would keep the process.
  exitNow(code);
}

async function run(running: Running, workspace: Workspace, flags: StartFlags): Promise<ExitCode> {
  const { memd } = running;
  const asked = new Promise<{ by: string }>((resolve) => {
    onStopSignal((signal) => resolve({ by: signal }));
    void running.stopAsked.then(() => resolve({ by: "memd stop" }));
  });
  const printer = eventPrinter();
  if (flags.json === true) running.listen((event) => printLine(JSON.stringify(event)));
  else running.listen(printer.hear);
  const quiet = flags.json === true;
  if (!quiet && running.port !== undefined) printLine(`Answering on http://127.0.0.1:${running.port} too.`);
  if (!quiet) printLine(`${pc.bold("memd")} in ${pc.bold(shown(workspace.root))}`);
  const ended = Promise.race([asked, memd.ended]);
  try {
    await Promise.race([memd.start({ watch: flags.untilIdle !== true, work: true }), ended]);
    const idle = memd.idle().then(() => ({ by: "idle" }));
    const first = await Promise.race([idle.catch((error: unknown) => ({ error })), ended]);
    if ("error" in first && flags.untilIdle === true) throw first.error;
    printer.end();
    if (!quiet && "by" in first && first.by === "idle") {
      const status = await statusOf(memd, running.socket);
      const watching = flags.untilIdle !== true;
      const text =
        flags.sample === true
          ? sampleText(status, shown(workspace.root), watching)
          : readyText(status, watching);
      printLine(text);
    }
    if (flags.untilIdle === true && "by" in first && first.by === "idle") return EXIT.done;
    const end = first instanceof MemdError || ("by" in first && first.by !== "idle") ? first : await ended;
    if (end instanceof MemdError) throw end;
    if (!quiet) printLine(`\nStopping (${"by" in end ? end.by : ""}) …`);
    return EXIT.done;
  } finally {
    printer.end();
    await stopWithin(running);
  }
}

async function stopWithin(running: Running): Promise<void> {
  const clock = commandClock();
  const late = clock.after(STOP_MS, () => exitNow(EXIT.done));
  await running.stop();
  late.cancel();
}

/** The sample workspace, made when it is not there; in the current folder unless one is named. */
async function withSample(flags: StartFlags): Promise<StartFlags> {
  const named = flags.workspace !== undefined || environment()["MEMD_WORKSPACE"] !== undefined;
  const folder = named ? workspaceFolder(flags) : resolve(currentDir(), SAMPLE_FOLDER);
  if ((await nodeDisk.stat(join(folder, FILES.workspace))) === undefined) {
    await nodeDisk.makeDir(folder);
    await makeWorkspace(folder, true);
    if (flags.json !== true)
      printLine(`Made a sample workspace: four months of conversation in ${shown(folder)}/history.json`);
  }
  return { ...flags, workspace: folder };
}

async function startInBackground(workspace: Workspace, socket: string, flags: StartFlags): Promise<void> {
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
      if (flags.json === true) printJson({ pid: child.pid, socket });
      else
        printLine(
          `memd runs in ${workspace.root} (process ${child.pid ?? "?"}). Stop it with \`memd stop\`.`,
        );
      return;
    }
    await clock.sleep(LOOK_MS);
  }
  throw new MemdError("timeout", `memd did not answer within ${DETACH_MS / 1000} s; see ${output}.`);
}

/** As a person would type it. */
function shown(folder: string): string {
  const near = relative(currentDir(), folder);
  return near === "" ? "." : near.startsWith("..") ? folder : near;
}
