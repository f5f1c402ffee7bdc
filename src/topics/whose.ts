/** Whose topics a message or an address belongs to. Pure. */
import { type Address, isGroup, LOCAL_USER, scopeOf } from "../model/address.js";
import type { FiledMessage } from "../model/message.js";
import type { TopicsOf } from "../model/topic.js";

export function ofAddress({ scope, user }: Pick<Address, "scope" | "user">): TopicsOf {
  return isGroup(scope) ? { scope } : { scope, user };
}

/** Of whom nothing is known outside a group, nothing is kept. */
export function isNobody({ scope, user }: Address): boolean {
  return user === "" && !isGroup(scope);
}

export function isPrivate({ message }: FiledMessage): boolean {
  return message.private === true;
}

export function ofMessage({ message, belongsTo = LOCAL_USER }: FiledMessage): TopicsOf {
  return ofAddress({ scope: scopeOf(message), user: belongsTo });
}
