/** `memd start --root`, `memd stop --root` and `memd workspaces`: one memd for every workspace below a folder. */
import pc from "picocolors";
import { workspacesBelow } from "../daemon/finding.js";
import type { FleetStatus, RoomLine } from "../daemon/fleet.js";
import { EXIT, MemdError } from "../model/errors.js";
import { join, resolve } from "../platform/files.js";
import { ask } from "../platform/http.js";
import { nodeDisk } from "../platform/node-disk.js";
import { answers, socketPath } from "../platform/owner.js";
import { currentDir, exitNow, onStopSignal, stayLean } from "../platform/process.js";
import { errorIn } from "../library/running.js";
import { FILES } from "../protocol/workspace.js";
import { commandClock, type CommonOptions, printLine, tell, typed, waitFor } from "./context.js";
import { counted, table } from "./words.js";

/** SIGTERM to gone, at most; what is cut off is taken up again at the next start. */
const STOP_MS = 9000;
const PATIENCE_MS = STOP_MS + 3000;

interface RootOptions extends CommonOptions {
  root?: string;
  port?: number;
  untilIdle?: boolean;
}

export async function startRoot(options: RootOptions): Promise<void> {
  const root = await rootFolder(options);
  stayLean();
  const { Fleet } = await import("../daemon/fleet.js");
  const say = (line: string): void => (options.json === true ? undefined : printLine(line));
  const clock = commandClock();
  const fleet = new Fleet({ root, clock, port: options.port, tell: say });
  const signalled = new Promise<string>((done) => onStopSignal(done));
  await fleet.start();
  say(`${pc.bold("memd")} below ${pc.bold(typed(root))}`);
  if (fleet.port !== undefined) say(`Answering on http://127.0.0.1:${fleet.port}/w/NAME too.`);
  const settled = fleet.settled().then(() => {
    const { workspaces } = fleet.status();
    say(`${pc.green("Ready.")} ${counted(workspaces.length, "workspace")}.`);
    if (options.json === true) tell(options, fleet.status(), () => "");
    return "nothing is left to do";
  });
  const asked = Promise.race([signalled, fleet.stopAsked.then(() => "memd stop")]);
  const why = await Promise.race(options.untilIdle === true ? [asked, settled] : [asked]);
  say(`\nStopping (${why}) …`);
  clock.after(STOP_MS, () => exitNow(EXIT.done));
  await fleet.stop();
  exitNow(EXIT.done);
}

export async function stopRoot(options: RootOptions): Promise<void> {
  const { root, socket } = await servedRoot(options);
  const { pid } = (await asked(socket, "POST", "/stop")) as { pid: number };
  const isGone = await waitFor(PATIENCE_MS, async () => !(await answers(socket)) || undefined);
  if (isGone !== true) throw new MemdError("timeout", `memd (process ${pid}) has not stopped yet.`);
  tell(options, { stopped: true, pid }, () => `memd stopped below ${root} (process ${pid}).`);
}

export async function workspaces(options: RootOptions): Promise<void> {
  const root = await rootFolder(options);
  const socket = await socketPath(root);
  const isServed = await answers(socket);
  const found = isServed
    ? ((await asked(socket, "GET", "/workspaces")) as FleetStatus)
    : { root, workspaces: await notServed(root) };
  tell(options, found, () =>
    [
      isServed ? "" : pc.dim(`No memd serves ${typed(root)}: \`memd start --root ${typed(root)}\` does.`),
      ...(found.workspaces.length === 0
        ? [`There is no workspace below ${typed(root)}.`]
        : [table(["workspace", "memd", ""], found.workspaces.map(rowOf))]),
    ].filter((line) => line !== ""),
  );
}

async function notServed(root: string): Promise<RoomLine[]> {
  const { names } = await workspacesBelow(nodeDisk, root);
  return names.map((name) => ({ name, folder: join(root, name), state: "elsewhere" }));
}

function rowOf({ name, state, reason, ignored = [] }: RoomLine): string[] {
  const words = {
    open: pc.green("at work"),
    resting: "resting",
    faulty: pc.red("faulty"),
    elsewhere: "not here",
  };
  const untrusted = ignored.length === 0 ? "" : `settings not trusted: ${ignored.join(", ")}`;
  return [name, words[state], reason ?? untrusted];
}

/** `--root`, made whole. Throws where it is no folder, or a workspace itself. */
async function rootFolder({ root = ".", workspace }: RootOptions): Promise<string> {
  if (workspace !== undefined) throw new MemdError("usage", "Name a root or a workspace, not both.");
  const folder = resolve(currentDir(), root);
  const real = await nodeDisk.realPath(folder);
  if (real === undefined) throw new MemdError("no_workspace", `There is no folder ${folder}.`);
  if ((await nodeDisk.stat(join(real, FILES.workspace))) !== undefined)
    throw new MemdError(
      "usage",
      `${folder} is a workspace itself: \`memd start -w ${typed(folder)}\` serves it.`,
    );
  return real;
}

async function servedRoot(options: RootOptions): Promise<{ root: string; socket: string }> {
  const root = await rootFolder(options);
  const socket = await socketPath(root);
  if (!(await answers(socket))) throw new MemdError("not_running", `No memd serves what is below ${root}.`);
  return { root, socket };
}

async function asked(socket: string, method: "GET" | "POST", path: string): Promise<unknown> {
  const { status, body } = await ask(socket, method, path);
  if (status >= 400) throw errorIn(body);
  return body;
}
