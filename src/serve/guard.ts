/**
 * Who may ask: the owner, and whoever has a token, as the viewer that it is bound to. Pure. The socket is
 * the owner's, by the rights of its file; a token that is brought there makes less of whoever brings it,
 * never more. Over TCP a web page can reach a loopback port too, so the Host must be exactly ours (no
 * rebinding), an Origin our own or absent, a body JSON (a form of another site cannot send that), and
 * nobody asks without a token.
 */
import type { Seat } from "../model/address.js";
import { sameSecret } from "../platform/files.js";
import { type Token, TOKEN_CHARS, tokenThatIs } from "../protocol/tokens.js";
import { hasBody } from "./fields.js";
import type { PageKey } from "./page/keys.js";

/** Its method, and its headers by their names in small letters. */
export type Caller = Readonly<{ method: string } & Record<string, string | undefined>>;

/** Where it is asked: on the socket, or on a port of 127.0.0.1. */
export type Place = { kind: "socket" } | { kind: "loopback"; port: number };

export type Asker = { is: "owner" } | { is: "bearer"; token: Pick<Token, "hash" | "seat"> };

export interface Credentials {
  /** Undefined where none was made, or where it is too short to be one. */
  ownerToken: string | undefined;
  tokens: readonly Token[];
  /** Whose page it is that brings this key. */
  pageOf?: (key: string) => PageKey | undefined;
}

/** The token that a file holds, or a new one: one that is shorter than memd makes them lets nobody in. */
export function tokenOr(made: (length: number) => string, text: string | undefined): string {
  const token = text?.trim() ?? "";
  return token.length >= TOKEN_CHARS ? token : made(TOKEN_CHARS);
}

/** Why nobody may ask from there, whoever it is. */
export function strangeness({ host, origin }: Caller, place: Place): string | undefined {
  if (place.kind === "socket") return undefined;
  const { port } = place;
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`)
    return "The host that was asked is not this one.";
  if (origin !== undefined && origin !== `http://${host}`) return "A page of another origin may not ask.";
  return undefined;
}

/** Undefined for whoever nobody knows: a token that does not count is not as good as none. */
export function askerOf(
  { authorization }: Caller,
  place: Place,
  { ownerToken, tokens, pageOf }: Credentials,
): Asker | undefined {
  if (authorization === undefined) return place.kind === "socket" ? { is: "owner" } : undefined;
  const given = /^Bearer ([!-~]+)$/i.exec(authorization)?.[1] ?? "";
  if (given.length < TOKEN_CHARS) return undefined;
  if (ownerToken !== undefined && ownerToken.length >= TOKEN_CHARS && sameSecret(given, ownerToken))
    return { is: "owner" };
  const page = pageOf?.(given);
  if (page !== undefined)
    return page.seat === undefined
      ? { is: "owner" }
      : { is: "bearer", token: { hash: page.hash, seat: page.seat } };
  const token = tokenThatIs(given, tokens);
  return token && { is: "bearer", token };
}

/** Whether a body comes that a form could send. What is asked by POST says what it sends even where that is nothing. */
export function isForeignBody({ method, ...headers }: Caller, place: Place): boolean {
  if (place.kind === "socket") return false;
  const isRead = method === "GET" || method === "HEAD" || method === "DELETE";
  if (isRead && !hasBody((name) => headers[name])) return false;
  return !/^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? "");
}

/** Whom an asker reads as; the owner as nobody in particular. */
export function seatOf(asker: Asker): Seat | undefined {
  return asker.is === "owner" ? undefined : asker.token.seat;
}
