/**
 * A remembered thing is shown once: what was observed in a group is a record of
 * the group's and one of the sender's, and a record may stand in a second file
 * when nobody knew whether its first would last.
 *
 * Pure. Told by the ids, not by what they say: one of them may have been edited.
 */
import type { Passage, PassageKind } from "../model/passage.js";
import { RECORD_KINDS } from "../model/record.js";

/** The first of each, in the same order. */
export function eachOnce<T extends { passage: Passage }>(inOrder: readonly T[]): T[] {
  const seen = new Set<string>();
  return inOrder.filter(({ passage }) => {
    if (!IS_RECORD.has(passage.kind)) return true;
    const thing = thingOf(passage);
    const isNew = !seen.has(thing);
    seen.add(thing);
    return isNew;
  });
}

const IS_RECORD: ReadonlySet<PassageKind> = new Set(RECORD_KINDS);

/** Ids of two sides differ in the side alone. */
function thingOf({ id, path, kind, scope, perspective }: Passage): string {
  const name = id.slice(path.length + 1);
  const side = `_${perspective}`;
  const observation = perspective !== undefined && name.endsWith(side) ? name.slice(0, -side.length) : name;
  return JSON.stringify([kind, scope, observation]);
}
