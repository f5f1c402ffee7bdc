/** `memd start`: memd itself, in this terminal or, with `--detach`, in a process of its own. */
import pc from "picocolors";
import { MemdError, type ExitCode, EXIT } from "../model/errors.js";
import { nodeDisk } from "../platform/node-disk.js";
import { ownerSocket } from "../protocol/owner-note.js";
import { join, realFolder, resolve } from "../platform/files.js";
import { answers } from "../platform/owner.js";
import {
  currentDir,
  environment,
  exitNow,
  onStopSignal,
  startDetached,
  stayLean,
} from "../platform/process.js";
import { Watchdog } from "../platform/watchdog.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import { type Status, statusOf } from "../service/status.js";
import { becomeOwner, type Running } from "../daemon/own.js";
import {
  commandClock,
  type CommonOptions,
  openWorkspace,
  printLine,
  tell,
  typed,
  waitFor,
  workspaceFolder,
} from "./context.js";
import { makeWorkspace } from "./make-workspace.js";
import { eventPrinter } from "./progress.js";
import { counted } from "./words.js";

const SAMPLE_FOLDER = "sample-workspace";
/** SIGTERM to gone, at most; what is cut off is taken up again at the next start. */
const STOP_MS = 4500;

type StartFlags = CommonOptions & {
  port?: number;
  sample?: boolean;
  detach?: boolean;
  untilIdle?: boolean;
  root?: string;
};

export async function start(flags: StartFlags): Promise<void> {
  if (flags.root !== undefined) return (await import("./root.js")).startRoot(flags);
  const options = flags.sample === true ? await withSample(flags) : flags;
  const workspace = await openWorkspace(options);
  const socket = await ownerSocket(workspace);
  if (flags.detach === true) {
    const { pid } = await startInBackground(workspace, socket, flags.port);
    const says = `memd runs in ${workspace.root} (process ${pid ?? "?"}). Stop it with \`memd stop\`.`;
    return tell(options, { pid, socket }, () => says);
  }
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
  const quiet = flags.json === true;
  const untilIdle = flags.untilIdle === true;
  running.listen(quiet ? (event) => printLine(JSON.stringify(event)) : printer.hear);
  if (!quiet && running.port !== undefined) printLine(`Answering on http://127.0.0.1:${running.port} too.`);
  if (!quiet) printLine(`${pc.bold("memd")} in ${pc.bold(typed(workspace.root))}`);
  const ended = Promise.race([asked, memd.ended]);
  try {
    await Promise.race([memd.start({ watch: !untilIdle, work: true }), ended]);
    const idle = (untilIdle ? memd.finished() : memd.idle()).then(
      () => true,
      (error: unknown) => {
        if (untilIdle) throw error;
        return false;
      },
    );
    const isIdle = await Promise.race([idle, ended.then(() => false)]);
    printer.end();
    if (isIdle && !quiet) {
      const status = await statusOf(memd, running.socket);
      const ready = readyText(status, !untilIdle);
      printLine(flags.sample === true ? sampleText(ready, typed(workspace.root), !untilIdle) : ready);
    }
    if (isIdle && untilIdle) return EXIT.done;
    const end = await ended;
    if (end instanceof MemdError) throw end;
    if (!quiet) printLine(`\nStopping (${end.by}) …`);
    return EXIT.done;
  } finally {
    printer.end();
    const late = commandClock().after(STOP_MS, () => exitNow(EXIT.done));
    await running.stop();
    late.cancel();
  }
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

const DETACH_MS = 30_000;

/** Waited for until it answers. */
export async function startInBackground(
  workspace: Workspace,
  socket: string,
  atPort?: number,
): Promise<{ pid: number | undefined }> {
  if (await answers(socket)) throw new MemdError("busy", `memd runs in ${workspace.root} already.`);
  await nodeDisk.makeDir(at(workspace, FILES.logs));
  const output = join(await realFolder(nodeDisk, at(workspace, FILES.logs)), "start.txt");
  const port = atPort === undefined ? [] : ["--port", String(atPort)];
  const child = await startDetached(["start", "--workspace", workspace.root, ...port], output);
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
  return { pid: child.pid };
}

const WATCHING =
  "Watching inbox.json, inbox.d/, history.json and memory.md. Ctrl-C stops it; nothing is lost.";

function readyText(status: Status, watching: boolean): string {
  const { archive, index, inbox } = status;
  return [
    `${pc.green("Ready.")} ${counted(archive.verbatimDays, "day")} word for word, ${counted(archive.summaries, "summary", "summaries")}, ${counted(index.passages, "passage")} to search; ${inbox.waiting} waiting in the inbox.`,
    ...(watching ? [pc.dim(WATCHING)] : []),
  ].join("\n");
}

/** For somebody who sees memd for the first time. */
function sampleText(ready: string, folder: string, watching: boolean): string {
  const memd = "npx memd";
  const here = `-w ${folder}`;
  const look = (path: string, what: string): string => `  ${`${folder}/${path}`.padEnd(38)} ${pc.dim(what)}`;
  return [
    "",
    ready,
    "",
    pc.bold("What it made"),
    look("memory/*.md", "today and the five days before, word for word"),
    look("memory/archive/", "every older day, word for word"),
    look("memory/summary/", "a summary of each day; of older ones, of each month"),
    look("memory/records/", "what was found in the conversation"),
    look("memory/profiles/", "what is known of its user"),
    look("teller/prompt.md", "what the agent reads before its next reply"),
    "",
    pc.bold(watching ? "Try, in another terminal" : "Try"),
    `  ${memd} search "deploy timeout" ${here}`,
    `  ${memd} search 部署超时 ${here}`,
    `  ${memd} search "on-call bridge code" ${here}`,
    `  ${memd} open ${here}`,
    `  ${memd} profile show local ${here}`,
    `  ${memd} events ${here}`,
    `  ${memd} say "What did we decide about refunds?" ${here} && ${memd} prompt ${here}`,
    `  ${memd} status ${here}`,
    "",
    pc.dim(
      `The summaries come from the built-in provider. A model of yours is one setting away: [llm] in ${folder}/memd.toml`,
    ),
  ].join("\n");
}
