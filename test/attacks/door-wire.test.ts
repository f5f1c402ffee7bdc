/**
 * The same over real servers, on a memory in which every person has a word that nobody
 * else knows: no answer tells it to another. `MEMD_RUNS=1` asks every case.
 */
import http from "node:http";
import { expect, onTestFinished, test } from "vitest";
import type { ScopeId } from "../../src/model/address.js";
import { listenLoopback, serverFor } from "../../src/platform/http-server.js";
import { removeToken } from "../../src/protocol/tokens.js";
import type { Place } from "../../src/serve/guard.js";
import { OPERATIONS } from "../../src/service/operations.js";
import { SERVED } from "../../src/service/runs.js";
import { served, type Served, type Service } from "../../src/service/served.js";
import { randomOf } from "../faults/random.js";
import { said } from "../support/archive-desk.js";
import { doorOn, type OpenDoor, OWNER_TOKEN, SOCKET, WORKSPACE } from "../support/door.js";
import { endJob } from "../support/end-job.js";
import { profileText, record, recordLines } from "../support/records.js";
import { tempDir } from "../support/temp-dir.js";
import { type Case, casesOf, type TokenKind } from "./door/cases.js";
import { type Answered, lookAt, type Looked } from "./door/look.js";
import type { Sent } from "./door/request.js";

/** Of all cases, one of so many is asked. */
const EACH = process.env["MEMD_RUNS"] === undefined ? 7 : 1;
const SEED = Number(process.env["MEMD_SEED"] ?? 1);

type Reader = readonly [user: string, scope: string, session: string];

/** A word that stands in one place only, and who may read it. */
const KNOWN: Readonly<Record<string, (...reader: Reader) => boolean>> = {
  okapi: (user, scope) => user === "local" && scope === "main",
  gecko: (user) => user === "local",
  numbat: (user) => user === "lin",
  quokka: (user, scope, session) => user === "lin" && scope === "main" && session === "s-1",
  ibis: (user, scope) => user === "lin" && scope === "main",
  tapir: () => false,
  dugong: (user) => user === "wei",
  axolotl: (user, scope) => user === "wei" && scope === "main",
  kakapo: (user) => user === "wei",
};

const FILES = {
  "history.json": [
    said("m-1", "2026-02-19T10:00:00Z", "the ferry of the okapi"),
    { ...said("m-2", "2026-02-19T11:00:00Z", "the ferry of the ibis"), user: "lin" },
  ],
  "memory.md": "## Notes\n\n- The ferry of the gecko.\n",
  "memory/records/2026-02.jsonl": recordLines(
    record("a", "Lin's ferry has a quokka.", { user: "lin", level: "session", session: "s-1" }),
    record("b", "The ferry has an axolotl.", { user: "wei" }),
  ),
  "memory/records/users/lin.jsonl": recordLines(
    record("c", "Lin's ferry has a numbat.", { user: "lin", level: "user" }),
  ),
  "memory/records/users/wei.jsonl": recordLines(
    record("d", "Wei's ferry has a dugong.", { user: "wei", level: "user" }),
  ),
  "memory/profiles/users/wei.md": profileText("user", "wei", "Rides the ferry with a kakapo"),
  "queue/pending/20260219T100000000Z-aaaaaaaa.json": endJob("2026-02-19T10:00:00Z", {
    observations: ["The ferry has a tapir."],
  }),
};

/** What the answer says that its reader may not know. */
function tells(text: string, reader: string | undefined): string | undefined {
  if (reader === "owner") return undefined;
  const asks = reader === undefined ? undefined : (JSON.parse(reader) as unknown as Reader);
  const told = Object.entries(KNOWN)
    .filter(([word, mayRead]) => text.includes(word) && (asks === undefined || !mayRead(...asks)))
    .map(([word]) => word);
  return told.length === 0 ? undefined : `${told.join(", ")} is told to ${reader ?? "nobody known"}`;
}

interface World extends OpenDoor {
  secrets: Readonly<Record<TokenKind, string | undefined>>;
}

async function world(table: readonly Served[] = SERVED): Promise<World> {
  const opened = await doorOn(FILES, table);
  const lin = { user: "lin", scope: "main" as ScopeId };
  const secrets = {
    none: undefined,
    empty: "",
    short: OWNER_TOKEN.slice(1),
    wrong: "w".repeat(60),
    owner: OWNER_TOKEN,
    viewer: await opened.token(lin),
    seated: await opened.token({ ...lin, session: "s-1" }),
    removed: await opened.token(lin, "removed"),
  };
  await removeToken(opened.writer, WORKSPACE, "removed");
  return { ...opened, secrets };
}

