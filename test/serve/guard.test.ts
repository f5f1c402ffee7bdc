import { Hono } from "hono";
import { expect, test } from "vitest";
import { guarded, refusal, tokenOr, type Caller } from "../../src/serve/guard.js";

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

test.each(["", "\n", "short", "t".repeat(51)])(
  "%j is no token: nobody gets in with it, and it is made anew",
  (text) => {
    const asked = { ...good, authorization: `Bearer ${text.trim()}` };
    expect(refusal(asked, 4711, text.trim())).toBe(401);
    expect(refusal({ ...asked, authorization: "Bearer" }, 4711, text.trim())).toBe(401);
    expect(tokenOr((length) => "n".repeat(length), text)).toBe("n".repeat(52));
  },
);

test("a token that stands is kept", () => {
  expect(tokenOr(() => "new", `${TOKEN}\n`)).toBe(TOKEN);
  expect(tokenOr((length) => "n".repeat(length), undefined)).toBe("n".repeat(52));
});

test("a body is not looked at before the token is", async () => {
  let pulled = 0;
  const body = new ReadableStream(
    {
      pull: (controller) => {
        pulled++;
        controller.enqueue(new Uint8Array(1024));
      },
    },
    { highWaterMark: 0 },
  );
  const request = new Request("http://127.0.0.1:4711/status", {
    method: "POST",
    headers: { host: "127.0.0.1:4711", "content-type": "application/json" },
    body,
    duplex: "half",
  });
  expect((await guarded(new Hono(), () => 4711, TOKEN).fetch(request)).status).toBe(401);
  expect(pulled).toBe(0);
});
