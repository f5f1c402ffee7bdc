/** Opens the engine that the settings ask for. */
import type { Pace } from "../../model/work.js";
import { MemdError, messageOf } from "../../model/errors.js";
import { startThread } from "../../platform/thread.js";
import { MINUTE_MS } from "../../model/time.js";
import type { Engine } from "./engine.js";
import { memoryEngine } from "./memory.js";
import { IndexThreads, type IndexThread } from "./sqlite/index-threads.js";
import { sqliteEngine } from "./sqlite/sqlite.js";

export type EngineName = "sqlite" | "memory";

export interface IndexRequest {
  engine: EngineName | "auto";
  /** Awaited between pieces of long work in this thread. */
  pace: Pace;
  /** Some of the index was damaged and is gone: what it held must be read again. */
  onLost: (partitions: number) => void;
  /** `auto` could not have sqlite, for this reason. */
  onFallback: (reason: string) => void;
  /** Nobody has asked the index for a while; or, with false, somebody asks it again. */
  onRest?: (rests: boolean) => void;
}

export interface OpenedIndex {
  engine: Engine;
  name: EngineName;
}

export type OpenIndex = (request: IndexRequest) => Promise<OpenedIndex>;

/** Of a talk with pauses to think nobody waits for the index to be opened; a workspace that nobody talks to costs little. */
const RESTS_AFTER_MS = 3 * MINUTE_MS;

/** The threads of the index, by the built entries of the writer and the reader. */
export function threadsIn(entries: Readonly<Record<IndexThread, string>>, isShared = false): IndexThreads {
  const begins = {
    reader: () => startThread(entries.reader, undefined),
    writer: () => startThread(entries.writer, undefined),
  };
  return new IndexThreads(begins, RESTS_AFTER_MS, isShared);
}

/** `threads`: of all indexes that this process has. */
export function indexIn(folder: string, threads: IndexThreads): OpenIndex {
  return async ({ engine, pace, onLost, onFallback, onRest }) => {
    if (engine === "memory") return inMemory(pace);
    const ofFolder = threads.of(folder, onRest);
    try {
      return { engine: await sqliteEngine({ threads: ofFolder, onLost }), name: "sqlite" };
    } catch (error) {
      await ofFolder.close();
      if (engine === "sqlite")
        throw new MemdError("index_fault", `The sqlite index cannot be opened: ${messageOf(error)}.`, {
          cause: error,
        });
      onFallback(messageOf(error));
      return inMemory(pace);
    }
  };
}

/** For tests, and for workspaces that are thrown away or cannot be written. */
export const indexInMemory: OpenIndex = async ({ pace }) => inMemory(pace);

function inMemory(pace: IndexRequest["pace"]): OpenedIndex {
  return { engine: memoryEngine(pace), name: "memory" };
}

/** A thread that ended answers nobody any more. */
export async function isDead(opening: Promise<OpenedIndex>): Promise<boolean> {
  return opening.then(({ engine }) => !engine.isAlive()).catch(() => true);
}
