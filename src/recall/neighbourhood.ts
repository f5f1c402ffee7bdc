/** Who stands next to whom among the documents of a search. Pure. */
import type { Document } from "./index/document.js";

/** Distances in a conversation at which a turn is a neighbour. */
export const AWAY = [-2, -1, 1, 2] as const;

/** For each document the indexes of its neighbours in the order of AWAY; −1 where there is none. */
export function neighbourhood(documents: readonly Document[]): Int32Array {
  const places = new Map<string, Map<number, number>>();
  for (const [at, { id, conversation, sequence }] of documents.entries()) {
    if (conversation === undefined || sequence === undefined) continue;
    const ofConversation = places.get(conversation) ?? new Map<number, number>();
    places.set(conversation, ofConversation);
    // A day that stands in two files for a moment has two: the same one every time.
    const other = documents[ofConversation.get(sequence) ?? -1];
    if (other === undefined || id < other.id) ofConversation.set(sequence, at);
  }
  const around = new Int32Array(documents.length * AWAY.length).fill(-1);
  for (const [at, { conversation, sequence }] of documents.entries()) {
    const ofConversation = conversation === undefined ? undefined : places.get(conversation);
    if (ofConversation === undefined || sequence === undefined) continue;
    for (const [place, away] of AWAY.entries())
      around[at * AWAY.length + place] = ofConversation.get(sequence + away) ?? -1;
  }
  return around;
}
