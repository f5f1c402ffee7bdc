/** HTTP over the workspace's socket: asking whoever serves there. */
import http from "node:http";
import net from "node:net";
import { basename } from "./files.js";
import { MemdError, messageOf } from "../model/errors.js";

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
  asked: http.RequestOptions & { socketPath: string },
  body: string | undefined,
  onChunk: (chunk: string) => void,
): Promise<number> {
  // An agent looks first whether a socket is an IP address, which takes 10 ms.
  const createConnection = (): net.Socket => net.connect(asked.socketPath);
  return new Promise((resolve, reject) => {
    const length = Buffer.byteLength(body ?? "");
    // By the name under which it is asked, one that listens for many workspaces knows which is meant.
    const host = basename(asked.socketPath);
    const sent = body === undefined ? {} : { "content-type": "application/json", "content-length": length };
    const headers = { host, ...sent };
    const request = http.request({ ...asked, headers, createConnection }, (response) => {
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
