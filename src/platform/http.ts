/** HTTP over the workspace's socket: serving a fetch handler, and asking one. */
import http from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { MemdError, messageOf } from "../model/errors.js";

/** What is not received within this is not waited for; an answer, such as a pass or a stream of events, may take any time. */
const LIMITS = {
  headersMs: 10_000,
  /** 64 MB on a busy machine. */
  requestMs: 60_000,
  /** How often it is looked whether one is late. */
  lookMs: 2000,
  /** Of all headers together, with the first line. */
  headerBytes: 16 * 1024,
  connections: 2000,
};

export type FetchHandler = (request: Request) => Response | Promise<Response>;

export function serverFor(handler: FetchHandler, limits: typeof LIMITS = LIMITS): http.Server {
  const server = createAdaptorServer({
    fetch: handler,
    serverOptions: {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.lookMs,
      maxHeaderSize: limits.headerBytes,
    },
  }) as http.Server;
  server.maxConnections = limits.connections;
  return server;
}

/** Whoever is on this machine can open one, and hold it for as long as headers may take. */
const LOOPBACK_CONNECTIONS = 512;

/** Listens on 127.0.0.1 for browsers and other programs of this machine. Throws `port_taken`. */
export function listenLoopback(
  handler: FetchHandler,
  port: number,
): Promise<{ port: number; close: () => void }> {
  const server = serverFor(handler, { ...LIMITS, connections: LOOPBACK_CONNECTIONS });
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EADDRINUSE" && error.code !== "EACCES") return reject(error);
      reject(new MemdError("port_taken", `Port ${port} of 127.0.0.1 cannot be had.`, { cause: error }));
    });
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      const close = (): void => {
        server.close();
        server.closeAllConnections();
      };
      resolve({ port: typeof address === "object" && address !== null ? address.port : port, close });
    });
  });
}

export interface Answer {
  status: number;
  body: unknown;
}

/** Asks with a JSON body, gets a JSON body (as text where it is none), until `signal` says to let it be. Throws `not_running` when nobody listens. */
export async function ask(
  socketPath: string,
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Answer> {
  let text = "";
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const status = await exchange({ socketPath, method, path, signal }, sent, (chunk) => (text += chunk));
  return { status, body: text === "" ? undefined : jsonOrText(text) };
}

function jsonOrText(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Not from a route of ours: the status says what it is.
    return body;
  }
}

/** Follows a stream of server-sent events; ends with the stream or when `stop` is called. */
export function follow(
  socketPath: string,
  path: string,
  onData: (data: string) => void,
): { stop: () => void; ended: Promise<void> } {
  const abort = new AbortController();
  let rest = "";
  const ended = exchange({ socketPath, path, signal: abort.signal }, undefined, (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("data: ")) onData(line.slice("data: ".length));
  }).then(
    () => undefined,
    () => undefined,
  );
  return { stop: () => abort.abort(), ended };
}

/** Nobody listens, or whoever did went away meanwhile. */
const GONE = new Set(["ECONNREFUSED", "ENOENT", "ECONNRESET", "EPIPE"]);

/** The status, once `onChunk` has been given the whole answer. */
function exchange(
  asked: http.RequestOptions,
  body: string | undefined,
  onChunk: (chunk: string) => void,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = Buffer.byteLength(body ?? "");
    const headers =
      body === undefined ? {} : { "content-type": "application/json", "content-length": length };
    const request = http.request({ ...asked, headers, agent: false }, (response) => {
      response.setEncoding("utf8");
      response.on("data", onChunk);
      response.on("error", reject);
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      if (!GONE.has(error.code ?? "")) return reject(new Error(messageOf(error), { cause: error }));
      reject(new MemdError("not_running", "memd does not run here.", { cause: error }));
    });
    request.end(body);
  });
}
