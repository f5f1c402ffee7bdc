/** A door on a port of 127.0.0.1. */
import { listenLoopback } from "../platform/http-server.js";
import type { Door } from "../serve/door.js";

export interface Loopback {
  port: number;
  close: () => void;
}

/** 0 for a port that is free. Throws `port_taken`. */
export async function openLoopback(door: Door, port: number): Promise<Loopback> {
  let listening = port;
  const opened = await listenLoopback(
    (request) => door(request, { kind: "loopback", port: listening }),
    port,
  );
  listening = opened.port;
  return opened;
}
