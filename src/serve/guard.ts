/**
 * Who may ask over TCP: a program of this machine that holds the token.
 *
 * A web page can reach a loopback port too, so the Host must be exactly ours
 * (no rebinding), an Origin must be our own or absent, and a body must be JSON
 * (a form of another site cannot send that).
 */
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { sameSecret } from "../platform/files.js";

const MOST_BODY_BYTES = 16 * 1024 * 1024;

export interface Caller {
  host: string | undefined;
  origin: string | undefined;
  authorization: string | undefined;
  method: string;
  contentType: string | undefined;
}

/** Undefined when the caller may ask, else the status to answer with. Pure. */
export function refusal(caller: Caller, port: number, token: string): 401 | 403 | 415 | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (caller.host === undefined || !hosts.includes(caller.host)) return 403;
  if (caller.origin !== undefined && caller.origin !== `http://${caller.host}`) return 403;
  const [scheme, given = ""] = (caller.authorization ?? "").split(" ");
  if (scheme !== "Bearer" || !sameSecret(given, token)) return 401;
  const hasBody = caller.method !== "GET" && caller.method !== "HEAD" && caller.method !== "DELETE";
  if (hasBody && !/^application\/json\s*(;|$)/i.test(caller.contentType ?? "")) return 415;
  return undefined;
}

/** The same answers as on the socket, behind the guard. `portOf` is known once it listens. */
export function guarded(app: Hono, portOf: () => number, token: string): Hono {
  const outer = new Hono();
  outer.use(bodyLimit({ maxSize: MOST_BODY_BYTES }));
  outer.use(async (context, next) => {
    const header = (name: string): string | undefined => context.req.header(name);
    const status = refusal(
      {
        host: header("host"),
        origin: header("origin"),
        authorization: header("authorization"),
        method: context.req.method,
        contentType: header("content-type"),
      },
      portOf(),
      token,
    );
    if (status !== undefined) return context.json({ error: { code: "refused" } }, status);
    return next();
  });
  outer.route("/", app);
  return outer;
}
