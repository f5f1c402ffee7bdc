/** Who stands next to whom among the documents of a search. Pure. */
import type { Document } from "./index/document.js";

/** Distances in a conversation at which a turn is a neighbour. */
export const AWAY = [-2, -1, 1, 2] as const;

/** For each document the indexes of its neighbours in the order of AWAY; −1 where there is none. */
export function neighbourhood(documents: readonly Document[]): Int32Array {
  const conversations = new Map<string, Map<number, number>>();
  const placesOf = (conversation: string): Map<number, number> => {
    const known = conversations.get(conversation) ?? new Map<number, number>();
    conversations.set(conversation, known);
    return known;
  };
  const places = documents.map((document, at) => {
    const { conversation, sequence } = document;
    if (conversation === undefined || sequence === undefined) return undefined;
    const ofConversation = placesOf(conversation);
    const other = documents[ofConversation.get(sequence) ?? -1];
    if (other === undefined || comesBefore(document, other)) ofConversation.set(sequence, at);
    return ofConversation;
  });
  const around = new Int32Array(documents.length * AWAY.length).fill(-1);
  for (let at = 0; at < documents.length; at++) {
    const sequence = documents[at]?.sequence;
    const ofConversation = places[at];
    if (ofConversation === undefined || sequence === undefined) continue;
    for (let place = 0; place < AWAY.length; place++)
      around[at * AWAY.length + place] = ofConversation.get(sequence + (AWAY[place] ?? 0)) ?? -1;
  }
  return around;
}

/** What was said before the calls of tools beside it; of a day that stands in two files for a moment the same one every time. */
function comesBefore(one: Document, other: Document): boolean {
  if ((one.role === "tool") !== (other.role === "tool")) return one.role !== "tool";
  return one.id < other.id;
}
