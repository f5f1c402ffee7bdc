/** What a hook told, as it is kept until it is in the journal. Pure. */
import { MAIN_SESSION, type ScopeId } from "../../model/address.js";
import { defined } from "../../model/collections.js";
import type { IncomingMessage } from "../../model/message.js";
import { type EpochMs, isoOf } from "../../model/time.js";
import { TOLD_FIELDS } from "../../protocol/read-list.js";
import type { HookEvent } from "./hook.js";

/** Undefined where it told nothing, not even where it is written down. */
export function toldBy(
  agent: string,
  { is, text = "", session = MAIN_SESSION, transcript }: HookEvent,
  scope: ScopeId,
  now: EpochMs,
): Omit<IncomingMessage, "id"> | undefined {
  if (text === "" && transcript === undefined) return undefined;
  const extra = defined({ [TOLD_FIELDS.agent]: agent, [TOLD_FIELDS.transcript]: transcript });
  const role = is === "answered" ? "agent" : "user";
  return { role, text, createdAt: isoOf(now), scope, session, extra };
}
