/** A memd on this machine's real ports, owning its workspace. */
import { MemdError } from "../model/errors.js";
import { defined } from "../model/collections.js";
import { type Clock, systemRandom } from "../platform/clock.js";
import { basename, join, realFolder, stampOf } from "../platform/files.js";
import { systemGit } from "../platform/git.js";
import { fileLocks, noLocks } from "../platform/lock.js";
import { fileLog, listeningLog, silentLog, teeLog, toldTo, type LogEvent } from "../platform/log.js";
import { withToldNames } from "../text/told-names.js";
import { diskBelow, nodeDisk, ownerless } from "../platform/node-disk.js";
import { systemMachine } from "../platform/machine.js";
import { overlayDisk } from "../platform/overlay-disk.js";
import { takeOwnership } from "../platform/owner.js";
import { indexThreads, pageFolder, promptsFolder, workerEntry } from "../platform/package-root.js";
import { environment } from "../platform/process.js";
import { systemRipgrep } from "../platform/ripgrep.js";
import { nodeSpawn } from "../platform/spawn.js";
import { fileWatch } from "../platform/watch.js";
import type { Watchdog } from "../platform/watchdog.js";
import { listenLoopback, serverFor } from "../platform/http-server.js";
import { publish, readText } from "../protocol/publish.js";
import { readSettings } from "../protocol/settings.js";
import { readTokens } from "../protocol/tokens.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import { enclosed } from "../protocol/workspace-file.js";
import { noteOwner, ownerGuard } from "../protocol/owner-note.js";
import { indexIn, indexInMemory, threadsIn } from "../recall/index/open.js";
import { createApp } from "../serve/app.js";
import { type Door, openDoor } from "../serve/door.js";
import { tokenOr } from "../serve/guard.js";
import { assetsIn } from "../serve/page/assets.js";
import { PageKeys } from "../serve/page/keys.js";
import { Memd } from "../service/memd.js";
import { onlyReads } from "../service/reading.js";
import { SERVED } from "../service/runs.js";
import type { Served, Service } from "../service/served.js";

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
  enclosed(disk, workspace.root);
  const settingsStamp = stampOf(await disk.stat(at(workspace, FILES.settings)));
  const settings = await readSettings(disk, workspace);
  // A link in place of a folder of memd's is told before anything is touched.
  await disk.list(workspace.root);
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
  let open: (door: Door) => void = () => undefined;
  const door = new Promise<Door>((resolve) => {
    open = resolve;
  });
  const ownership = await takeOwnership(
    socket,
    serverFor(async (request) => (await door)(request, { kind: "socket" })),
  );
  if (ownership === undefined) return undefined;
  try {
    const note = await noteOwner(disk, workspace, socket);
    if (note === undefined) {
      await ownership.release();
      return undefined;
    }
    await disk.makeDir(at(workspace, FILES.logs));
    const logFile = join(await realFolder(disk, at(workspace, FILES.logs)), basename(FILES.log));
    const heard = listeningLog((event) => {
      for (const hear of hearers) hear(event);
    });
    const log = toldTo(teeLog(reads ? silentLog : fileLog(logFile, clock), heard), withToldNames);
    watchdog?.watch(logFile, clock, log);
    const memd = new Memd({
      workspace,
      settings,
      settingsStamp,
      disk,
      clock,
      random: systemRandom,
      locks: reads ? noLocks : fileLocks,
      watch: fileWatch,
      spawn: nodeSpawn,
      ripgrep: systemRipgrep(),
      machine: systemMachine(),
      openIndex: reads
        ? indexInMemory
        : indexIn(await realFolder(disk, at(workspace, FILES.index)), threadsIn(indexThreads())),
      log,
      systemZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
      environment: environment(),
      workerEntry: workerEntry(),
      promptFolders: [await realFolder(disk, at(workspace, "prompts")), promptsFolder()],
      guard: reads ? () => Promise.resolve() : ownerGuard(disk, workspace, ownership, note),
      ...(!reads && {
        git: systemGit({
          folder: workspace.root,
          parent: settings.git.parent,
          environment: environment(),
        }),
      }),
      ...(watchdog && { doing: watchdog.doing, resting: (rests) => watchdog.rest(rests) }),
    });
    const ownerToken = port === undefined ? undefined : await madeSure(workspace);
    const page = {
      assets: assetsIn(nodeDisk, pageFolder()),
      keys: new PageKeys((length) => systemRandom.name(length)),
    };
    let listening: Promise<Loopback> | undefined;
    /** On the port that was asked for, else on one that is free, once somebody opens the page. */
    const listened = async (): Promise<Loopback> => {
      listening ??= openLoopback(opened, port ?? 0);
      try {
        return await listening;
      } catch (error) {
        // Whoever opens the page next tries again.
        listening = undefined;
        throw error;
      }
    };
    const openPage: Service["openPage"] = async (seat) => {
      const { port: listens } = await listened();
      return { url: `http://127.0.0.1:${listens}/#code=${page.keys.code(seat, clock.monotonicMs())}` };
    };
    const opened: Door = openDoor({
      app: createApp(
        { memd, socket, listen, stop: askStop, openPage },
        reads ? SERVED.map((each) => readOnly(each, workspace)) : SERVED,
      ),
      ownerToken,
      tokens: () => readTokens(nodeDisk, workspace),
      monotonicMs: () => clock.monotonicMs(),
      page,
    });
    const loopback = port === undefined ? undefined : await listened();
    open(opened);
    const stop = async (): Promise<void> => {
      (await listening?.catch(() => undefined))?.close();
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

/** The owner's token: made anew when its file is gone, and readable by this user alone. */
async function madeSure(workspace: Workspace): Promise<string> {
  const file = at(workspace, FILES.token);
  const token = tokenOr((length) => systemRandom.name(length), await readText(nodeDisk, file));
  await publish(ownerless, file, `${token}\n`);
  return token;
}

interface Loopback {
  port: number;
  close: () => void;
}

async function openLoopback(door: Door, port: number): Promise<Loopback> {
  let listening = port;
  const opened = await listenLoopback(
    (request) => door(request, { kind: "loopback", port: listening }),
    port,
  );
  listening = opened.port;
  return opened;
}
