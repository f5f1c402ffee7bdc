/** A memd on this machine's real ports, in a workspace that this process owns. */
import { defined } from "../model/collections.js";
import { MemdError } from "../model/errors.js";
import type { Settings } from "../model/settings.js";
import type { Places } from "../llm/places.js";
import { type Clock, systemRandom } from "../platform/clock.js";
import type { Disk } from "../platform/disk.js";
import { basename, join, realFolder } from "../platform/files.js";
import { systemGit } from "../platform/git.js";
import { fileLocks, noLocks } from "../platform/lock.js";
import { fileLog, listeningLog, type LogEvent, silentLog, teeLog, toldTo } from "../platform/log.js";
import { systemMachine } from "../platform/machine.js";
import { nodeDisk, ownerless } from "../platform/node-disk.js";
import type { Ownership } from "../platform/owner.js";
import { pageFolder, promptsFolder, workerEntry } from "../platform/package-root.js";
import { environment as processEnvironment } from "../platform/process.js";
import { systemRipgrep } from "../platform/ripgrep.js";
import { nodeSpawn } from "../platform/spawn.js";
import { fileWatch, watchFolders } from "../platform/watch.js";
import type { Watchdog } from "../platform/watchdog.js";
import { noteOwner, ownerGuard } from "../protocol/owner-note.js";
import { publish, readText } from "../protocol/publish.js";
import { readTokens } from "../protocol/tokens.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import { indexIn, indexInMemory } from "../recall/index/open.js";
import type { IndexThreads } from "../recall/index/sqlite/index-threads.js";
import { createApp } from "../serve/app.js";
import { type Door, openDoor } from "../serve/door.js";
import { tokenOr } from "../serve/guard.js";
import { assetsIn } from "../serve/page/assets.js";
import { PageKeys } from "../serve/page/keys.js";
import { Memd } from "../service/memd.js";
import { onlyReads } from "../service/reading.js";
import { SERVED } from "../service/runs.js";
import type { Served, Service } from "../service/served.js";
import { withToldNames } from "../text/told-names.js";
import { type Loopback, openLoopback } from "./loopback.js";
import { Visitors } from "./visitors.js";

export interface OpenedMemd {
  memd: Memd;
  door: Door;
  /** Of 127.0.0.1, when it was asked for. */
  port?: number;
  /** Calls back for each event until the returned function is called. */
  listen: (hear: (event: LogEvent) => void) => () => void;
  visitors: Visitors;
  /** Ends the memd; the workspace stays this process's. */
  close: () => Promise<void>;
}

export interface OpenParts {
  workspace: Workspace;
  ownership: Ownership;
  settings: Settings;
  /** Of the file that they were read from. */
  settingsStamp: string;
  disk: Disk;
  clock: Clock;
  threads: IndexThreads;
  /** Somebody asks over the socket to stop. */
  stop: () => void;
  /** Of 127.0.0.1, beside the socket. */
  port?: number | undefined;
  /** Whoever asks elsewhere than on the socket must bring the owner's token. */
  withToken?: boolean;
  watchdog?: Watchdog | undefined;
  /** The workspace cannot be written: all that is, is in memory, and it is asked what only reads. */
  reads?: boolean;
  places?: Places;
  /** Tables of its settings file that do not count here. */
  untrusted?: readonly string[];
  /** This process's, or less of it. */
  environment?: Readonly<Record<string, string | undefined>>;
}

/** Undefined when another process has noted itself there, and lives. */
export async function openMemd(parts: OpenParts): Promise<OpenedMemd | undefined> {
  const { workspace, ownership, settings, settingsStamp, disk, clock, port, watchdog, reads = false } = parts;
  const { socket } = ownership;
  const { environment = processEnvironment() } = parts;
  const note = await noteOwner(disk, workspace, socket);
  if (note === undefined) return undefined;
  const hearers = new Set<(event: LogEvent) => void>();
  const listen: OpenedMemd["listen"] = (hear) => {
    hearers.add(hear);
    return () => hearers.delete(hear);
  };
  await disk.makeDir(at(workspace, FILES.logs));
  const logFile = join(await realFolder(disk, at(workspace, FILES.logs)), basename(FILES.log));
  const heard = listeningLog((event) => {
    for (const hear of hearers) hear(event);
  });
  const log = toldTo(teeLog(reads ? silentLog : fileLog(logFile, clock), heard), withToldNames);
  watchdog?.watch(logFile, clock, log);
  // Before anything is begun that would have to be ended where this fails.
  const ownerToken = port === undefined && parts.withToken !== true ? undefined : await madeSure(workspace);
  const memd = new Memd({
    workspace,
    settings,
    settingsStamp,
    disk,
    clock,
    random: systemRandom,
    locks: reads ? noLocks : fileLocks,
    watch: fileWatch,
    watchFolder: (dir, changed) => watchFolders([dir], changed).close,
    spawn: nodeSpawn,
    ripgrep: systemRipgrep(),
    machine: systemMachine(),
    openIndex: reads
      ? indexInMemory
      : indexIn(await realFolder(disk, at(workspace, FILES.index)), parts.threads),
    log,
    systemZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    environment,
    workerEntry: workerEntry(),
    promptFolders: [await realFolder(disk, at(workspace, "prompts")), promptsFolder()],
    guard: reads ? () => Promise.resolve() : ownerGuard(disk, workspace, ownership, note),
    ...(!reads && {
      git: systemGit({
        folder: workspace.root,
        parent: settings.git.parent,
        environment,
      }),
    }),
    ...defined({ places: parts.places, untrusted: parts.untrusted }),
    ...(watchdog && { doing: watchdog.doing, resting: (rests) => watchdog.rest(rests) }),
  });
  const page = {
    assets: assetsIn(nodeDisk, pageFolder()),
    keys: new PageKeys((length) => systemRandom.name(length)),
  };
  let listening: Promise<Loopback> | undefined;
  /** On the port that was asked for, else on one that is free, once somebody opens the page. */
  const listened = async (): Promise<Loopback> => {
    listening ??= openLoopback(door, port ?? 0);
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
  const visitors = new Visitors(clock);
  const door = visitors.through(
    openDoor({
      app: createApp(
        { memd, socket, listen, stop: parts.stop, openPage },
        reads ? SERVED.map((each) => readOnly(each, workspace)) : SERVED,
      ),
      ownerToken,
      tokens: () => readTokens(nodeDisk, workspace),
      monotonicMs: () => clock.monotonicMs(),
      page,
    }),
  );
  const loopback = port === undefined ? undefined : await listened();
  const close = async (): Promise<void> => {
    (await listening?.catch(() => undefined))?.close();
    visitors.showOut();
    await memd.stop();
    await watchdog?.stop();
    await log.close();
  };
  return defined({ memd, door, listen, visitors, close, port: loopback?.port });
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
