/**
 * The limits on history.json.
 *
 * Pure. What is settled leaves, oldest first, a tool call together with its
 * result: its text stands in a day, so nothing needs it here any more, whatever
 * became of its summary. The newest stay, since they are the conversation that
 * the agent is in; what is not settled stays however long the file grows, and
 * then archiving is forced instead. Sources: seed 000, design §4.
 */
import { addAll } from "../model/collections.js";
import type { MessageKey } from "../model/address.js";
import { callIdsOf, type IncomingMessage } from "../model/message.js";
import type { Settings } from "../model/settings.js";
import { type EpochMs, epochMs, parseInstant } from "../model/time.js";
import type { ListEntry } from "../protocol/read-list.js";
import type { ArchiveContext } from "./context.js";
import { bytesOf } from "./entry-bytes.js";

export interface Trimmable {
  /** Its present version stands in a day, or a person or a retention took it from there. */
  settled: boolean;
  /** When it was said. Of two said at one moment the one further down in the file is newer. */
  at: EpochMs;
  isToday: boolean;
  bytes: number;
  /** Of the tool calls that it makes or answers. */
  callIds: readonly string[];
}

interface Trim {
  /** Indexes that leave. */
  remove: Set<number>;
  /** Too long still: archive what is due, at once. */
  overSoft: boolean;
  /** Past the hard limit with nothing left to remove. */
  overflow: boolean;
}

/** So many of the newest do not leave for want of bytes either. */
const LEAST_KEPT = 5;

export function trimOf(entries: readonly Trimmable[], limits: Settings["history"]): Trim {
  const hardBytes = limits.hard_limit_mb * 1024 * 1024;
  const newestFirst = ranked(entries);
  const together = companions(entries);
  const remove = new Set<number>();
  let count = entries.length;
  let bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  const underSoft = (): boolean => count <= limits.soft_limit_messages;
  const underHard = (): boolean => count <= limits.hard_limit_messages && bytes <= hardBytes;
  /** Of those behind the newest `after`, oldest first. */
  const letGo = (after: number, stays: ReadonlySet<number>, isEnough: () => boolean): void => {
    for (const index of newestFirst.slice(after).toReversed()) {
      if (isEnough()) return;
      const group = together[index] ?? [index];
      const mayLeave = group.every((member) => entries[member]?.settled === true && !stays.has(member));
      if (remove.has(index) || !mayLeave) continue;
      for (const member of group) {
        remove.add(member);
        count--;
        bytes -= entries[member]?.bytes ?? 0;
      }
    }
  };
  const kept = newestOf(entries, newestFirst, limits);
  letGo(limits.soft_limit_messages, kept, underSoft);
  letGo(0, kept, underHard);
  const leastKept = Math.min(LEAST_KEPT, limits.keep_newest_messages);
  letGo(0, new Set(newestFirst.slice(0, leastKept)), () => bytes <= hardBytes);
  return { remove, overSoft: !underSoft() || !underHard(), overflow: !underHard() };
}

/** Indexes, the newest first. */
function ranked(entries: readonly Trimmable[]): number[] {
  const at = (index: number): number => entries[index]?.at ?? 0;
  return [...entries.keys()].sort((one, other) => at(other) - at(one) || other - one);
}

/** What only bytes may move: so many of the newest, and more of them where they are of today. */
function newestOf(
  entries: readonly Trimmable[],
  newestFirst: readonly number[],
  { keep_newest_messages: newest, keep_today_messages: today }: Settings["history"],
): ReadonlySet<number> {
  const ofToday = newestFirst.filter((index) => entries[index]?.isToday === true);
  return new Set([...newestFirst.slice(0, newest), ...ofToday.slice(0, today)]);
}

/** Of each entry, all that leave with it: calls and their results, also where one message makes several calls. */
function companions(entries: readonly Trimmable[]): (readonly number[])[] {
  const groups = entries.map((_, index) => [index]);
  const groupOfCall = new Map<string, number[]>();
  for (const [index, { callIds }] of entries.entries()) {
    for (const callId of callIds) {
      const known = groupOfCall.get(callId);
      const own = groups[index] ?? [];
      if (known !== undefined && known !== own) {
        for (const member of own) groups[member] = known;
        addAll(known, own);
        if (callIds.length > 1)
          for (const [call, group] of groupOfCall) if (group === own) groupOfCall.set(call, known);
      }
      groupOfCall.set(callId, groups[index] ?? own);
    }
  }
  return groups;
}

/** What the ledger says of an entry; what a host calls archived counts for nothing. Without a key it is no message, or one that is not journalled yet: it is not settled. */
export function trimmableOf(
  { ledger, zone, clock }: Pick<ArchiveContext, "ledger" | "zone" | "clock">,
  key: MessageKey | undefined,
  message: IncomingMessage | undefined,
  bytes: number,
): Trimmable {
  const entry = key === undefined ? undefined : ledger.get(key);
  return {
    settled: key !== undefined && (entry === undefined ? ledger.isStub(key) : entry.held === undefined),
    at: entry?.filedAt ?? saidAt(message),
    isToday: entry !== undefined && entry.day >= zone.dayOf(clock.now()),
    bytes,
    callIds: callIdsOf(message),
  };
}

/** Of one that the ledger has nothing of. */
function saidAt(message: IncomingMessage | undefined): EpochMs {
  return parseInstant(message?.createdAt ?? "") ?? epochMs(0);
}

/** Sizes matter only when the file is past its limit; printing every entry to know them is not free. */
export function trimmableIn(
  context: ArchiveContext,
  entries: readonly ListEntry[],
  keys: readonly (MessageKey | undefined)[],
  bytes: number,
): Trimmable[] {
  const large = isLarge(context.settings, bytes);
  return entries.map(({ raw, message }, index) =>
    trimmableOf(context, keys[index], message, large ? bytesOf(raw) : 0),
  );
}

/** Past its limit in bytes. */
export function isLarge({ history }: Settings, bytes: number): boolean {
  return bytes > history.hard_limit_mb * 1024 * 1024;
}
