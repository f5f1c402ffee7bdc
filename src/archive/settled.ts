/**
 * What the ledger says of an entry of history.json when the file is held to its
 * limits. Reads nothing else: what a host calls archived counts for nothing here.
 */
import { callIdsOf, type IncomingMessage } from "../model/message.js";
import type { MessageKey } from "../model/address.js";
import { epochMs, parseInstant, type EpochMs } from "../model/time.js";
import type { ArchiveContext } from "./context.js";
import type { Trimmable } from "./trim.js";

/** Without a key it is no message, or one that is not journalled yet: it is not settled. */
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
