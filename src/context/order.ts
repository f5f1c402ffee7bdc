/**
 * In which order a conversation is told, oldest first.
 *
 * Pure. A file's own order is right as long as its times go with it, but for
 * what two clocks differ by; a file that is ordered otherwise is taken by time.
 */
import type { FiledMessage } from "../model/message.js";
import { MINUTE_MS } from "../model/time.js";

/** People's clocks and the agent's. */
const SLIP_MS = 10 * MINUTE_MS;

export function inOrder(messages: readonly FiledMessage[]): readonly FiledMessage[] {
  let latest = -Infinity;
  for (const { filedAt } of messages) {
    if (latest - filedAt > SLIP_MS) return [...messages].sort((one, other) => one.filedAt - other.filedAt);
    latest = Math.max(latest, filedAt);
  }
  return messages;
}

/** What stands keeps its order; each of the others goes before the first that was not said earlier. */
export function merged(
  standing: readonly FiledMessage[],
  others: readonly FiledMessage[],
): readonly FiledMessage[] {
  const waiting = [...others].sort((one, other) => other.filedAt - one.filedAt);
  const all: FiledMessage[] = [];
  const takeBefore = (filedAt: number): void => {
    for (let next = waiting.at(-1); next !== undefined && next.filedAt <= filedAt; next = waiting.at(-1))
      all.push(...waiting.splice(-1));
  };
  for (const filed of standing) {
    takeBefore(filed.filedAt);
    all.push(filed);
  }
  takeBefore(Infinity);
  return all;
}
