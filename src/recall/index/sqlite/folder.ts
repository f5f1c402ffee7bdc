/** Which file holds which wall. Names are hashes: an id of a scope may hold anything. */
import { contentHash } from "../../../platform/hash.js";
import { filesWithEnding } from "../../../platform/sqlite.js";
import type { WallId } from "../walls.js";

const ENDING = ".sqlite";

export function pathOfWall(folder: string, id: WallId): string {
  return `${folder}/${contentHash(id)}${ENDING}`;
}

export function indexFiles(folder: string): string[] {
  return filesWithEnding(folder, ENDING);
}
