/**
 * One message, told twice: by the hook of an agent when it was said, and by the agent's transcript once it
 * was written down, each under an id of its own. Those that say the same are paired in their order and by
 * their times: two "go on" are two. No I/O.
 */
import { idOfKey, keyOfMessage, type MessageKey, scopeOf, sessionOf } from "../model/address.js";
import { groupBy } from "../model/collections.js";
import type { Message } from "../model/message.js";
import { type EpochMs, MINUTE_MS } from "../model/time.js";
import type { Origin } from "../protocol/journal.js";
import { isToldId } from "../protocol/read-list.js";
import { copyHash, saidNames, versionHash } from "./identity.js";
import type { Ledger } from "./ledger.js";
import type { LedgerEntry } from "./ledger-entry.js";

/** Two tellings of one text this close are one message. */
export const SAME_WITHIN_MS = 10 * MINUTE_MS;
/** So many pairs are looked at of what says the same in one conversation; beyond that the order decides. */
const MOST_PAIRS = 250_000;

/** A message of the reading, with the time it is filed under. */
export interface ToldNow {
  message: Message;
  at: EpochMs;
}

/** Of one reading. */
export class Tellings {
  readonly #reading: ReadonlyMap<string, ToldNow[]>;
  readonly #pairs = new Map<string, ReadonlyMap<MessageKey, LedgerEntry>>();

  constructor(
    readonly ledger: Ledger,
    readonly from: Origin,
    reading: readonly ToldNow[],
  ) {
    this.#reading = groupBy(reading, ({ message }) => placeOf(message));
  }

  /** The message that the other side has told, and nobody has met. */
  otherOf(message: Message): LedgerEntry | undefined {
    const place = placeOf(message);
    const pairs = this.#pairs.get(place) ?? this.#pairsIn(message);
    this.#pairs.set(place, pairs);
    return pairs.get(keyOfMessage(message));
  }

  /** What was forgotten as a hook told it, or as another conversation brought it along. */
  isForgotten(key: MessageKey, message: Message, at: EpochMs): boolean {
    const { ledger } = this;
    if (ledger.forgotten.isEmpty) return false;
    const hash = versionHash(message);
    const [said] = saidNames(message, hash, at);
    const wasTold = said !== undefined && ledger.isForgotten(said.key, said.place);
    return wasTold || ledger.isForgotten(key, copyHash(message, hash));
  }

  #pairsIn(message: Message): ReadonlyMap<MessageKey, LedgerEntry> {
    const { ledger } = this;
    const isByHook = this.from === "import";
    const open = ledger
      .conversation(scopeOf(message), sessionOf(message))
      .filter(({ key }) => isToldId(idOfKey(key)) === isByHook && !ledger.isMet(key));
    const pairs = new Map<MessageKey, LedgerEntry>();
    if (open.length === 0) return pairs;
    const others = groupBy(open, ({ role, hash }) => `${role} ${hash}`);
    const fresh = (this.#reading.get(placeOf(message)) ?? []).filter(
      (one) => ledger.get(keyOfMessage(one.message)) === undefined,
    );
    const said = groupBy(fresh, (one) => `${one.message.role} ${versionHash(one.message)}`);
    for (const [saying, told] of said)
      for (const [one, other] of paired(told, others.get(saying) ?? []))
        pairs.set(keyOfMessage(one.message), other);
    return pairs;
  }
}

function placeOf(message: Message): string {
  return `${scopeOf(message)}\u0000${sessionOf(message)}`;
}

/** As many pairs as there may be, in the order of both, and of these the ones whose times are closest. */
function paired<T extends { at: EpochMs }, O extends { filedAt: EpochMs }>(
  told: readonly T[],
  others: readonly O[],
): [T, O][] {
  if (told.length * others.length > MOST_PAIRS) return inOrder(told, others);
  const ones = told.toSorted((one, other) => one.at - other.at);
  const worth = (one: T | undefined, other: O | undefined): number => {
    const apartMs = Math.abs((one?.at ?? 0) - (other?.filedAt ?? 0));
    return apartMs > SAME_WITHIN_MS ? 0 : 1 - apartMs / (2 * SAME_WITHIN_MS);
  };
  const width = others.length + 1;
  // Of the first so many of each side.
  const best = new Float64Array((ones.length + 1) * width);
  const at = (row: number, column: number): number => best[row * width + column] ?? 0;
  for (const [row, one] of ones.entries())
    for (const [column, other] of others.entries()) {
      const both = worth(one, other);
      const pair = both === 0 ? 0 : at(row, column) + both;
      best[(row + 1) * width + column + 1] = Math.max(pair, at(row, column + 1), at(row + 1, column));
    }
  const pairs: [T, O][] = [];
  for (let row = ones.length, column = others.length; row > 0 && column > 0;) {
    if (at(row, column) === at(row - 1, column)) row--;
    else if (at(row, column) === at(row, column - 1)) column--;
    else pairs.push([ones[--row] as T, others[--column] as O]);
  }
  return pairs.reverse();
}

function inOrder<T extends { at: EpochMs }, O extends { filedAt: EpochMs }>(
  told: readonly T[],
  others: readonly O[],
): [T, O][] {
  const pairs: [T, O][] = [];
  let next = 0;
  for (const one of told) {
    while (next < others.length && (others[next]?.filedAt ?? 0) < one.at - SAME_WITHIN_MS) next++;
    const other = others[next];
    if (other === undefined || other.filedAt > one.at + SAME_WITHIN_MS) continue;
    pairs.push([one, other]);
    next++;
  }
  return pairs;
}
