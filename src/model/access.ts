/** Who may read what. */
import { isGroup, LOCAL_USER, scopeOf, sessionOf, type Address, type ScopeId } from "./address.js";
import type { FiledMessage } from "./message.js";

/** The person at the terminal sees all; anybody else reads from an address. */
export type Viewer = { kind: "owner" } | ({ kind: "address" } & Address);

export const OWNER: Viewer = { kind: "owner" };

export function viewerAt(address: Address): Viewer {
  return { kind: "address", ...address };
}

/** How far a remembered thing reaches: its user everywhere, its scope, or only its session. `owner` is for memory.md. */
export type Level = "owner" | "user" | "scope" | "session";

/** Where a remembered thing belongs. A missing value never means "any". */
export interface Belonging {
  level: Level;
  scope: ScopeId;
  user?: string;
  session?: string;
}

/**
 * Whether the viewer may read it. The only visibility rule of the
 * system: user level needs the same user; scope level the same scope
 * and, outside groups, the same user; session level also the same session.
 */
export function mayRead(viewer: Viewer, thing: Belonging): boolean {
  if (viewer.kind === "owner") return true;
  const inScope = thing.scope === viewer.scope || thing.scope === `${viewer.scope}:docs`;
  const sameUser = thing.user !== undefined && thing.user === viewer.user;
  switch (thing.level) {
    case "owner":
      return viewer.user === LOCAL_USER && !isGroup(viewer.scope);
    case "user":
      return sameUser;
    case "scope":
      return inScope && (isGroup(viewer.scope) || sameUser);
    case "session":
      return (
        inScope &&
        (isGroup(viewer.scope) || sameUser) &&
        thing.session !== undefined &&
        thing.session === viewer.session
      );
    default:
      return thing.level satisfies never;
  }
}

/** Whether a message is of the viewer's conversation. */
export function inConversation(viewer: Address, { message, belongsTo }: FiledMessage): boolean {
  const belonging = { level: "session", scope: scopeOf(message), session: sessionOf(message) } as const;
  return mayRead(viewerAt(viewer), belongsTo === undefined ? belonging : { ...belonging, user: belongsTo });
}
