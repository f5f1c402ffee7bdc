/** How the page is let in, and what it is served with. */
import { describe, expect, test } from "vitest";
import type { Seat } from "../../src/model/address.js";
import type { App } from "../../src/serve/app.js";
import { openDoor } from "../../src/serve/door.js";
import { assetsIn } from "../../src/serve/page/assets.js";
import { PageKeys } from "../../src/serve/page/keys.js";

const HOST = "127.0.0.1:7077";
const LIN = { user: "lin", scope: "main" } as Seat;
const letters = (): ((length: number) => string) => {
  let made = 0;
  return (length) => `${made++}`.padStart(length, "k");
};

describe("a code", () => {
  test("is good for one key, once", () => {
    const keys = new PageKeys(letters());
    const code = keys.code(LIN, 0);
    const key = keys.redeem(code, 1000) ?? "";
    expect(keys.holder(key)).toMatchObject({ seat: LIN });
    expect(keys.redeem(code, 1001)).toBeUndefined();
    expect(keys.holder(code)).toBeUndefined();
  });

  test("is good for a minute", () => {
    const keys = new PageKeys(letters());
    const code = keys.code(undefined, 0);
    expect(keys.redeem(code, 60_000)).toBeUndefined();
  });

  test("of many only the newest count", () => {
    const keys = new PageKeys(letters());
    const codes = Array.from({ length: 100 }, () => keys.code(undefined, 0));
    expect(codes.filter((code) => keys.redeem(code, 1) !== undefined)).toHaveLength(64);
  });
});

function door() {
  const keys = new PageKeys(letters());
  const files = new Map([
    ["/web/index.html", "<!doctype html>"],
    ["/web/page.js", "1"],
  ]);
  const read = (path: string): Promise<Uint8Array | undefined> =>
    Promise.resolve(files.has(path) ? new TextEncoder().encode(files.get(path)) : undefined);
  const fetch = (_request: Request, { seat }: { seat?: Seat }): Response =>
    Response.json({ seat: seat ?? "owner" });
  const opened = openDoor({
    app: { fetch } as unknown as App,
    ownerToken: undefined,
    tokens: () => Promise.resolve([]),
    monotonicMs: () => 0,
    page: { assets: assetsIn({ read }, "/web"), keys },
  });
  const asks = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
    opened(
      new Request(`http://${HOST}${path}`, {
        method,
        headers: {
          host: HOST,
          ...(body !== undefined && { "content-length": String(body.length) }),
          ...headers,
        },
        ...(body !== undefined && { body }),
      }),
      { kind: "loopback", port: 7077 },
    );
  const redeems = (code: string, headers: Record<string, string> = {}) =>
    asks("POST", "/page/key", { "content-type": "application/json", ...headers }, JSON.stringify({ code }));
  return { keys, asks, redeems };
}

test("the files of the page are for anybody, and nothing may run in it that is not one of them", async () => {
  const { asks } = door();
  const answer = await asks("GET", "/");
  expect(answer.status).toBe(200);
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("unsafe");
  expect((await asks("GET", "/page.js")).headers.get("content-type")).toContain("text/javascript");
  expect(await (await asks("HEAD", "/")).text()).toBe("");
});

test.each([
  "/index.html",
  "/../package.json",
  "/page.map",
  "/%2e%2e/x",
  "/page.css/../../x",
  "/status",
  "/page/key",
])("%s is no file of it: nobody asks without a key", async (path) => {
  expect((await door().asks("GET", path)).status).toBe(401);
});

test("a key reads as the owner, or as the viewer that its code was made for", async () => {
  const { keys, asks, redeems } = door();
  for (const [seat, reads] of [
    [undefined, "owner"],
    [LIN, LIN],
  ] as const) {
    const { key } = (await (await redeems(keys.code(seat, 0))).json()) as { key: string };
    const answer = await asks("GET", "/prompt", { authorization: `Bearer ${key}` });
    expect(await answer.json()).toEqual({ seat: reads });
  }
});

test("a code that was used, another site, a form and a long body get no key", async () => {
  const { keys, redeems, asks } = door();
  const code = keys.code(undefined, 0);
  expect((await redeems(code, { origin: "http://evil.example" })).status).toBe(403);
  expect((await redeems(code, { "content-type": "text/plain" })).status).toBe(403);
  const long = JSON.stringify({ code, more: "x".repeat(300) });
  expect((await asks("POST", "/page/key", { "content-type": "application/json" }, long)).status).toBe(403);
  expect((await redeems(code)).status).toBe(200);
  expect((await redeems(code)).status).toBe(403);
  expect((await asks("GET", "/prompt", { authorization: `Bearer ${code}` })).status).toBe(401);
});
