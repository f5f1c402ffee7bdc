/** A memd on this machine's real ports, owning its workspace. */
import type { Hono } from "hono";
import { MemdError } from "../model/errors.js";
import { defined } from "../model/collections.js";
import { type Clock, systemRandom } from "../platform/clock.js";
import { fileLocks, noLocks } from "../platform/lock.js";
import { fileLog, listeningLog, silentLog, teeLog, type LogEvent } from "../platform/log.js";
import { diskBelow, nodeDisk, ownerless } from "../platform/node-disk.js";
import { overlayDisk } from "../platform/overlay-disk.js";
import { takeOwnership } from "../platform/owner.js";
import { indexThreads, promptsFolder, workerEntry } from "../platform/package-root.js";
import { environment } from "../platform/process.js";
import { systemRipgrep } from "../platform/ripgrep.js";
import { nodeSpawn } from "../platform/spawn.js";
import { fileWatch } from "../platform/watch.js";
import type { Watchdog } from "../platform/watchdog.js";
import { listenLoopback, serverFor } from "../platform/http.js";
import { publish, readText } from "../protocol/publish.js";
import { readSettings } from "../protocol/settings.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import { noteOwner, ownerGuard } from "../protocol/owner-note.js";
import { indexIn, indexInMemory } from "../recall/index/open.js";
import { createApp } from "../serve/app.js";
import { guarded, tokenOr } from "../serve/guard.js";
import { Memd } from "../service/memd.js";
import { onlyReads } from "../service/reading.js";
import { SERVED } from "../service/runs.js";
import type { Served } from "../service/served.js";

export interface Running {
  memd: Memd;
  socket: string;
  /** Of 127.0.0.1, when it was asked for. */
  port?: number;
  /** Calls back for each event until the returned function is called. */
  listen: (hear: (event: LogEvent) => void) => () => void;
  /** Settles when somebody asks over the socket to stop. */
  stopAsked: Promise<void>;
  stop: () => Promise<void>;
}

interface OwnerOptions {
  /** Of 127.0.0.1, beside the socket. */
  port?: number | undefined;
  /** What a memd that stays is watched by. */
  watchdog?: Watchdog;
  /** The workspace cannot be written: all that is, is in memory, and it is asked what only reads. */
  reads?: boolean;
}

/** Undefined when another process owns the workspace. Throws what is wrong with the settings before anything is touched. */
export async function becomeOwner(
  workspace: Workspace,
  socket: string,
  clock: Clock,
  { port, watchdog, reads = false }: OwnerOptions = {},
): Promise<Running | undefined> {
  const disk = reads ? overlayDisk(nodeDisk) : diskBelow(workspace.root);
  const settings = await readSettings(disk, workspace);
  const hearers = new Set<(event: LogEvent) => void>();
  const listen: Running["listen"] = (hear) => {
    hearers.add(hear);
    return () => hearers.delete(hear);
  };
  let askStop: () => void = () => undefined;
  const stopAsked = new Promise<void>((resolve) => {
    askStop = resolve;
  });
  // The socket must be listening before the memd exists; until then requests wait for it.
  let ready: (app: ReturnType<typeof createApp>) => void = () => undefined;
  const app = new Promise<ReturnType<typeof createApp>>((resolve) => {
    ready = resolve;
  });
  const ownership = await takeOwnership(
    socket,
    serverFor(async (request) => (await app).fetch(request)),
  );
  if (ownership === undefined) return undefined;
  try {
    const note = await noteOwner(disk, workspace, socket);
    if (note === undefined) {
      await ownership.release();
      return undefined;
    }
    await disk.makeDir(at(workspace, FILES.logs));
    const log = teeLog(
      reads ? silentLog : fileLog(at(workspace, FILES.log), clock),
      listeningLog((event) => {
        for (const hear of hearers) hear(event);
      }),
    );
    watchdog?.watch(at(workspace, FILES.log), clock, log);
    const memd = new Memd({
      workspace,
      settings,
      disk,
      clock,
      random: systemRandom,
      locks: reads ? noLocks : fileLocks,
      watch: fileWatch,
      spawn: nodeSpawn,
      ripgrep: systemRipgrep(),
      openIndex: reads ? indexInMemory : indexIn(at(workspace, FILES.index), indexThreads()),
      log,
      systemZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
      environment: environment(),
      workerEntry: workerEntry(),
      promptFolders: [at(workspace, "prompts"), promptsFolder()],
      guard: reads ? () => Promise.resolve() : ownerGuard(disk, workspace, ownership, note),
      ...(watchdog && { doing: watchdog.doing }),
    });
    const answering = createApp(
      { memd, socket, listen, stop: askStop },
      reads ? SERVED.map((each) => readOnly(each, workspace)) : SERVED,
    );
    const loopback = port === undefined ? undefined : await openLoopback(answering, workspace, port);
    ready(answering);
    const stop = async (): Promise<void> => {
      loopback?.close();
      await memd.stop();
      await watchdog?.stop();
      await log.close();
      await ownership.release();
    };
    return defined({ memd, socket, listen, stopAsked, stop, port: loopback?.port });
  } catch (error) {
    await ownership.release();
    throw error;
  }
}

/** Whoever else asks meanwhile is not told that something was kept. */
function readOnly(operation: Served, { root }: Workspace): Served {
  if (onlyReads(operation.name) || operation.name === "stop") return operation;
  const refused = new MemdError("disk_denied", `${root} cannot be written: it is only read.`);
  return { ...operation, answer: () => Promise.reject(refused) };
}

/** The token is made anew when its file is gone, and readable by this user alone. */
async function openLoopback(
  app: Hono,
  workspace: Workspace,
  port: number,
): Promise<{ port: number; close: () => void }> {
  const file = at(workspace, FILES.token);
  const token = tokenOr((length) => systemRandom.name(length), await readText(nodeDisk, file));
  await publish(ownerless, file, `${token}\n`);
  let listening = port;
  const opened = await listenLoopback((request) => guarded(app, () => listening, token).fetch(request), port);
  listening = opened.port;
  return opened;
}
