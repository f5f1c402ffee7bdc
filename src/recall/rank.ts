/**
 * The order of hits, and what is said twice.
 *
 * Pure. Equal scores are ordered by where they stand (memory.md, recent, the
 * rest: seed 000), then by id, so the same files always give the same answer.
 */
import type { Hit, Passage } from "../model/passage.js";
import { foldText } from "../text/fold.js";

/** Scores closer than this are equal: sums of the same parts may differ in their last bits. */
const EQUAL_WITHIN = 1e-9;

export function ranked(hits: readonly Hit[]): Hit[] {
  return [...hits].sort((a, b) => {
    const apart = Math.round((b.score - a.score) / EQUAL_WITHIN);
    return apart || priorityOf(a.passage) - priorityOf(b.passage) || (a.passage.id < b.passage.id ? -1 : 1);
  });
}

/** The best `limit`, each text of each speaker once. Only copies go: the same words in the same order. */
export function bestWithoutCopies(inOrder: readonly Hit[], limit: number): Hit[] {
  const seen = new Set<string>();
  const best: Hit[] = [];
  for (const hit of inOrder) {
    if (best.length === limit) break;
    const text = contentOf(hit.passage);
    if (seen.has(text)) continue;
    seen.add(text);
    best.push(hit);
  }
  return best;
}

function priorityOf({ kind, path }: Passage): number {
  if (kind === "memory") return 0;
  return kind === "message" && !path.includes("/archive/") ? 1 : 2;
}

/** The text without case, punctuation and spelling of characters. */
function contentOf({ speaker, text }: Passage): string {
  const words = foldText(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
  return JSON.stringify([speaker ?? null, words === "" ? text : words]);
}
