/** A case as a request: what goes over the wire, or into the door of the same process. Pure. */
import { type Case, takesBody, type TokenKind } from "./cases.js";

export interface Sent {
  method: string;
  path: string;
  /** Without a host where none is sent. */
  headers: Record<string, string>;
  body?: string;
}

/** `port`: of the door on the loopback interface. */
export function sentFor(
  asked: Case,
  secrets: Readonly<Record<TokenKind, string | undefined>>,
  port: number,
): Sent {
  const { method, target, fields, as, body } = asked;
  const [, pattern = ""] = target.call.split(" ");
  const inBody = takesBody(method) && method !== "DELETE";
  const query = new URLSearchParams();
  if (!inBody) for (const [name, value] of Object.entries(fields)) query.set(name, inAddress(value));
  if (as?.inBody === false) query.set("as", String(as.value));
  const object = { ...(inBody ? fields : {}), ...(as?.inBody === true ? { as: as.value } : {}) };
  const text = bodyText(asked, object);
  const search = query.size === 0 ? "" : `?${query.toString()}`;
  const secret = secrets[asked.token];
  const host = hostOf(asked, port);
  const headers: Record<string, string | undefined> = {
    host,
    origin: originOf(asked, port),
    authorization: secret === undefined ? undefined : `Bearer ${secret}`,
    "content-type": text === undefined && method !== "POST" ? undefined : typeOf(asked),
    "content-length": text === undefined ? undefined : String(Buffer.byteLength(text)),
    "x-huge": asked.hugeHeader ? "x".repeat(20_000) : undefined,
  };
  return {
    method,
    path: `${pattern.replaceAll(/:[a-z]+/g, "ferry")}${search}`,
    headers: Object.fromEntries(
      Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    ...(text === undefined ? {} : { body: text }),
  };

  function typeOf({ body: kind }: Case): string {
    return kind === "a form" ? "application/x-www-form-urlencoded" : "application/json";
  }

  function bodyText({ as: named }: Case, whole: object): string | undefined {
    if (!takesBody(method)) return undefined;
    if (body === "not JSON") return "{";
    if (body === "no object") return "[1]";
    if (!inBody && named?.inBody !== true) return undefined;
    return body === "none" && Object.keys(whole).length === 0 ? undefined : JSON.stringify(whole);
  }
}

function inAddress(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.map(String).join(",") : JSON.stringify(value);
}

function hostOf({ host }: Case, port: number): string | undefined {
  switch (host) {
    case "ours":
      return `127.0.0.1:${port}`;
    case "localhost":
      return `localhost:${port}`;
    case "another port":
      return `127.0.0.1:${port === 1024 ? 1025 : port - 1}`;
    case "evil":
      return "evil.example";
    case "none":
      return undefined;
    default:
      return host satisfies never;
  }
}

function originOf(asked: Case, port: number): string | undefined {
  switch (asked.origin) {
    case "none":
      return undefined;
    case "same":
      return `http://${hostOf(asked, port) ?? ""}`;
    case "other":
      return "https://evil.example";
    case "null":
      return "null";
    default:
      return asked.origin satisfies never;
  }
}
