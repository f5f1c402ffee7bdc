/**
 * The `sqlite` engine: FTS5 in one file for each partition, written by one thread
 * and searched by another, so that neither waits for the other nor the caller
 * for both.
 *
 * The files are derived: what a crash, a full disk or a damaged file takes
 * away is read again from the memory itself.
 */
import type { Engine } from "../engine.js";
import { partitionOf, type PartitionId } from "../partitions.js";
import type { FolderThreads } from "./index-threads.js";
import type { FileWritten, ReaderMessage, WriterMessage } from "./messages.js";
import { passageFrom } from "./stored-passage.js";
import type { Beginning, Found, Frequencies, Newest, PassagesOfPath } from "./reader.js";
import type { KnownFile } from "./partition-file.js";
import type { IndexState, Written } from "./writer.js";

export interface SqliteParts {
  threads: FolderThreads;
  /** Some of the index was damaged and is gone: what it held must be read again. */
  onLost: (partitions: number) => void;
}

export async function sqliteEngine({ threads, onLost }: SqliteParts): Promise<Engine> {
  const write = async <T>(message: WriterMessage, given?: Uint8Array): Promise<T> => {
    if (!threads.isRunning("writer")) {
      const unusable = Number(await threads.ask("writer", { do: "unusable" }));
      if (unusable > 0) {
        // Files that are gone may be open to who reads.
        await read({ do: "forget", partitions: state.partitions.map(({ id }) => id) });
        await lost(unusable);
      }
    }
    return (await threads.ask("writer", message, given)) as T;
  };
  const read = async <T>(message: ReaderMessage): Promise<T> => (await threads.ask("reader", message)) as T;

  let state: IndexState = { files: new Map(), partitions: [], passages: 0 };
  /** Of the files of the state. */
  let stamps = new Map<string, string>();
  const stands = (now: IndexState): void => {
    state = now;
    stamps = new Map([...now.files].map(([path, { stamp }]) => [path, stamp]));
  };
  const lost = async (partitions: number): Promise<void> => {
    stands(await write<IndexState>({ do: "state" }));
    onLost(partitions);
  };
  stands(await write<IndexState>({ do: "state" }));

  /** `now` is what the path is from here on; undefined removes it. */
  const wrote = async (path: string, now: KnownFile | undefined, message: WriterMessage): Promise<void> =>
    took(path, now, await write<Written>(message));
  const took = async (path: string, now: KnownFile | undefined, written: Written): Promise<void> => {
    if (now === undefined) {
      state.files.delete(path);
      stamps.delete(path);
    } else {
      state.files.set(path, now);
      stamps.set(path, now.stamp);
    }
    state = {
      files: state.files,
      partitions: written.partitions ?? state.partitions,
      passages: written.passages,
    };
    const closed = [...written.gone, ...written.lost];
    if (closed.length > 0) await read({ do: "forget", partitions: closed });
    if (written.lost.length > 0) await lost(written.lost.length);
  };
  const discarded = async (damaged: readonly PartitionId[]): Promise<void> => {
    for (const partition of damaged) await write({ do: "discard", partition });
    if (damaged.length > 0) await lost(damaged.length);
  };

  return {
    upsert: (path, stamp, passages) => {
      const partitions = [...new Set(passages.map((passage) => partitionOf(passage).id))];
      return wrote(path, { stamp, partitions }, { do: "upsert", path, stamp, passages });
    },
    upsertFile: async (fileRead) => {
      const { file, stamp } = fileRead;
      const answer = await write<FileWritten>({ do: "upsertFile", read: fileRead }, fileRead.bytes);
      if ("notMemory" in answer) return answer.notMemory;
      await took(file.path, { stamp, partitions: answer.partitions }, answer.written);
      return undefined;
    },
    remove: (path) => wrote(path, undefined, { do: "remove", path }),
    scrub: async (partitions, whole = false) => {
      // Whoever reads keeps the log from being emptied.
      await read({ do: "forget", partitions });
      const written = await write<Written>({ do: "scrub", partitions, whole });
      if (written.lost.length > 0) await lost(written.lost.length);
    },
    stamps: async () => stamps,
    partitions: async () => state.partitions,
    size: async () => ({
      files: state.files.size,
      passages: state.passages,
      partitions: state.partitions.length,
    }),
    passagesAt: async (path, which) => {
      const standing = (state.files.get(path)?.partitions ?? []) as readonly PartitionId[];
      const partitions =
        which !== undefined && "partitions" in which
          ? standing.filter((id) => which.partitions.includes(id))
          : standing;
      if (partitions.length === 0) return [];
      const { passages, damaged } = await read<PassagesOfPath>({
        do: "passagesAt",
        path,
        partitions,
        ...(which && { which }),
      });
      await discarded(damaged);
      return passages;
    },
    pathsIn: async (partitions) => {
      const open = new Set<string>(partitions);
      return [...state.files].flatMap(([path, file]) =>
        file.partitions.some((id) => open.has(id)) ? [path] : [],
      );
    },
    search: async (query) => {
      const { damaged, statistics, hits } = await read<Found>({ do: "search", query });
      await discarded(damaged);
      return { statistics, hits: hits.map((hit) => ({ ...hit, passage: passageFrom(hit.passage) })) };
    },
    newest: async (query) => {
      const { damaged, passages } = await read<Newest>({ do: "newest", query });
      await discarded(damaged);
      return passages.map(passageFrom);
    },
    frequencies: async (partitions, terms) => {
      const { damaged, frequencies } = await read<Frequencies>({ do: "frequencies", partitions, terms });
      await discarded(damaged);
      return frequencies;
    },
    beginning: async (partitions, letters) => {
      const { damaged, terms } = await read<Beginning>({ do: "beginning", partitions, letters });
      await discarded(damaged);
      return terms;
    },
    unembedded: (space, most) => write({ do: "unembedded", space, most }),
    embed: (space, vectors) => write({ do: "embed", space, vectors }),
    spaces: () => write({ do: "spaces" }),
    forgetSpace: (space) => write({ do: "forgetSpace", space }),
    isAlive: () => threads.isAlive(),
    close: () => threads.close(),
  };
}