/** The owner may do what would leave nothing to be told: it is left out. */
function* harmless(cases: Iterable<Case>, each: number): Generator<Case> {
  let count = 0;
  for (const asked of cases) {
    const { token, place, target, method } = asked;
    const isOwner = token === "owner" || (token === "none" && place === "socket");
    const isRead = (method === "GET" || method === "HEAD") && target.call.startsWith("GET");
    if (isOwner && !isRead && target.row?.access !== "viewer") continue;
    // Another method on its path is another row.
    if (isOwner && !isRead && !target.call.startsWith(method)) continue;
    if (count++ % each === 0) yield asked;
  }
}

test("over socket and port nobody is told what is another's, whatever they ask", async () => {
  const { door, secrets, pass } = await world();
  const socketPath = `${tempDir()}/s.sock`;
  const handlerAt = (place: () => Place) => (request: Request) => {
    pass(1000);
    return door(request, place());
  };
  const server = serverFor(handlerAt(() => SOCKET));
  await new Promise<void>((done) => server.listen(socketPath, done));
  let port = 0;
  const loopback = await listenLoopback(
    handlerAt(() => ({ kind: "loopback", port })),
    0,
  );
  port = loopback.port;
  onTestFinished(() => {
    loopback.close();
    server.closeAllConnections();
    server.close();
  });
  const { wrong, count, statuses } = await lookAt({
    table: SERVED,
    secrets,
    port,
    isWire: true,
    mayFail: true,
    tells,
    cases: harmless(casesOf(SERVED, 1, randomOf(SEED)), EACH),
    ask: (sent, { place }) =>
      overWire(sent, place === "socket" ? { socketPath } : { host: "127.0.0.1", port }),
  });
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(700);
  for (const status of [200, 400, 401, 403, 404, 431]) expect(statuses.get(status) ?? 0).toBeGreaterThan(5);
  // And there is something to be told.
  const owners = await door(new Request("http://x/agent/memories"), SOCKET);
  const text = await owners.text();
  for (const word of ["numbat", "quokka", "dugong", "axolotl", "kakapo"]) expect(text).toContain(word);
});

test("a body of a GET is refused, and not passed over", async () => {
  const { door } = await world();
  const socketPath = `${tempDir()}/s.sock`;
  const server = serverFor((request) => door(request, SOCKET));
  await new Promise<void>((done) => server.listen(socketPath, done));
  onTestFinished(() => void server.close());
  const body = JSON.stringify({ as: "eve" });
  const headers = { host: "memd", "content-length": String(body.length) };
  const sent = { method: "GET", path: "/agent/memories", headers, body };
  expect(await overWire(sent, { socketPath })).toMatchObject({ status: 400 });
});

/** In this process, only what is asked for by that name. */
async function looked(name: string, table: readonly Served[]): Promise<Looked> {
  const { door, secrets, pass } = await world(table);
  const cases = [...casesOf(table, 1, randomOf(SEED))].filter(({ target }) => target.row?.name === name);
  return lookAt({
    table,
    secrets,
    port: 4711,
    isWire: false,
    mayFail: true,
    tells,
    cases: harmless(cases, 1),
    ask: async ({ path, ...sent }, { place }) => {
      pass(1000);
      const at: Place = place === "socket" ? SOCKET : { kind: "loopback", port: 4711 };
      const answer = await door(new Request(`http://127.0.0.1:4711${path}`, sent), at);
      return { status: answer.status, text: await answer.text() };
    },
  });
}

/** As the owner, whoever asks. */
const asOwner = (name: string) => (service: Service) =>
  SERVED.find((row) => row.name === name)?.answer(service, {}) as Promise<never>;

test.each([
  [
    "a row of the owner's that the table says a viewer may ask",
    served("listQueue", { ...OPERATIONS.listQueue, access: "viewer" }, asOwner("listQueue")),
  ],
  [
    "a row that answers without a look at who asks",
    served("listMemories", OPERATIONS.listMemories, asOwner("listMemories")),
  ],
])("planted: %s is found by what it tells", async (_what, row) => {
  const table = SERVED.map((one) => (one.name === row.name ? row : one));
  expect((await looked(row.name, table)).wrong.join()).toMatch(/is told to/);
  expect((await looked(row.name, SERVED)).wrong).toEqual([]);
});

/** What a server answers; it may hang up before all is sent to it. */
function overWire(
  { method, path, headers, body }: Sent,
  to: { socketPath: string } | { host: string; port: number },
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const setHost = false;
    const request = http.request({ ...to, method, path, headers, setHost, agent: false }, (response) => {
      const status = response.statusCode ?? 0;
      if (response.headers["content-type"]?.startsWith("text/event-stream") === true) {
        response.destroy();
        return resolve({ status, text: "" });
      }
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("error", reject);
      response.on("end", () => resolve({ status, text }));
    });
    request.on("error", reject);
    request.end(body);
  });
}
