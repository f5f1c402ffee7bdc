/**
 * The two sides of one observation: what was observed in a group is a record of
 * the group's and one of the sender's, and is shown once.
 *
 * Pure. They are told by their ids, which differ in the side alone: one of them
 * may have been edited.
 */
import type { Passage } from "../model/passage.js";

/** The first of each pair, in the same order. */
export function oneSideEach<T extends { passage: Passage }>(inOrder: readonly T[]): T[] {
  const seen = new Set<string>();
  return inOrder.filter(({ passage }) => {
    const observation = observationOf(passage);
    if (observation === undefined) return true;
    const isNew = !seen.has(observation);
    seen.add(observation);
    return isNew;
  });
}

function observationOf({ id, path, kind, scope, perspective }: Passage): string | undefined {
  const name = id.slice(path.length + 1);
  const side = `_${perspective}`;
  if (perspective === undefined || !name.endsWith(side)) return undefined;
  return JSON.stringify([kind, scope, name.slice(0, -side.length)]);
}
