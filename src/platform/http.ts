/** HTTP over the workspace's socket: serving a fetch handler, and asking one. */
import http from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { MemdError, messageOf } from "../model/errors.js";

export type FetchHandler = (request: Request) => Response | Promise<Response>;

export function serverFor(handler: FetchHandler): http.Server {
  const server = createAdaptorServer({ fetch: handler }) as http.Server;
  // A long pass or a stream of events may take any time; only the owner can connect.
  server.requestTimeout = 0;
  return server;
}

export interface Answer {
  status: number;
  body: unknown;
}

/** Asks with a JSON body, gets a JSON body. Throws `not_running` when nobody listens. */
export async function ask(socket: string, method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<Answer> {
  const text = await exchange(socket, method, path, body === undefined ? undefined : JSON.stringify(body), undefined);
  return { status: text.status, body: text.body === "" ? undefined : (JSON.parse(text.body) as unknown) };
}

/** Follows a stream of server-sent events; ends with the stream or when `stop` is called. */
export function follow(socket: string, path: string, onData: (data: string) => void): { stop: () => void; ended: Promise<void> } {
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
    const headers = body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const request = http.request(
      { socketPath, method, path, headers, agent: false, ...(stream === undefined ? {} : { signal: stream.signal }) },
      (response) => {
        response.setEncoding("utf8");
        const parts: string[] = [];
        response.on("data", (chunk: string) => (stream === undefined ? parts.push(chunk) : stream.onChunk(chunk)));
        response.on("error", reject);
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: parts.join("") }));
      },
    );
    request.on("error", (error: NodeJS.ErrnoException) => {
      const gone = error.code === "ECONNREFUSED" || error.code === "ENOENT" || error.code === "ECONNRESET";
      reject(gone ? new MemdError("not_running", "memd does not run here.", { cause: error }) : new Error(messageOf(error), { cause: error }));
    });
    request.end(body);
  });
}
