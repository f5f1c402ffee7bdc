/**
 * Ids for messages that come without one.
 *
 * Pure. Two equal messages are two messages ("好的" twice in a second), so ids
 * are told apart by counting, and counting is by aligning with the previous
 * reading: a host drops the oldest and appends at the end. In doubt a message
 * counts as new and is kept twice rather than lost.
 */
import { contentHash, shortHash } from "../platform/hash.js";
import { sessionOf, type IncomingMessage, type Message, type MessageId } from "../model/message.js";

/** One message without an id, as it stood in a reading of a file. */
export interface Read {
  natural: string;
  id: MessageId;
}

/** Hash of role, speaker, session, time and text. */
export function naturalHash(message: IncomingMessage): string {
  const { role, speaker = "", createdAt, text } = message;
  return contentHash(JSON.stringify([role, speaker, sessionOf(message), createdAt, text]));
}

/** Long texts are hashed once: messages are never changed in place. */
const versions = new WeakMap<object, string>();

/** Hash of what makes a version: text and tool part. Other fields may change without a new version. */
export function versionHash(message: Pick<IncomingMessage, "text" | "tool">): string {
  const known = versions.get(message);
  if (known !== undefined) return known;
  const hash = contentHash(
    message.tool === undefined ? message.text : JSON.stringify([message.text, message.tool]),
  );
  versions.set(message, hash);
  return hash;
}

/** The message under an id; its text, and so its version, stays the same. */
export function named(message: IncomingMessage, id: MessageId): Message {
  const copy = { ...message, id };
  versions.set(copy, versionHash(message));
  return copy;
}

/** The id of another message that came under a taken id: other session or other time. */
export function apartId(message: IncomingMessage & { id: MessageId }): MessageId {
  return `${message.id}~${shortHash(JSON.stringify([sessionOf(message), message.createdAt]))}` as MessageId;
}

/** Ids for the present reading, in its order; what aligns with the previous reading keeps its id. */
export function idsFor(previous: readonly Read[], present: readonly string[]): MessageId[] {
  const kept = alignment(
    previous.map((read) => read.natural),
    present,
  );
  const taken = new Set(previous.map((read) => read.id));
  return present.map((natural, index) => {
    const before = kept.get(index);
    const read = before === undefined ? undefined : previous[before];
    if (read !== undefined) return read.id;
    for (let occurrence = 1; ; occurrence++) {
      const id = (occurrence === 1 ? `n-${natural}` : `n-${natural}-${occurrence}`) as MessageId;
      if (taken.has(id)) continue;
      taken.add(id);
      return id;
    }
  });
}

/**
 * Longest common subsequence (Hunt and Szymanski): present index → previous
 * index. Almost all hashes are unique, so this is close to n log n.
 */
function alignment(previous: readonly string[], present: readonly string[]): Map<number, number> {
  const places = new Map<string, number[]>();
  for (const [index, hash] of previous.entries()) places.set(hash, [index, ...(places.get(hash) ?? [])]);
  interface Link {
    present: number;
    previous: number;
    before: Link | undefined;
  }
  /** tails[n]: the chain of length n + 1 that ends earliest in `previous`. */
  const tails: Link[] = [];
  for (const [index, hash] of present.entries()) {
    for (const place of places.get(hash) ?? []) {
      let low = 0;
      for (let high = tails.length; low < high;) {
        const middle = (low + high) >> 1;
        if ((tails[middle]?.previous ?? Infinity) < place) low = middle + 1;
        else high = middle;
      }
      // The same place again: of equal messages the earlier one is the one that was there.
      if (tails[low]?.previous === place) continue;
      tails[low] = { present: index, previous: place, before: tails[low - 1] };
    }
  }
  const pairs = new Map<number, number>();
  for (let link = tails.at(-1); link !== undefined; link = link.before)
    pairs.set(link.present, link.previous);
  return pairs;
}
