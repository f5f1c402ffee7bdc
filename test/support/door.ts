/** The door of a memd on a disk in memory, with tokens that can be changed while it is open. */
import type { Seat } from "../../src/model/address.js";
import { epochMs } from "../../src/model/time.js";
import { systemRandom } from "../../src/platform/clock.js";
import { addToken, readTokens } from "../../src/protocol/tokens.js";
import { createApp } from "../../src/serve/app.js";
import { type Door, openDoor } from "../../src/serve/door.js";
import type { Place } from "../../src/serve/guard.js";
import { SERVED } from "../../src/service/runs.js";
import type { Served } from "../../src/service/served.js";
import { memoryLocks } from "./memory-locks.js";
import { openStage } from "./stage.js";

const PORT = 4711;
export const HOST = `127.0.0.1:${PORT}`;
export const LOOPBACK: Place = { kind: "loopback", port: PORT };
export const SOCKET: Place = { kind: "socket" };
export const OWNER_TOKEN = "o".repeat(52);

export interface OpenDoor {
  door: Door;
  /** Milliseconds that pass only here; refilled allowances need them. */
  pass: (ms: number) => void;
  token: (seat: Seat, name?: string) => Promise<string>;
  writer: Parameters<typeof addToken>[0];
  /** As curl asks: on the port unless another place is named. */
  ask: (call: string, asked?: Asked) => Promise<Response>;
}

export interface Asked {
  token?: string | undefined;
  body?: unknown;
  place?: Place;
  headers?: Record<string, string>;
}

export const WORKSPACE = { root: "/w" };

export async function doorOn(
  files: Record<string, unknown>,
  operations: readonly Served[] = SERVED,
): Promise<OpenDoor> {
  const { supervisor: memd, disk } = await openStage(files);
  await memd.start({ watch: false, work: false });
  const writer = { disk, random: systemRandom, guard: () => Promise.resolve(), locks: memoryLocks() };
  let nowMs = 0;
  const door = openDoor({
    app: createApp(
      { memd, socket: "/none", listen: () => () => undefined, stop: () => undefined },
      operations,
    ),
    ownerToken: OWNER_TOKEN,
    tokens: () => readTokens(disk, WORKSPACE),
    monotonicMs: () => nowMs,
  });
  return {
    door,
    writer,
    pass: (ms) => (nowMs += ms),
    token: async (seat, name) =>
      (await addToken(writer, WORKSPACE, name === undefined ? { seat } : { seat, name }, epochMs(0))).secret,
    ask: (call, asked) => door(requestOf(call, asked), asked?.place ?? LOOPBACK),
  };
}

function requestOf(call: string, { token, body, headers = {} }: Asked = {}): Request {
  const [method = "", path = ""] = call.split(" ");
  return new Request(`http://${HOST}${path}`, {
    method,
    headers: {
      host: HOST,
      ...(method === "POST" ? { "content-type": "application/json" } : {}),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
}
