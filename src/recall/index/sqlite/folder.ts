/** Which file holds which partition. Names are hashes: an id of a scope may hold anything. */
import { contentHash } from "../../../platform/hash.js";
import { filesWithEnding } from "../../../platform/sqlite.js";
import type { PartitionId } from "../partitions.js";

const ENDING = ".sqlite";

export function pathOfPartition(folder: string, id: PartitionId): string {
  return `${folder}/${contentHash(id)}${ENDING}`;
}

export function indexFiles(folder: string): string[] {
  return filesWithEnding(folder, ENDING);
}
