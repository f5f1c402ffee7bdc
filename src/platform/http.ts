/** HTTP over the workspace's socket: serving a fetch handler, and asking one. */
import { defined } from "../model/collections.js";
import http from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { MemdError, messageOf } from "../model/errors.js";

/** To receive a request from the loopback interface; answers may take longer. */
const LOOPBACK_TIMEOUT_MS = 30_000;

export type FetchHandler = (request: Request) => Response | Promise<Response>;

export function serverFor(handler: FetchHandler): http.Server {
  const server = createAdaptorServer({ fetch: handler }) as http.Server;
  // A long pass or a stream of events may take any time; only the owner can connect.
  server.requestTimeout = 0;
  return server;
}

/** Listens on 127.0.0.1 for browsers and other programs of this machine. Throws `port_taken`. */
export function listenLoopback(
  handler: FetchHandler,
  port: number,
): Promise<{ port: number; close: () => void }> {
  const server = serverFor(handler);
  server.requestTimeout = LOOPBACK_TIMEOUT_MS;
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE" || error.code === "EACCES";
      reject(
        taken
          ? new MemdError("port_taken", `Port ${port} of 127.0.0.1 cannot be had.`, { cause: error })
          : error,
      );
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

/** Asks with a JSON body, gets a JSON body (as text where it is none). Throws `not_running` when nobody listens. */
export async function ask(
  socket: string,
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: unknown,
): Promise<Answer> {
  const text = await exchange(
    socket,
    method,
    path,
    body === undefined ? undefined : JSON.stringify(body),
    undefined,
  );
  return { status: text.status, body: text.body === "" ? undefined : jsonOrText(text.body) };
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
  socket: string,
  path: string,
  onData: (data: string) => void,
): { stop: () => void; ended: Promise<void> } {
  const abort = new AbortController();
  let rest = "";
  const ended = exchange(socket, "GET", path, undefined, {
    signal: abort.signal,
    onChunk: (chunk) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.startsWith("data: ")) onData(line.slice("data: ".length));
    },
  }).then(
    () => undefined,
    () => undefined,
  );
  return { stop: () => abort.abort(), ended };
}

/** Nobody listens, or whoever did went away meanwhile. */
const GONE = new Set(["ECONNREFUSED", "ENOENT", "ECONNRESET", "EPIPE"]);

interface Stream {
  signal: AbortSignal;
  onChunk: (chunk: string) => void;
}

function exchange(
  socketPath: string,
  method: string,
  path: string,
  body: string | undefined,
  stream: Stream | undefined,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const headers =
      body === undefined
        ? {}
        : { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const request = http.request(
      {
        socketPath,
        method,
        path,
        headers,
        agent: false,
        ...defined({ signal: stream?.signal }),
      },
      (response) => {
        response.setEncoding("utf8");
        const parts: string[] = [];
        response.on("data", (chunk: string) =>
          stream === undefined ? parts.push(chunk) : stream.onChunk(chunk),
        );
        response.on("error", reject);
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: parts.join("") }));
      },
    );
    request.on("error", (error: NodeJS.ErrnoException) => {
      const gone = GONE.has(error.code ?? "");
      reject(
        gone
          ? new MemdError("not_running", "memd does not run here.", { cause: error })
          : new Error(messageOf(error), { cause: error }),
      );
    });
    request.end(body);
  });
}
