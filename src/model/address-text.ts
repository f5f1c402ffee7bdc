/**
 * An address as people and programs write it: `user/scope/session`, each
 * percent-encoded where it holds a slash. Pure.
 */
import { type Address, LOCAL_ADDRESS, type ScopeId } from "./address.js";
import { type Viewer, viewerAt } from "./access.js";
import { MemdError } from "./errors.js";

/** What is left out is the default. Throws `usage`. */
export function addressIn(text: string): Address {
  const parts = text.split("/");
  if (parts.length > 3) throw new MemdError("usage", `${text} is no user/scope/session.`);
  const [user = "", scope = "", session = ""] = parts.map(decoded);
  return {
    user: user || LOCAL_ADDRESS.user,
    scope: (scope || LOCAL_ADDRESS.scope) as ScopeId,
    session: session || LOCAL_ADDRESS.session,
  };
}

/**
 * On whose behalf something is read. Throws `usage` where no user is named: a
 * name that a program lost on the way must not open what is the owner's.
 */
export function readerIn(text: string): Viewer {
  const address = addressIn(text);
  if (decoded(text.split("/")[0] ?? "").trim() === "")
    throw new MemdError(
      "usage",
      `"${text}" names no user: an address is user/scope/session, as lin/main/s-1.`,
    );
  return viewerAt(address);
}

export function printAddress({ user, scope, session }: Partial<Address>): string {
  return [user, scope, session].map((part) => encodeURIComponent((part ?? "").toWellFormed())).join("/");
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    throw new MemdError("usage", `${part} is not percent-encoded text.`, { cause: error });
  }
}
