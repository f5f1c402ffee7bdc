/**
 * What may be answered to a case, said from the table of operations in words of its
 * own: which statuses, and, where it is answered, as whom. Pure.
 */
import type { Served } from "../../../src/service/served.js";
import { type Case, seatOf, takesBody } from "./cases.js";
import type { Sent } from "./request.js";

export interface Expected {
  statuses: readonly number[];
  /** As JSON, `[user, scope, session]`; `owner`; undefined where nothing is told of anybody. */
  reader?: string;
}

const only = (...statuses: number[]): Expected => ({ statuses });

/** `isWire`: a server's own refusals come before the door's. */
export function expectedFor(asked: Case, sent: Sent, table: readonly Served[], isWire: boolean): Expected {
  const { place, host, origin, token, method } = asked;
  if (isWire && asked.hugeHeader) return only(431);
  if (isWire && host === "none") return only(400);
  if (place === "loopback" && (!["ours", "localhost"].includes(host) || ["other", "null"].includes(origin)))
    return only(403);
  const isOwner = token === "owner" || (token === "none" && place === "socket");
  const seat = seatOf(token);
  if (!isOwner && seat === undefined) return only(401);
  const isJson = sent.headers["content-type"] === "application/json";
  const isBody = sent.body !== undefined || !["GET", "HEAD", "DELETE"].includes(method);
  if (place === "loopback" && isBody && !isJson) return only(415);

  const [path = ""] = sent.path.split("?");
  const verb = method === "HEAD" ? "GET" : method;
  const byName = verb === "POST" ? /^\/operations\/([^/]+)$/.exec(path)?.[1] : undefined;
  const row = table.find(({ name, call }) =>
    byName === undefined ? isCall(call, verb, path) : name === byName,
  );
  const isPlain = verb === "GET" && (path === "/ping" || (path === "/events" && seat === undefined));
  if (!isPlain && (row === undefined || (row.access === "owner" && seat !== undefined)))
    return only(byName === undefined ? 404 : 400);
  const wrong = wrongIn(asked, sent, row, seat);
  if (wrong.size > 0) return { statuses: [...wrong] };
  if (row === undefined) return only(200);
  // Fields of another row may happen to be its own, and in an address what is no text is read as one.
  const isLoose = asked.target.row?.name !== row.name || isInAddress(asked);
  const statuses = isLoose ? [200, 400] : [200];
  return { statuses, reader: readerOf(asked, seat) };
}

/** `as`, whoever is let in, and the fields: all that can be wrong of what is asked, each with its status. */
function wrongIn(
  asked: Case,
  sent: Sent,
  row: Served | undefined,
  seat: readonly string[] | undefined,
): Set<number> {
  const wrong = new Set<number>();
  const { as, fields, body, target } = asked;
  if (sent.body !== undefined && !takesBody(asked.method)) wrong.add(400);
  if (sent.body !== undefined && (body === "not JSON" || body === "no object")) wrong.add(400);
  const isRead = isTaken(asked, sent);
  if (row === undefined && (as !== undefined || Object.keys(fields).length > 0)) wrong.add(400);
  if (row === undefined) return wrong;
  if (as !== undefined && isRead) {
    const named = seatNamed(as.value);
    if (row.access === "owner" || named === undefined) wrong.add(400);
    else if (seat !== undefined && !isSame(named, seat)) wrong.add(403);
  }
  if (target.row?.name !== row.name || isInAddress(asked)) return wrong;
  const path = target.call.includes(":") ? { id: "ferry" } : {};
  if (!row.input.safeParse({ ...path, ...(isRead ? fields : {}) }).success) wrong.add(400);
  return wrong;
}

/** What is no JSON object has no fields that could be read. */
function isTaken({ body }: Case, sent: Sent): boolean {
  return sent.body === undefined || (body !== "not JSON" && body !== "no object");
}

function isInAddress({ body, method }: Case): boolean {
  return body === "wrong" && (!takesBody(method) || method === "DELETE");
}

function isCall(call: string, verb: string, path: string): boolean {
  const [method, pattern = ""] = call.split(" ");
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  return (
    method === verb &&
    wanted.length === given.length &&
    wanted.every((part, at) => part.startsWith(":") || part === given[at])
  );
}

/** User, scope, and the session where one is named; undefined for what names nobody whole. */
function seatNamed(as: unknown): readonly string[] | undefined {
  const parts = typeof as === "string" ? as.split("/").map(decodeURIComponent) : partsOf(as);
  if (parts === undefined || parts.length > 3 || parts.some((part) => part.trim() === "")) return undefined;
  const [user = "", scope = "main", ...session] = parts;
  return [user, scope, ...session];
}

function partsOf(as: unknown): string[] | undefined {
  if (typeof as !== "object" || as === null || !("user" in as)) return undefined;
  const { user, scope = "main", session } = as as Record<string, string>;
  return [user ?? "", scope, ...(session === undefined ? [] : [session])];
}

function isSame([user, scope, session]: readonly string[], seat: readonly string[]): boolean {
  const [own, place, room] = seat;
  return user === own && scope === place && (session ?? (room === undefined ? undefined : "main")) === room;
}

function readerOf({ as }: Case, seat: readonly string[] | undefined): string {
  if (seat !== undefined) return JSON.stringify([seat[0], seat[1], seat[2] ?? ""]);
  const named = as === undefined ? undefined : seatNamed(as.value);
  return named === undefined ? "owner" : JSON.stringify([named[0], named[1], named[2] ?? "main"]);
}
