/**
 * The limits on history.json.
 *
 * Pure. Only archived messages leave, oldest first, a tool call together with
 * its result; what is not archived stays however long the file grows, and then
 * archiving is forced instead. The newest messages are the conversation that
 * the agent is in: while older ones still wait for their summary, the soft
 * limit does not make up for them with newer ones. Source: seed 000.
 */
import type { Settings } from "../model/settings.js";

export interface Trimmable {
  archived: boolean;
  bytes: number;
  /** Of the tool calls that it makes or answers. */
  callIds: readonly string[];
}

export interface Trim {
  /** Indexes that leave. */
  remove: Set<number>;
  /** Too long still: archive what is due, at once. */
  overSoft: boolean;
  /** Past the hard limit with nothing left to remove. */
  overflow: boolean;
}

/** So many of the newest leave only when the hard limit cannot be met without them. */
const NEWEST = 20;

export function trimOf(entries: readonly Trimmable[], limits: Settings["history"]): Trim {
  const hardBytes = limits.hard_limit_mb * 1024 * 1024;
  const together = companions(entries);
  const remove = new Set<number>();
  let count = entries.length;
  let bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  const removeBefore = (end: number, isEnough: () => boolean): void => {
    for (let index = 0; index < end && !isEnough(); index++) {
      const group = together[index] ?? [index];
      if (remove.has(index) || !group.every((member) => entries[member]?.archived === true)) continue;
      for (const member of group) {
        remove.add(member);
        count--;
        bytes -= entries[member]?.bytes ?? 0;
      }
    }
  };
  const underSoft = (): boolean => count <= limits.soft_limit_messages;
  const underHard = (): boolean => count <= limits.hard_limit_messages && bytes <= hardBytes;
  removeBefore(entries.length - limits.soft_limit_messages, underSoft);
  removeBefore(entries.length - NEWEST, underHard);
  removeBefore(entries.length, underHard);
  return { remove, overSoft: !underSoft() || !underHard(), overflow: !underHard() };
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
        known.push(...own);
        if (callIds.length > 1)
          for (const [call, group] of groupOfCall) if (group === own) groupOfCall.set(call, known);
      }
      groupOfCall.set(callId, groups[index] ?? own);
    }
  }
  return groups;
}
