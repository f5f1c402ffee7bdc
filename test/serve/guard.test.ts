import { Hono } from "hono";
import { expect, test } from "vitest";
import { guarded, refusal, type Caller } from "../../src/serve/guard.js";

const TOKEN = "t".repeat(52);
const good: Caller = {
  host: "127.0.0.1:4711",
  origin: undefined,
  authorization: `Bearer ${TOKEN}`,
  method: "POST",
  "content-type": "application/json",
};

test("a program of this machine with the token may ask", () => {
  expect(refusal(good, 4711, TOKEN)).toBeUndefined();
  expect(refusal({ ...good, method: "GET", "content-type": undefined }, 4711, TOKEN)).toBeUndefined();
  expect(
    refusal({ ...good, host: "localhost:4711", origin: "http://localhost:4711" }, 4711, TOKEN),
  ).toBeUndefined();
});

test.each<[string, Partial<Caller>, number]>([
  ["no token", { authorization: undefined }, 401],
  ["a wrong token", { authorization: `Bearer ${TOKEN}x` }, 401],
  ["another scheme", { authorization: `Basic ${TOKEN}` }, 401],
  ["a name that was rebound to this machine", { host: "evil.example:4711" }, 403],
  ["another port", { host: "127.0.0.1:80" }, 403],
  ["no host", { host: undefined }, 403],
  ["a page of another origin", { origin: "https://evil.example" }, 403],
  ["an opaque origin", { origin: "null" }, 403],
  ["a form", { "content-type": "application/x-www-form-urlencoded" }, 415],
  ["a body of no kind", { "content-type": undefined }, 415],
])("refused: %s", (_what, change, status) => {
  expect(refusal({ ...good, ...change }, 4711, TOKEN)).toBe(status);
});

test("what is refused never reaches the answers behind", async () => {
  const asked: string[] = [];
  const app = new Hono().get("/status", (context) => {
    asked.push("status");
    return context.json({});
  });
  const outer = guarded(app, () => 4711, TOKEN);
  const without = await outer.fetch(
    new Request("http://127.0.0.1:4711/status", { headers: { host: "127.0.0.1:4711" } }),
  );
  expect(without.status).toBe(401);
  expect(asked).toEqual([]);
  const headers = { host: "127.0.0.1:4711", authorization: `Bearer ${TOKEN}` };
  expect((await outer.fetch(new Request("http://127.0.0.1:4711/status", { headers }))).status).toBe(200);
});
