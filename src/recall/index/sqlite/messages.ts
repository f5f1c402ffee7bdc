/** What is sent to the two threads of the index, and what they do with it. */
import { messageOf } from "../../../model/errors.js";
import type { Passage } from "../../../model/passage.js";
import type { SpaceId } from "../../../model/space.js";
import { zoneOf } from "../../../model/time.js";
import { useOwnPatterns } from "../../../text/redact.js";
import { isOfItsText, passagesOfFile } from "../../file-passages.js";
import type { Embedded, EngineQuery, FileRead, Holding, NewestQuery, Stretch } from "../engine.js";
import { type OpenPartition, partitionOf, type PartitionId } from "../partitions.js";
import type { IndexReader } from "./reader.js";
import type { IndexWriter, Written } from "./writer.js";

export type WriterMessage =
  | { do: "upsert"; path: string; stamp: string; passages: readonly Passage[] }
  | { do: "upsertFile"; read: FileRead }
  | { do: "remove"; path: string }
  | { do: "state" }
  | { do: "unusable" }
  | { do: "unembedded"; space: SpaceId; most: number }
  | { do: "embed"; space: SpaceId; vectors: readonly Embedded[] }
  | { do: "spaces" }
  | { do: "forgetSpace"; space: SpaceId }
  | { do: "discard"; partition: PartitionId }
  | { do: "scrub"; partitions: readonly PartitionId[]; whole: boolean };

export type ReaderMessage =
  | { do: "search"; query: EngineQuery }
  | { do: "newest"; query: NewestQuery }
  | { do: "passagesAt"; path: string; partitions: readonly PartitionId[]; which?: Holding | Stretch }
  | { do: "frequencies"; partitions: readonly OpenPartition[]; terms: readonly string[] }
  | { do: "beginning"; partitions: readonly OpenPartition[]; letters: string }
  | { do: "forget"; partitions: readonly PartitionId[] };

export function writerAnswer(writer: IndexWriter, message: WriterMessage): unknown {
  switch (message.do) {
    case "upsert":
      return writer.upsert(message.path, message.stamp, message.passages);
    case "upsertFile":
      return writtenFrom(writer, message.read);
    case "remove":
      return writer.remove(message.path);
    case "state":
      return writer.state();
    case "unusable":
      return writer.unusableOnce();
    case "unembedded":
      return writer.unembedded(message.space, message.most);
    case "embed":
      return writer.embed(message.space, message.vectors);
    case "spaces":
      return writer.spaces();
    case "forgetSpace":
      return writer.forgetSpace(message.space);
    case "discard":
      return writer.discard(message.partition);
    case "scrub":
      return writer.scrub(message.partitions, message.whole);
    default:
      return message satisfies never;
  }
}

export type FileWritten = { notMemory: string } | { written: Written; partitions: PartitionId[] };

function writtenFrom(writer: IndexWriter, { file, stamp, bytes, zone, patterns }: FileRead): FileWritten {
  useOwnPatterns("index", patterns);
  try {
    const { passages, belonging } = passagesOfFile(file, bytes, zoneOf(zone));
    if (belonging === undefined) return writtenAs(writer, file.path, stamp, [...passages]);
    const partition = partitionOf(belonging);
    return {
      written: writer.replace(file.path, stamp, [{ partition, passages }]),
      partitions: [partition.id],
    };
  } catch (error) {
    if (isOfItsText(error)) return { notMemory: messageOf(error) };
    throw error;
  }
}

function writtenAs(
  writer: IndexWriter,
  path: string,
  stamp: string,
  passages: readonly Passage[],
): FileWritten {
  const partitions = [...new Set(passages.map((passage) => partitionOf(passage).id))];
  return { written: writer.upsert(path, stamp, passages), partitions };
}

export function readerAnswer(reader: IndexReader, message: ReaderMessage): unknown {
  switch (message.do) {
    case "search":
      return reader.search(message.query);
    case "newest":
      return reader.newest(message.query);
    case "passagesAt":
      return reader.passagesAt(message.path, message.partitions, message.which);
    case "frequencies":
      return reader.frequencies(message.partitions, message.terms);
    case "beginning":
      return reader.beginning(message.partitions, message.letters);
    case "forget":
      for (const partition of message.partitions) reader.forget(partition);
      return undefined;
    default:
      return message satisfies never;
  }
}
