/** Who speaks, in which place, in which conversation; and under which key a message stands there. */
import type { Message, MessageId } from "./message.js";

export type ScopeId = string & { readonly __of: "scope" };
/** (scope, id) as one string: what is unique in a workspace. */
export type MessageKey = string & { readonly __of: "key" };

export interface Address {
  user: string;
  scope: ScopeId;
  session: string;
}

export const MAIN_SCOPE = "main" as ScopeId;
export const MAIN_SESSION = "main";
export const LOCAL_USER = "local";

export const LOCAL_ADDRESS: Address = { user: LOCAL_USER, scope: MAIN_SCOPE, session: MAIN_SESSION };

export function scopeOf(message: Pick<Message, "scope">): ScopeId {
  return (message.scope ?? MAIN_SCOPE) as ScopeId;
}

export function sessionOf(message: Pick<Message, "session">): string {
  return message.session ?? MAIN_SESSION;
}

/** A group chat is a scope `group:<id>`; everything else is private to its users. */
export function isGroup(scope: string): boolean {
  return scope.startsWith("group:");
}

/** The user a message belongs to when nothing is known of the conversation around it. */
export function defaultOwnerOf(message: Pick<Message, "user" | "scope">): string | undefined {
  return message.user ?? (isGroup(message.scope ?? MAIN_SCOPE) ? undefined : LOCAL_USER);
}

export function keyOf(scope: ScopeId, id: MessageId): MessageKey {
  return `${scope}\u0000${id}` as MessageKey;
}

/** The key a message stands under. */
export function keyOfMessage(message: Pick<Message, "scope" | "id">): MessageKey {
  return keyOf(scopeOf(message), message.id);
}

export function scopeOfKey(key: MessageKey): ScopeId {
  return key.slice(0, key.indexOf("\u0000")) as ScopeId;
}

export function idOfKey(key: MessageKey): MessageId {
  return key.slice(key.indexOf("\u0000") + 1) as MessageId;
}
