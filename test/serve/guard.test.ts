import { expect, test } from "vitest";
import type { ScopeId } from "../../src/model/address.js";
import { sha256 } from "../../src/platform/files.js";
import {
  askerOf,
  type Caller,
  isForeignBody,
  type Place,
  strangeness,
  tokenOr,
} from "../../src/serve/guard.js";

const TOKEN = "t".repeat(52);
const LINS = `memd_${"l".repeat(52)}`;
const port: Place = { kind: "loopback", port: 4711 };
const socket: Place = { kind: "socket" };
const lin = {
  id: "0",
  seat: { user: "lin", scope: "main" as ScopeId },
  createdAt: "2026-01-05T10:00:00.000Z",
  hash: sha256(LINS),
};
const credentials = { ownerToken: TOKEN, tokens: [{ ...lin, hash: sha256("x".repeat(60)) }, lin] };
const good: Caller = {
  host: "127.0.0.1:4711",
  origin: undefined,
  authorization: `Bearer ${TOKEN}`,
  method: "POST",
  "content-type": "application/json",
};

test("a program of this machine may ask", () => {
  for (const caller of [good, { ...good, host: "localhost:4711", origin: "http://localhost:4711" }]) {
    expect(strangeness(caller, port)).toBeUndefined();
    expect(isForeignBody(caller, port)).toBe(false);
  }
  expect(isForeignBody({ ...good, method: "GET", "content-type": undefined }, port)).toBe(false);
});

test.each<[string, Partial<Caller>]>([
  ["a name that was rebound to this machine", { host: "evil.example:4711" }],
  ["another port", { host: "127.0.0.1:80" }],
  ["no host", { host: undefined }],
  ["a page of another origin", { origin: "https://evil.example" }],
  ["an opaque origin", { origin: "null" }],
  ["an empty origin", { origin: "" }],
])("refused, whoever asks: %s", (_what, change) => {
  expect(strangeness({ ...good, ...change }, port)).toBeDefined();
  // No page reaches the socket, whose rights are those of its file.
  expect(strangeness({ ...good, ...change }, socket)).toBeUndefined();
});

test.each<[string, Partial<Caller>]>([
  ["a form", { "content-type": "application/x-www-form-urlencoded" }],
  ["a body of no kind", { "content-type": undefined }],
  ["a text that says JSON later", { "content-type": "text/plain; application/json" }],
  ["a deletion with a body", { method: "DELETE", "content-type": undefined, "content-length": "2" }],
  ["a body in pieces", { method: "DELETE", "content-type": undefined, "transfer-encoding": "chunked" }],
])("refused: %s", (_what, change) => {
  expect(isForeignBody({ ...good, ...change }, port)).toBe(true);
});

test("whoever brings a token is whom it is for, on the socket as on the port", () => {
  for (const place of [port, socket]) {
    expect(askerOf(good, place, credentials)).toEqual({ is: "owner" });
    const asked = { ...good, authorization: `bearer ${LINS}` };
    expect(askerOf(asked, place, credentials)).toEqual({ is: "bearer", token: lin });
  }
});

test("without one the socket is the owner's, and the port nobody's", () => {
  const asked = { ...good, authorization: undefined };
  expect(askerOf(asked, socket, credentials)).toEqual({ is: "owner" });
  expect(askerOf(asked, port, credentials)).toBeUndefined();
});

test.each(["", "Bearer", "Bearer ", `Basic ${TOKEN}`, TOKEN, `Bearer ${TOKEN}x`, `Bearer ${TOKEN} ${LINS}`])(
  "with %j nobody asks, not even on the socket",
  (authorization) => {
    for (const place of [port, socket])
      expect(askerOf({ ...good, authorization }, place, credentials)).toBeUndefined();
  },
);

test.each(["", "short", "t".repeat(51)])("%j is no token, whatever a file says", (text) => {
  const asked = { ...good, authorization: `Bearer ${text}` };
  const tokens = [{ ...lin, hash: sha256(text) }];
  expect(askerOf(asked, port, { ownerToken: text, tokens })).toBeUndefined();
  expect(tokenOr((length) => "n".repeat(length), text)).toBe("n".repeat(52));
});

test("a token that stands is kept", () => {
  expect(tokenOr(() => "new", `${TOKEN}\n`)).toBe(TOKEN);
  expect(tokenOr((length) => "n".repeat(length), undefined)).toBe("n".repeat(52));
});
