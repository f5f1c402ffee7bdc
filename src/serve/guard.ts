/**
 * Who may ask over TCP: a program of this machine that holds the token.
 *
 * A web page can reach a loopback port too, so the Host must be exactly ours
 * (no rebinding), an Origin must be our own or absent, and a body must be JSON
 * (a form of another site cannot send that).
 */
import { Hono } from "hono";
import { sameSecret } from "../platform/files.js";

/** Its method, and its headers by their names in small letters. */
export type Caller = Readonly<{ method: string } & Record<string, string | undefined>>;

/** In characters of `a-z0-9`: more than 256 bits. */
const TOKEN_CHARS = 52;

/** The token that a file holds, or a new one: one that is shorter than memd makes them lets nobody in. */
export function tokenOr(made: (length: number) => string, text: string | undefined): string {
  const token = text?.trim() ?? "";
  return token.length >= TOKEN_CHARS ? token : made(TOKEN_CHARS);
}

/** Undefined when the caller may ask, else the status to answer with. Pure. */
export function refusal(caller: Caller, port: number, token: string): 401 | 403 | 415 | undefined {
  const { method, host, origin, authorization = "" } = caller;
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) return 403;
  if (origin !== undefined && origin !== `http://${host}`) return 403;
  const [scheme, given = ""] = authorization.split(" ");
  if (scheme !== "Bearer" || token.length < TOKEN_CHARS || !sameSecret(given, token)) return 401;
  const hasBody = method !== "GET" && method !== "HEAD" && method !== "DELETE";
  if (hasBody && !/^application\/json\s*(;|$)/i.test(caller["content-type"] ?? "")) return 415;
  return undefined;
}

/** The same answers as on the socket, behind the guard. `portOf` is known once it listens. */
export function guarded(app: Hono, portOf: () => number, token: string): Hono {
  const outer = new Hono();
  outer.use(async (context, next) => {
    const { req } = context;
    const status = refusal({ ...req.header(), method: req.method }, portOf(), token);
    if (status !== undefined) return context.json({ error: { code: "refused" } }, status);
    return next();
  });
  outer.route("/", app);
  return outer;
}
