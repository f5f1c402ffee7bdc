/** Who is let in, as whom, and how often; all of it before a body is looked at. */
import { expect, onTestFinished, test, vi } from "vitest";
import type { ScopeId, Seat } from "../../src/model/address.js";
import { MemdError } from "../../src/model/errors.js";
import { removeToken } from "../../src/protocol/tokens.js";
import { LIMITS } from "../../src/serve/allowance.js";
import { RecentEvents } from "../../src/serve/events.js";
import { createApp } from "../../src/serve/app.js";
import type { Memd } from "../../src/service/memd.js";
import { served, type Served } from "../../src/service/served.js";
import { SERVED } from "../../src/service/runs.js";
import { said } from "../support/archive-desk.js";
import { doorOn, HOST, LOOPBACK, type OpenDoor, OWNER_TOKEN, SOCKET, WORKSPACE } from "../support/door.js";
import { echo } from "../support/echo.js";
import { profileText, record, recordLines } from "../support/records.js";

const FILES = {
  "history.json": [said("m-1", "2026-02-19T10:00:00Z", "is the ferry late?")],
  "memory/records/2026-02.jsonl": recordLines(
    record("a", "The ferry sank.", { sources: ["m-1"] }),
    record("b", "Lin took the ferry.", { user: "lin" }),
    record("c", "Lin's ferry is red.", { user: "lin", level: "session", session: "s-1" }),
    record("d", "Lin's ferry is late.", { user: "lin", level: "session", session: "main" }),
  ),
  "memory/profiles/users/lin.md": profileText("user", "lin", "Sails the ferry"),
};

const LIN: Seat = { user: "lin", scope: "main" as ScopeId };
const opened = (operations?: readonly Served[]): Promise<OpenDoor> => doorOn(FILES, operations);
const told = async (answer: Response): Promise<Record<string, unknown>> =>
  (await answer.json()) as Record<string, unknown>;

async function idsFor(ask: OpenDoor["ask"], token: string, body: object = {}): Promise<string[]> {
  const answer = await ask("POST /events/search", { token, body });
  const { events = [] } = (await answer.json()) as { events?: { id: string }[] };
  return events.map(({ id }) => id.split("#").at(-1) ?? "").sort();
}

test("a token reads as the viewer it is bound to, and nothing of a session that it does not name", async () => {
  const { ask, token } = await opened();
  expect(await idsFor(ask, OWNER_TOKEN)).toEqual(["a", "b", "c", "d"]);
  expect(await idsFor(ask, await token(LIN))).toEqual(["b"]);
  expect(await idsFor(ask, await token({ ...LIN, session: "s-1" }))).toEqual(["b", "c"]);
  expect(await idsFor(ask, await token({ ...LIN, scope: "harbor" as ScopeId }))).toEqual([]);
  const asWhole = await ask("POST /events/search", { token: await token(LIN), body: {}, place: SOCKET });
  expect((await told(asWhole))["events"]).toHaveLength(1);
});

test("who asks is never read from the request: the same viewer may be named, and no other", async () => {
  const { ask, token } = await opened();
  const whole = await token(LIN);
  const ofMain = await token({ ...LIN, session: "main" });
  for (const as of ["lin", "lin/main", { user: "lin" }, { user: "lin", scope: "main" }]) {
    expect(await idsFor(ask, whole, { as })).toEqual(["b"]);
    expect(await idsFor(ask, ofMain, { as })).toEqual(["b", "d"]);
  }
  expect(await idsFor(ask, ofMain, { as: "lin/main/main" })).toEqual(["b", "d"]);
  for (const as of ["local", "lin/other", "lin/main/s-1", "lin/main/main", { user: "lin", session: "s-1" }]) {
    const answer = await ask("POST /events/search", { token: whole, body: { as } });
    expect([as, answer.status, await told(answer)]).toEqual([
      as,
      403,
      {
        error: {
          code: "refused",
          message: expect.stringContaining("lin/main") as string,
          advice: expect.any(String) as string,
        },
      },
    ]);
  }
  expect((await ask("GET /agent/memories?as=local", { token: whole })).status).toBe(403);
});

