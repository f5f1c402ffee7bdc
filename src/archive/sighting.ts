/** What is known of a message without its words. Pure. */
import { keyOfMessage, type MessageKey, type ScopeId, scopeOf, sessionOf } from "../model/address.js";
import type { FiledMessage, Role } from "../model/message.js";
import type { EpochMs } from "../model/time.js";
import { versionHash } from "./identity.js";

export interface Sighting {
  key: MessageKey;
  scope: ScopeId;
  session: string;
  /** Where it may be another than `filedAt`, printed. */
  createdAt?: string | undefined;
  role: Role;
  filedAt: EpochMs;
  /** Of its version. */
  hash: string;
  belongsTo?: string | undefined;
  /** Its strings stand in memory of their own, one for all that share it; others keep there what they were cut from. */
  isOwn?: true;
}

export function sightingOf({ message, filedAt, belongsTo }: FiledMessage): Sighting {
  return {
    key: keyOfMessage(message),
    scope: scopeOf(message),
    session: sessionOf(message),
    createdAt: message.createdAt,
    role: message.role,
    filedAt,
    hash: versionHash(message),
    belongsTo,
  };
}
