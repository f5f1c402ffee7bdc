/** This process in the owner's place of one workspace, and the memd that it runs there. */
import { defined } from "../model/collections.js";
import type { Clock } from "../platform/clock.js";
import { stampOf } from "../platform/files.js";
import { serverFor } from "../platform/http-server.js";
import { diskBelow, nodeDisk } from "../platform/node-disk.js";
import { overlayDisk } from "../platform/overlay-disk.js";
import { takeOwnership } from "../platform/owner.js";
import { indexThreads } from "../platform/package-root.js";
import type { Watchdog } from "../platform/watchdog.js";
import { readSettings } from "../protocol/settings.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import { enclosed } from "../protocol/workspace-file.js";
import { threadsIn } from "../recall/index/open.js";
import type { Door } from "../serve/door.js";
import { openMemd, type OpenedMemd } from "./open.js";

export interface Running extends Pick<OpenedMemd, "memd" | "port" | "listen"> {
  socket: string;
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
  let askStop: () => void = () => undefined;
  const stopAsked = new Promise<void>((resolve) => {
    askStop = resolve;
  });
  // The socket must be listening before the memd exists; until then requests wait for it.
  let letIn: (door: Door) => void = () => undefined;
  const door = new Promise<Door>((resolve) => {
    letIn = resolve;
  });
  const ownership = await takeOwnership(
    socket,
    serverFor(async (request) => (await door)(request, { kind: "socket" })),
  );
  if (ownership === undefined) return undefined;
  try {
    const opened = await openMemd({
      workspace,
      ownership,
      settings,
      settingsStamp,
      disk,
      clock,
      threads: threadsIn(indexThreads()),
      stop: askStop,
      port,
      watchdog,
      reads,
    });
    if (opened === undefined) {
      await ownership.release();
      return undefined;
    }
    letIn(opened.door);
    const stop = async (): Promise<void> => {
      await opened.close();
      await ownership.release();
    };
    return defined({ memd: opened.memd, port: opened.port, listen: opened.listen, socket, stopAsked, stop });
  } catch (error) {
    await ownership.release();
    throw error;
  }
}
