/** Who talks where, as OpenClaw says it of a run; the importer places the same conversation alike. Pure. */
import { isGroup, LOCAL_USER, MAIN_SCOPE } from "../../../model/address.js";
import { fieldsOf, stringOf } from "../../fields.js";
import { isOfItself, placeOfKey } from "../keys.js";

export interface Seat {
  scope: string;
  session: string;
  /** On whose behalf the memory is read. */
  user: string;
  /** The agent's own folder, with its `MEMORY.md`. */
  folder: string | undefined;
}

/** Of one whom somebody speaks to; undefined where nobody does. */
export function seatIn(context: unknown): Seat | undefined {
  const { sessionKey, trigger } = fieldsOf(context);
  if (OF_ITSELF.has(trigger) || isOfItself(stringOf(sessionKey) ?? "")) return undefined;
  return seatOfKey(context);
}

/** Runs of timers and heartbeats, and the silent one before a compaction. */
const OF_ITSELF: ReadonlySet<unknown> = new Set(["heartbeat", "cron", "memory"]);

/** Of a run that may look something up: those of timers too, but none on whose behalf nobody knows. */
export function readerIn(context: unknown): Seat | undefined {
  return OF_OTHERS.test(stringOf(fieldsOf(context)["sessionKey"]) ?? "") ? undefined : seatOfKey(context);
}

/** What a group, or a page on the web, has started is called by a key that does not say so. */
const OF_OTHERS = /(?:^|:)(?:hook|subagent|acp|active-memory)(?::|$)/;

function seatOfKey(context: unknown): Seat | undefined {
  const { sessionKey, workspaceDir } = fieldsOf(context);
  const session = stringOf(sessionKey);
  if (session === undefined) return undefined;
  const scope = placeOfKey(session) ?? MAIN_SCOPE;
  // What is known of one person is not for all who read there: the group itself is asked for, which is nobody.
  const user = isGroup(scope) ? scope : LOCAL_USER;
  return { scope, session, user, folder: stringOf(workspaceDir) };
}
