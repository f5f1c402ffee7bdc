/**
 * Who speaks, in which place, in which conversation, and who may read what.
 * An address is written `user/scope/session`, each part percent-encoded. Pure.
 */
import { MemdError } from "./errors.js";
import { defined, groupBy } from "./collections.js";
import type { FiledMessage, Message, MessageId } from "./message.js";

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

/** The conversations that history.json and inbox.json hold, and on whose behalf each is read. Pure. */
export interface Lists {
  /** Oldest first. */
  history: readonly FiledMessage[];
  /** What waits, oldest first. */
  inbox: readonly FiledMessage[];
}

/** One for each place and session, with the newest sender, one who waits before one who has spoken. */
export function conversationsIn({ history, inbox }: Lists): Address[] {
  const byPlace = groupBy([...history, ...inbox], ({ message }) =>
    JSON.stringify([scopeOf(message), sessionOf(message)]),
  );
  const waiting = new Set(inbox);
  return [...byPlace.values()].flatMap((messages): Address[] => {
    const newest = messages.findLast((filed) => waiting.has(filed)) ?? messages.at(-1);
    if (newest === undefined) return [];
    const { message, belongsTo } = newest;
    // Nobody known opens nothing of user level.
    return [{ user: belongsTo ?? "", scope: scopeOf(message), session: sessionOf(message) }];
  });
}

/** The conversation of the newest input of `local` in `main`, whatever its session: that of `teller/prompt.md`. */
export function mainConversation({ history, inbox }: Lists): Address {
  const isMine = ({ message, belongsTo }: FiledMessage): boolean =>
    scopeOf(message) === MAIN_SCOPE && belongsTo === LOCAL_USER;
  const newest = inbox.findLast(isMine) ?? history.findLast(isMine);
  return newest === undefined ? LOCAL_ADDRESS : { ...LOCAL_ADDRESS, session: sessionOf(newest.message) };
}

export interface ListedMessage {
  filed: FiledMessage;
  key: MessageKey;
  /** Its archive* fields as they stand. */
  mirror: Record<string, unknown>;
}

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
  const isOfScope = inScope && (isGroup(viewer.scope) || sameUser);
  switch (thing.level) {
    case "owner":
      return viewer.user === LOCAL_USER && !isGroup(viewer.scope);
    case "user":
      return sameUser;
    case "scope":
      return isOfScope;
    case "session":
      if (thing.session === undefined || thing.session === NO_SESSION) return false;
      return isOfScope && thing.session === viewer.session;
    default:
      return thing.level satisfies never;
  }
}

/** Whether a message is of the viewer's conversation. */
export function inConversation(viewer: Address, { message, belongsTo }: FiledMessage): boolean {
  const [scope, session] = [scopeOf(message), sessionOf(message)];
  return mayRead(viewerAt(viewer), defined({ level: "session", scope, session, user: belongsTo }));
}

/** From where somebody reads, as it was said: without a session nothing of session level is open there. */
export interface Seat {
  user: string;
  scope: ScopeId;
  session?: string;
}

/** Of whoever has none: a session that no message is of. */
export const NO_SESSION = "";

/** `lin/main/s-1`; scope and session that are left out are `main`. Throws `usage`. */
export function addressIn(text: string): Address {
  return addressAt(seatIn(text));
}

export function addressAt({ user, scope, session = MAIN_SESSION }: Seat): Address {
  return { user, scope, session };
}

/**
 * `lin/main/s-1`, with the session only where it is there; a scope that is left
 * out is `main`. Throws `usage`, also for a part that is empty: a name that a program
 * lost on the way must not open what is of others.
 */
export function seatIn(text: string): Seat {
  const parts = text.split("/");
  if (parts.length > 3) throw new MemdError("usage", `${text} is no user/scope/session.`);
  const [user = "", scope = MAIN_SCOPE, session] = parts.map(decoded);
  const isWhole = [user, scope, session ?? MAIN_SESSION].every((part) => part.trim() !== "");
  if (isWhole) return defined({ user, scope: scope as ScopeId, session });
  const what = user.trim() === "" ? "names no user" : "has an empty part";
  throw new MemdError("usage", `"${text}" ${what}: an address is user/scope/session, as lin/main/s-1.`);
}

/** `lin/main`, with the session where there is one. */
export function seatText({ user, scope, session }: Seat): string {
  return [user, scope, ...(session === undefined ? [] : [session])].map(encodeURIComponent).join("/");
}

/**
 * Whether what was said is that seat. A session that is not said is `main` beside one
 * that is; beside none it must not be said.
 */
export function isSameSeat(said: Seat, seat: Seat): boolean {
  const session = said.session ?? (seat.session === undefined ? undefined : MAIN_SESSION);
  return said.user === seat.user && said.scope === seat.scope && session === seat.session;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    throw new MemdError("usage", `${part} is not percent-encoded text.`, { cause: error });
  }
}
