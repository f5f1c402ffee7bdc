/**
 * What a verbatim day becomes when messages are added to it.
 *
 * Pure. Blocks that stand are kept byte for byte, so a hand edit survives; a
 * new version replaces the block of the old one unless a person changed it.
 */
import { isGroup, scopeOf } from "../model/address.js";
import type { FiledMessage, MessageId } from "../model/message.js";
import type { Day, EpochMs } from "../model/time.js";
import { newPreamble, type VerbatimBlock, type VerbatimFile } from "../protocol/verbatim.js";
import { versionHash } from "./identity.js";

type Block = Pick<VerbatimBlock, "filed" | "raw">;

/** A block may be printed whenever it is asked for its `raw`. */
export interface Addition extends Block {
  /** Hash of the version whose block was written before, when one was. */
  settled?: string;
}

type Present = Pick<VerbatimFile, "preamble" | "blocks">;

export interface NewDay {
  preamble: string;
  blocks: Block[];
  /** Something is to be written. */
  changed: boolean;
  /** New versions of blocks that a person had changed: kept beside. */
  conflicts: FiledMessage[];
  /** New versions of blocks that are not here: a person deleted them, or their file cannot be read now. */
  homeless: FiledMessage[];
}

/** The day with the additions, in order of time. A settled message without a block was deleted by a person and stays away. */
export function addToDay(day: Day, present: readonly Present[], additions: readonly Addition[]): NewDay {
  const blocks = uniqueBlocks(present);
  const byId = new Map(blocks.map((block, index) => [block.filed.message.id, index]));
  const conflicts: FiledMessage[] = [];
  const homeless: FiledMessage[] = [];
  const fresh: Block[] = [];
  let changed = present.length > 1;
  for (const addition of additions) {
    const { filed, settled } = addition;
    const index = byId.get(filed.message.id);
    const block = index === undefined ? undefined : blocks[index];
    if (index === undefined || block === undefined) {
      if (settled === undefined) fresh.push(addition);
      else homeless.push(filed);
      continue;
    }
    const standing = versionHash(block.filed.message);
    if (standing === versionHash(filed.message)) continue;
    if (settled !== undefined && standing !== settled) {
      conflicts.push(filed);
      continue;
    }
    blocks[index] = addition;
    changed = true;
  }
  return {
    preamble: present[0]?.preamble ?? newPreamble(day),
    blocks: mergeByTime(blocks, fresh),
    changed: changed || fresh.length > 0,
    conflicts,
    homeless,
  };
}

/** Where a crash left a day in two places, each message counts once; the first file wins. */
function uniqueBlocks(files: readonly Present[]): Block[] {
  const [first, ...others] = files;
  if (first === undefined) return [];
  const seen = new Set<MessageId>(first.blocks.map((block) => block.filed.message.id));
  const more: VerbatimBlock[] = [];
  for (const block of others.flatMap((file) => file.blocks)) {
    if (seen.has(block.filed.message.id)) continue;
    seen.add(block.filed.message.id);
    more.push(block);
  }
  return mergeByTime(first.blocks, more);
}

/** Standing blocks keep their order, whatever a person made of it; new ones go in by time. */
function mergeByTime<T extends { filed: FiledMessage }>(standing: readonly T[], fresh: readonly T[]): T[] {
  const at = ({ filed }: T): EpochMs => filed.filedAt;
  const sorted = [...fresh].sort((a, b) => at(a) - at(b));
  const merged: T[] = [];
  let next = 0;
  for (const block of standing) {
    for (let add = sorted[next]; add !== undefined && at(add) < at(block); add = sorted[++next])
      merged.push(add);
    merged.push(block);
  }
  return [...merged, ...sorted.slice(next)];
}

/** Of several people, in a place that is no group: each of them is shown the file's name beside what is theirs. */
export function isShared(filed: readonly FiledMessage[]): boolean {
  const [first] = filed;
  if (first === undefined || isGroup(scopeOf(first.message))) return false;
  return filed.some(({ belongsTo }) => belongsTo !== first.belongsTo);
}

/** Names `wanted`, `wanted-2`, …: the first that is free. */
export function freeName(dir: string, day: Day, slug: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const path = `${dir}/${day}-${slug}${n === 1 ? "" : `-${n}`}.md`;
    if (!taken.has(path)) return path;
  }
}