test("to a viewer there are no operations of the owner's, and nothing tells them from none", async () => {
  const { ask, token } = await opened();
  const lin = await token(LIN);
  for (const { name, call, access } of SERVED) {
    if (access === "viewer") continue;
    const [method = ""] = call.split(" ");
    const path = call.slice(method.length + 1).replaceAll(/:[a-z]+/g, "a");
    const body = method === "POST" ? {} : undefined;
    for (const place of [LOOPBACK, SOCKET]) {
      const answer = await ask(`${method} ${path}`, { token: lin, body, place });
      const unknown = await ask(`${method} /nowhere`, { token: lin, body, place });
      expect([call, answer.status]).toEqual([call, unknown.status]);
      expect(JSON.stringify(await told(answer))).toBe(
        JSON.stringify(await told(unknown)).replace("/nowhere", path),
      );
      const byName = await ask(`POST /operations/${name}`, { token: lin, body: {}, place });
      const byNoName = await ask("POST /operations/dream", { token: lin, body: {}, place });
      expect([name, byName.status]).toEqual([name, byNoName.status]);
      expect(JSON.stringify(await told(byName))).toBe(
        JSON.stringify(await told(byNoName)).replace("dream", name),
      );
    }
  }
  // Of a token of their own, since so much is asked with the other one.
  const again = await token(LIN);
  for (const call of ["GET /events", "GET /metrics"])
    expect([call, (await ask(call, { token: again })).status]).toEqual([call, 404]);
  for (const call of ["GET /ping", "GET /openapi.json"])
    expect([call, (await ask(call, { token: again })).status]).toEqual([call, 200]);
});

test("a token that is removed lets nobody in from then on", async () => {
  const { ask, token, writer } = await opened();
  const secret = await token(LIN, "lin's agent");
  expect((await ask("GET /profiles", { token: secret })).status).toBe(200);
  await removeToken(writer, WORKSPACE, "lin's agent");
  for (const place of [LOOPBACK, SOCKET])
    expect((await ask("GET /profiles", { token: secret, place })).status).toBe(401);
});

test("where the tokens cannot be read nobody is let in with one, and the socket is still the owner's", async () => {
  const { ask, token, writer } = await opened();
  const secret = await token(LIN);
  writer.disk.read = () => Promise.reject(new MemdError("disk_denied", "It may not be read."));
  for (const place of [LOOPBACK, SOCKET]) {
    const answer = await ask("GET /profiles", { token: secret, place });
    expect([answer.status, await told(answer)]).toEqual([
      500,
      {
        error: { code: "disk_denied", message: "It may not be read.", advice: expect.any(String) as string },
      },
    ]);
  }
  expect((await ask("GET /ping", { place: SOCKET })).status).toBe(200);
});

test("what is refused is told in a sentence, with the way to ask", async () => {
  const { ask } = await opened();
  const answer = await ask("GET /profiles", { token: "x".repeat(60) });
  expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  expect(await told(answer)).toEqual({
    error: { code: "refused", message: "There is no such token.", advice: expect.any(String) as string },
  });
});

test("a body is not looked at before it is known who asks", async () => {
  const { door } = await opened();
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
  const headers = { host: HOST, "content-type": "application/json" };
  const request = new Request(`http://${HOST}/events/search`, {
    method: "POST",
    headers,
    body,
    duplex: "half",
  });
  expect((await door(request, LOOPBACK)).status).toBe(401);
  expect(pulled).toBe(0);
});

test("what is too large is not read: of a viewer 1 MB, of the owner 64 MB", async () => {
  const { ask, token } = await opened();
  const body = { query: "x".repeat(1024 * 1024) };
  for (const place of [LOOPBACK, SOCKET]) {
    expect((await ask("POST /events/search", { token: await token(LIN), body, place })).status).toBe(413);
    expect((await ask("POST /events/search", { token: OWNER_TOKEN, body, place })).status).toBe(200);
    const huge = { "content-length": String(64 * 1024 * 1024 + 1) };
    const asked = { token: OWNER_TOKEN, body: {}, headers: huge, place };
    expect((await ask("POST /events/search", asked)).status).toBe(413);
  }
  expect((await ask(`GET /profiles?as=${"x".repeat(9000)}`, { token: OWNER_TOKEN })).status).toBe(414);
});

