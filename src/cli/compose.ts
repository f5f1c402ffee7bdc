/** A memd on this machine's real ports, owning its workspace. */
import { defined } from "../model/collections.js";
import { type Clock, systemRandom } from "../platform/clock.js";
import { basename, join, realFolder } from "../platform/files.js";
import { fileLocks } from "../platform/lock.js";
import { fileLog, listeningLog, teeLog, type LogEvent } from "../platform/log.js";
import { nodeDisk, ownerless } from "../platform/node-disk.js";
import { takeOwnership } from "../platform/owner.js";
import { indexThreads, promptsFolder, workerEntry } from "../platform/package-root.js";
import { environment } from "../platform/process.js";
import { systemRipgrep } from "../platform/ripgrep.js";
import { nodeSpawn } from "../platform/spawn.js";
import { fileWatch } from "../platform/watch.js";
import { listenLoopback, serverFor } from "../platform/http.js";
import { publish, readText } from "../protocol/publish.js";
import { readSettings } from "../protocol/settings.js";
import { readTokens } from "../protocol/tokens.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import { noteOwner, ownerGuard } from "../protocol/owner-note.js";
import { indexIn } from "../recall/index/open.js";
import { createApp } from "../serve/app.js";
import { type Door, openDoor } from "../serve/door.js";
import { tokenOr } from "../serve/guard.js";
import { Memd } from "../service/memd.js";

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

/** Undefined when another process owns the workspace. Throws what is wrong with the settings before anything is touched. */
export async function becomeOwner(
  workspace: Workspace,
  socket: string,
  clock: Clock,
  port?: number,
): Promise<Running | undefined> {
  const settings = await readSettings(nodeDisk, workspace);
  // A link in place of a folder of memd's is told before anything is touched.
  await nodeDisk.list(workspace.root);
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
    if (!(await noteOwner(workspace, socket))) {
      await ownership.release();
      return undefined;
    }
    await nodeDisk.makeDir(at(workspace, FILES.logs));
    const logs = await realFolder(nodeDisk, at(workspace, FILES.logs));
    const log = teeLog(
      fileLog(join(logs, basename(FILES.log)), clock),
      listeningLog((event) => {
        for (const hear of hearers) hear(event);
      }),
    );
    const memd = new Memd({
      workspace,
      settings,
      disk: nodeDisk,
      clock,
      random: systemRandom,
      locks: fileLocks,
      watch: fileWatch,
      spawn: nodeSpawn,
      ripgrep: systemRipgrep(),
      openIndex: indexIn(await realFolder(nodeDisk, at(workspace, FILES.index)), indexThreads()),
      log,
      systemZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
      environment: environment(),
      workerEntry: workerEntry(),
      promptFolders: [await realFolder(nodeDisk, at(workspace, "prompts")), promptsFolder()],
      guard: ownerGuard(workspace, ownership),
    });
    const ownerToken = port === undefined ? undefined : await madeSure(workspace);
    const opened = openDoor({
      app: createApp({ memd, socket, listen, stop: askStop }),
      ownerToken,
      tokens: () => readTokens(nodeDisk, workspace),
      monotonicMs: () => clock.monotonicMs(),
    });
    const loopback = port === undefined ? undefined : await openLoopback(opened, port);
    open(opened);
    const stop = async (): Promise<void> => {
      loopback?.close();
      await memd.stop();
      await log.close();
      await ownership.release();
    };
    return defined({ memd, socket, listen, stopAsked, stop, port: loopback?.port });
  } catch (error) {
    await ownership.release();
    throw error;
  }
}

/** The owner's token: made anew when its file is gone, and readable by this user alone. */
async function madeSure(workspace: Workspace): Promise<string> {
  const file = at(workspace, FILES.token);
  const token = tokenOr((length) => systemRandom.name(length), await readText(nodeDisk, file));
  await publish(ownerless, file, `${token}\n`);
  return token;
}

async function openLoopback(door: Door, port: number): Promise<{ port: number; close: () => void }> {
  let listening = port;
  const opened = await listenLoopback(
    (request) => door(request, { kind: "loopback", port: listening }),
    port,
  );
  listening = opened.port;
  return opened;
}
