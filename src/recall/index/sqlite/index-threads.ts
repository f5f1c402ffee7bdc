/**
 * The two threads of the index, one that writes and one that searches, for all folders that this process has
 * an index in. They begin when they are first asked, end while nobody asks, and end for good with the last
 * folder that is closed, unless they are shared.
 */
import { RestingThreads } from "../../../platform/resting-threads.js";
import type { Thread, Work } from "../../../platform/thread.js";

export type IndexThread = "reader" | "writer";

/** What a thread is sent: of which folder it is, or, without one, that all of them are closed. */
export interface InFolder {
  folder?: string;
  message: unknown;
}

/** The threads, for one folder. */
export interface FolderThreads {
  /** Whether it has opened this folder, and asks of it go on where the last one left off. */
  isRunning(name: IndexThread): boolean;
  /** Rejects with an error of the thread's words, and where it has died or the folder is closed. */
  ask(name: IndexThread, message: unknown, given?: Uint8Array): Promise<unknown>;
  isAlive(): boolean;
  /** For good. */
  close(): Promise<void>;
}

/** `onRest`: told that the threads have ended for now, and that one has begun. */
type OnRest = (rests: boolean) => void;

const CLOSING = { message: { do: "close" } } satisfies InFolder;

export class IndexThreads {
  readonly #folders = new Map<FolderThreads, OnRest>();
  #threads: RestingThreads<IndexThread> | undefined;
  /** Counts up when threads begin: what others had open before them is open no more. */
  #begun = 0;

  constructor(
    readonly begins: Readonly<Record<IndexThread, () => Thread>>,
    readonly restsAfterMs: number,
    /** They rest like others, but do not end with the last folder: another will be opened. */
    readonly isShared = false,
  ) {}

  of(folder: string, onRest: OnRest = () => undefined): FolderThreads {
    const threads = this.#alive();
    const opened = new Map<IndexThread, number>();
    let isClosed = false;
    const isRunning = (name: IndexThread): boolean =>
      threads.isRunning(name) && opened.get(name) === this.#begun;
    const inFolder: FolderThreads = {
      isRunning,
      ask: (name, message, given) => {
        if (isClosed) return Promise.reject(new Error("The index is closed."));
        const asked = threads.ask(name, { folder, message } satisfies InFolder, given);
        // By then those that were about to end have ended, and the next have begun.
        void asked.then(() => opened.set(name, this.#begun)).catch(() => undefined);
        return asked;
      },
      isAlive: () => !isClosed && threads.isAlive(),
      close: async () => {
        isClosed = true;
        this.#folders.delete(inFolder);
        if (this.#folders.size === 0 && !this.isShared) return this.end();
        // First who reads: the writer folds its logs in, which nobody may be reading then.
        for (const name of ["reader", "writer"] as const)
          if (threads.isRunning(name))
            await threads.ask(name, { ...CLOSING, folder } satisfies InFolder).catch(() => undefined);
      },
    };
    this.#folders.set(inFolder, onRest);
    return inFolder;
  }

  /** For good, whatever is open. */
  async end(): Promise<void> {
    const threads = this.#threads;
    this.#threads = undefined;
    await threads?.close();
  }

  #alive(): RestingThreads<IndexThread> {
    if (this.#threads?.isAlive() === true) return this.#threads;
    // Where one has died nobody is answered any more, by the other either.
    void this.end();
    const { reader, writer } = this.begins;
    const closing = CLOSING;
    this.#threads = new RestingThreads(
      { reader: { begin: reader, closing }, writer: { begin: writer, closing } },
      this.restsAfterMs,
      (rests) => {
        if (!rests) this.#begun += 1;
        for (const told of this.#folders.values()) told(rests);
      },
    );
    return this.#threads;
  }
}

interface Closable {
  close(): void;
  rest(): boolean;
}

/** In the thread: one of these for each folder that is asked. */
export function byFolder<T extends Closable>(
  open: (folder: string) => T,
  answer: (opened: T, message: unknown) => unknown,
): Work {
  const folders = new Map<string, T>();
  const close = (folder: string): void => {
    folders.get(folder)?.close();
    folders.delete(folder);
  };
  return {
    answer: (asked) => {
      const { folder, message } = asked as InFolder;
      if (folder === undefined) return [...folders.keys()].forEach(close);
      if (isClosing(message)) return close(folder);
      let opened = folders.get(folder);
      if (opened === undefined) folders.set(folder, (opened = open(folder)));
      return answer(opened, message);
    },
    rest: () => [...folders.values()].some((opened) => opened.rest()),
  };
}

function isClosing(message: unknown): boolean {
  return typeof message === "object" && message !== null && "do" in message && message.do === "close";
}
