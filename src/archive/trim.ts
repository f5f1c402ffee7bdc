/**
 * The limits on history.json.
 *
 * Pure. Only archived messages leave, oldest first, a tool call together with
 * its result; what is not archived stays however long the file grows, and then
 * archiving is forced instead. Source: seed 000.
 */
import type { Settings } from "../model/settings.js";

export interface Trimmable {
  archived: boolean;
  bytes: number;
  /** Of a tool call and its result. */
  callId?: string;
}

export interface Trim {
  /** Indexes that leave. */
  remove: Set<number>;
  /** Too long still: archive what is due, at once. */
  overSoft: boolean;
  /** Past the hard limit with nothing left to remove. */
  overflow: boolean;
}

export function trimOf(entries: readonly Trimmable[], limits: Settings["history"]): Trim {
  const hardBytes = limits.hard_limit_mb * 1024 * 1024;
  const together = new Map<string, number[]>();
  for (const [index, { callId }] of entries.entries()) {
    if (callId !== undefined) together.set(callId, [...(together.get(callId) ?? []), index]);
  }
  let count = entries.length;
  let bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  const remove = new Set<number>();
  for (const [index, entry] of entries.entries()) {
    if (count <= limits.soft_limit_messages && bytes <= hardBytes) break;
    if (remove.has(index)) continue;
    const group = entry.callId === undefined ? [index] : (together.get(entry.callId) ?? [index]);
    if (!group.every((member) => entries[member]?.archived === true)) continue;
    for (const member of group) {
      remove.add(member);
      count--;
      bytes -= entries[member]?.bytes ?? 0;
    }
  }
  return {
    remove,
    overSoft: count > limits.soft_limit_messages || bytes > hardBytes,
    overflow: count > limits.hard_limit_messages || bytes > hardBytes,
  };
}