test("who asks too often waits, and nobody else does", async () => {
  const { ask, token, pass } = await opened();
  const [one, other] = [await token(LIN), await token({ ...LIN, user: "wei" })];
  for (let n = 0; n < LIMITS.bearer.burst; n++)
    expect((await ask("GET /ping", { token: one })).status).toBe(200);
  const late = await ask("GET /ping", { token: one, place: SOCKET });
  expect([late.status, late.headers.get("retry-after")]).toEqual([429, "1"]);
  expect(await told(late)).toEqual({
    error: {
      code: "rate_limited",
      message: "Too many requests: the next one may come in 1 s.",
      advice: expect.any(String) as string,
    },
  });
  expect((await ask("GET /ping", { token: other })).status).toBe(200);
  expect((await ask("GET /ping", { token: OWNER_TOKEN })).status).toBe(200);
  pass(1000);
  expect((await ask("GET /ping", { token: one })).status).toBe(200);
});

test("strangers are told less once there are too many, and keep nobody out who is known", async () => {
  const { ask } = await opened();
  const stranger = (): Promise<Response> => ask("GET /ping", { token: "x".repeat(60) });
  for (let n = 0; n < LIMITS.stranger.burst; n++) expect((await stranger()).status).toBe(401);
  expect((await stranger()).status).toBe(429);
  expect((await ask("GET /ping", { headers: { host: "evil.example" } })).status).toBe(429);
  expect((await ask("GET /ping", { token: OWNER_TOKEN })).status).toBe(200);
});

test("who has as many questions open as may be waits until one is answered", async () => {
  let answerAll = (): void => undefined;
  const held = new Promise<void>((resolve) => (answerAll = resolve));
  const slow = served("echo", echo, () => held.then(() => ({ said: "at last" })));
  const { ask, token } = await opened([...SERVED, slow]);
  const lin = await token(LIN);
  const echoed = (): Promise<Response> => ask("POST /echo/7", { token: lin, body: { text: "ah" } });
  const open = Array.from({ length: LIMITS.bearer.atOnce }, echoed);
  // Each has been let in once a later one is told to wait.
  expect((await echoed()).status).toBe(429);
  expect((await ask("GET /ping", { token: OWNER_TOKEN })).status).toBe(200);
  answerAll();
  expect((await Promise.all(open)).map(({ status }) => status)).toEqual(open.map(() => 200));
  expect((await echoed()).status).toBe(200);
});

test("what is asked on somebody's behalf is not waited for without end, and the owner's own is", async () => {
  const waits: { ms: number; run: () => void }[] = [];
  const after = (ms: number, run: () => void): { cancel: () => void } => {
    waits.push({ ms, run });
    return { cancel: () => undefined };
  };
  const memd = { isStopping: false, parts: { clock: { after } } } as unknown as Memd;
  const endless = (name: string, access: "owner" | "viewer"): Served =>
    served(name, { ...echo, call: `POST /${name}/:id`, access }, () => new Promise(() => undefined));
  const app = createApp({ memd, socket: "/none", listen: () => () => undefined, stop: () => undefined }, [
    endless("asked", "viewer"),
    endless("mine", "owner"),
  ]);
  const post = { method: "POST", body: JSON.stringify({ text: "ah" }) };
  void app.request("/mine/7", post);
  const asked = app.request("/asked/7", post);
  await expect.poll(() => waits.length).toBe(1);
  expect(waits[0]?.ms).toBe(600_000);
  waits[0]?.run();
  expect((await asked).status).toBe(504);
  expect(await told(await asked)).toMatchObject({ error: { code: "timeout" } });
});

test("who only looks whether there are events leaves nobody listening", async () => {
  const hear = vi.spyOn(RecentEvents.prototype, "hear");
  onTestFinished(() => hear.mockRestore());
  const memd = { isStopping: false } as unknown as Memd;
  const app = createApp({ memd, socket: "/none", listen: () => () => undefined, stop: () => undefined });
  expect((await app.request("/events", { method: "HEAD" })).status).toBe(200);
  expect(hear).not.toHaveBeenCalled();
});
