/** HTTP over the workspace's socket and on 127.0.0.1: serving a fetch handler. */
import type http from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { MemdError } from "../model/errors.js";

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
