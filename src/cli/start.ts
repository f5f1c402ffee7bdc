/** `memd start`: memd itself, in this terminal. */
import pc from "picocolors";
import { MemdError, type ExitCode, EXIT } from "../model/errors.js";
import { nodeDisk } from "../platform/node-disk.js";
import { ownerSocket } from "../protocol/owner-note.js";
import { join, resolve } from "../platform/files.js";
import { currentDir, environment, exitNow, onStopSignal, stayLean } from "../platform/process.js";
import { Watchdog } from "../platform/watchdog.js";
import { FILES, type Workspace } from "../protocol/workspace.js";
import { statusOf } from "../service/status.js";
import { becomeOwner, type Running } from "./compose.js";
import {
  commandClock,
  type CommonOptions,
  openWorkspace,
  printLine,
  typed,
  workspaceFolder,
} from "./context.js";
import { makeWorkspace } from "./init.js";
import { eventPrinter } from "./progress.js";
import { startInBackground } from "./start-background.js";
import { readyText, sampleText } from "./start-text.js";

const SAMPLE_FOLDER = "sample-workspace";
/** SIGTERM to gone, at most; what is cut off is taken up again at the next start. */
const STOP_MS = 4500;

interface StartFlags extends CommonOptions {
  port?: number;
  sample?: boolean;
  detach?: boolean;
  untilIdle?: boolean;
}

export async function start(flags: StartFlags): Promise<void> {
  const options = flags.sample === true ? await withSample(flags) : flags;
  const workspace = await openWorkspace(options);
  const socket = await ownerSocket(workspace);
  if (flags.detach === true) return startInBackground(workspace, socket, options);
  stayLean();
  const running = await becomeOwner(workspace, socket, commandClock(), {
    port: flags.port,
    watchdog: new Watchdog(),
  });
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
  if (!quiet) printLine(`${pc.bold("memd")} in ${pc.bold(typed(workspace.root))}`);
  const ended = Promise.race([asked, memd.ended]);
  try {
    await Promise.race([memd.start({ watch: flags.untilIdle !== true, work: true }), ended]);
    const idle = memd.idle().then(() => ({ by: "idle" }));
    const first = await Promise.race([idle.catch((error: unknown) => ({ error })), ended]);
    if ("error" in first && flags.untilIdle === true) throw first.error;
    printer.end();
    if (!quiet && "by" in first && first.by === "idle") {
      const status = await statusOf(memd, running.socket);
      const isWatching = flags.untilIdle !== true;
      const isSample = flags.sample === true;
      printLine(
        isSample ? sampleText(status, typed(workspace.root), isWatching) : readyText(status, isWatching),
      );
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
      printLine(`Made a sample workspace: four months of conversation in ${typed(folder)}/history.json`);
  }
  return { ...flags, workspace: folder };
}
