/** A thread that explores what it is sent: a share, and the bundle of memd and the explorer to do it with. */
import { parentPort } from "node:worker_threads";
import type * as Explorer from "./explorer.js";
import type { Explored, Share } from "./explorer.js";

export interface Order {
  /** Path of a bundle of explorer.ts. */
  entry: string;
  share: Share;
}

export type Told = { is: "progress"; states: number } | ({ is: "done" } & Explored);

const port = parentPort;
if (port === null) throw new Error("this runs as a thread");
const tell = (told: Told): void => port.postMessage(told);

port.on("message", ({ entry, share }: Order) => {
  // A failure ends the thread, which its owner is told.
  void explored(entry, share);
});

async function explored(entry: string, share: Share): Promise<void> {
  const { exploreShare } = (await import(entry)) as typeof Explorer;
  tell({ is: "done", ...(await exploreShare(share, (states) => tell({ is: "progress", states }))) });
}
