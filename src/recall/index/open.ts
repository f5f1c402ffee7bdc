/** Opens the engine that the settings ask for. */
import type { Pace } from "../../model/work.js";
import { MemdError, messageOf } from "../../model/errors.js";
import { startThread } from "../../platform/thread.js";
import type { Engine } from "./engine.js";
import { memoryEngine } from "./memory.js";
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
}

export interface OpenedIndex {
  engine: Engine;
  name: EngineName;
}

export type OpenIndex = (request: IndexRequest) => Promise<OpenedIndex>;

/** `threads`: the built entries of the writer and the reader. */
export function indexIn(folder: string, threads: { writer: string; reader: string }): OpenIndex {
  return async ({ engine, pace, onLost, onFallback }) => {
    if (engine === "memory") return inMemory(pace);
    const [writer, reader] = [threads.writer, threads.reader].map((entry) => startThread(entry, folder));
    try {
      if (writer === undefined || reader === undefined) throw new Error("no threads");
      return { engine: await sqliteEngine({ writer, reader, onLost }), name: "sqlite" };
    } catch (error) {
      await Promise.all([writer?.end(), reader?.end()]);
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
