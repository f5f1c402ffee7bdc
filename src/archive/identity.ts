/**
 * Ids for messages that come without one.
 *
 * Pure. Two equal messages are two messages ("好的" twice in a second), so ids
 * are told apart by counting, and counting is by aligning with the previous
 * reading: a host drops the oldest and appends at the end. In doubt a message
 * counts as new and is kept twice rather than lost.
 */
import { keyOf, keyOfMessage, type MessageKey, scopeOf, sessionOf } from "../model/address.js";
import {
  type FiledMessage,
  type IncomingMessage,
  type Message,
  type MessageId,
  toolsOf,
  type ToolUse,
} from "../model/message.js";
import { type EpochMs, MINUTE_MS, parseInstant } from "../model/time.js";
import { contentHash, shortHash } from "../platform/files.js";
import type { Forgotten } from "../protocol/forgotten.js";
import type { SettledKey } from "../protocol/journal.js";

/** One message without an id, as it stood in a reading of a file. */
export interface Read {
  natural: string;
  id: MessageId;
}

/** Hash of what a message says of itself: who, where, when and what. */
export function naturalHash(message: IncomingMessage): string {
  const { role, speaker = "", user = "", scope = "", createdAt, text } = message;
  const place = [role, speaker, user, scope, sessionOf(message), createdAt];
  return contentHash(JSON.stringify([...place, text, ...toolPart(message)]));
}

/** Tells messages apart that came under one id: by role, session and time, however the time is spelt. */
export function placeHash(message: Pick<IncomingMessage, "role" | "session"> & Dated): string {
  return shortHash(JSON.stringify([message.role, sessionOf(message), timeSaid(message)]));
}

/** What the journal says once the block of this version is written. */
export function settledKeyOf(
  of: { key: MessageKey; hash: string } & Parameters<typeof placeHash>[0],
): Required<SettledKey> {
  return { key: of.key, hash: of.hash, place: placeHash(of) };
}

/** The same in every copy of the message that another conversation holds. */
export function copyHash(message: Pick<IncomingMessage, "role"> & Dated, version: string): string {
  return shortHash(JSON.stringify(["copy", message.role, timeSaid(message), version]));
}

/** Where nothing is kept of the time that it gave, that is the time under which it was filed. */
interface Dated {
  createdAt?: string | undefined;
  filedAt?: EpochMs;
}

function timeSaid({ createdAt, filedAt }: Dated): EpochMs | string | undefined {
  return createdAt === undefined ? filedAt : (parseInstant(createdAt) ?? createdAt);
}

/** What a hook told and what the transcript says of it are this close. */
const TOLD_WITHIN_MS = 5 * MINUTE_MS;

/**
 * By what a message is known whatever its id and whichever conversation brings it along: what was said in
 * a place, and about when. The first of them is that of its own time.
 */
export function saidNames(
  message: Pick<IncomingMessage, "role" | "scope">,
  version: string,
  at: EpochMs,
): { key: MessageKey; place: string }[] {
  const key = keyOf(scopeOf(message), `said-${version}` as MessageId);
  const own = Math.floor(at / TOLD_WITHIN_MS);
  const placeOf = (span: number): string => shortHash(JSON.stringify(["said", message.role, span]));
  return [own, own - 1, own + 1].map((span) => ({ key, place: placeOf(span) }));
}

/** Long texts are hashed once: messages are never changed in place. */
const versions = new WeakMap<object, string>();
/** By version, the message that was last seen with a long text; it keeps none of them. */
const holders = new Map<string, WeakRef<Pick<IncomingMessage, "text">>>();
const ended = new FinalizationRegistry<string>((hash) => {
  if (holders.get(hash)?.deref() === undefined) holders.delete(hash);
});
const LONG_CHARS = 2000;

type Versioned = Pick<IncomingMessage, "text" | "tool" | "moreTools" | "private">;

/** Hash of what makes a version: text, tool part, whether it is private. Other fields may change without a new version. */
export function versionHash(message: Versioned): string {
  return versions.get(message) ?? noteVersion(message, hashOfVersion(message));
}

function hashOfVersion(message: Versioned): string {
  const { text } = message;
  const isPrivate = message.private === true;
  const [first, ...more] = toolPart(message);
  return contentHash(first === null && !isPrivate ? text : JSON.stringify([text, first, isPrivate, ...more]));
}

function noteVersion(message: Versioned, hash: string): string {
  versions.set(message, hash);
  if (message.text.length >= LONG_CHARS) {
    holders.set(hash, new WeakRef(message));
    ended.register(message, hash);
  }
  return hash;
}

/**
 * The message with its text as that is held already, where it is: hosts write a whole list anew
 * for each message, and what stands in both lists and waits for its block is held once.
 */
export function heldOnce<T extends IncomingMessage>(message: T): T {
  const hash = hashOfVersion(message);
  const known = holders.get(hash)?.deref();
  const held = known?.text === message.text ? { ...message, text: known.text } : message;
  noteVersion(held, hash);
  return held;
}

/** The message under an id; its text, and so its version, stays the same. */
export function named(message: IncomingMessage, id: MessageId): Message {
  const copy = { ...message, id };
  noteVersion(copy, versionHash(message));
  return copy;
}

/** The id of another message that came under a taken id. */
export function apartId(message: IncomingMessage & { id: MessageId }): MessageId {
  return `${message.id}~${placeHash(message)}` as MessageId;
}

/** Ids that memd gave, and may have written into the host's file. */
export function isGiven(id: string): boolean {
  return id.startsWith("n-");
}

/**
 * Ids for the messages of the present reading that have none, in its order.
 * What aligns with the previous reading keeps its id. What does not is new, also
 * where an equal message is known (`isKnown`) and no time tells them apart;
 * without a previous reading nothing can be told, and equal ones are counted.
 */
export function idsFor(
  previous: readonly Read[] | undefined,
  present: readonly { natural: string; timed: boolean }[],
  isKnown: (id: MessageId, index: number) => boolean = () => false,
): MessageId[] {
  const before = previous ?? [];
  const kept = alignment(
    before.map((read) => read.natural),
    present.map(({ natural }) => natural),
  );
  const taken = new Set(before.map((read) => read.id));
  return present.map(({ natural, timed }, index) => {
    const at = kept.get(index);
    const read = at === undefined ? undefined : before[at];
    if (read !== undefined) return read.id;
    for (let occurrence = 1; ; occurrence++) {
      const id = (occurrence === 1 ? `n-${natural}` : `n-${natural}-${occurrence}`) as MessageId;
      if (taken.has(id) || (!timed && previous !== undefined && isKnown(id, index))) continue;
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

/** The first thing it calls or answers, then the others, if any. */
function toolPart(message: Pick<IncomingMessage, "tool" | "moreTools">): [ToolUse | null, ...ToolUse[]] {
  const [first = null, ...more] = toolsOf(message);
  return [first, ...more];
}

/** Whether a message is among those that are forgotten. Pure. */
export function goneFrom(gone: Forgotten): (filed: FiledMessage) => boolean {
  return ({ message }) => gone.hasMessage(keyOfMessage(message), placeHash(message));
}
