/** The table of operations: a row is all it takes to be asked. */
import type http from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { askRunning } from "../../src/library/running.js";
import { serverFor } from "../../src/platform/http-server.js";
import { createApp } from "../../src/serve/app.js";
import { OPERATIONS, type Operations } from "../../src/service/operations.js";
import { SERVED } from "../../src/service/runs.js";
import { said } from "../support/archive-desk.js";
import { ECHO, type echo } from "../support/echo.js";
import { profileText, record, recordLines } from "../support/records.js";
import { openStage } from "../support/stage.js";
import { tempDir } from "../support/temp-dir.js";

const FILES = {
  "history.json": [said("m-1", "2026-02-19T10:00:00Z", "is the ferry late?")],
  "memory.md": "## Notes\n\n- The ferry code is 4711.\n",
  "memory/records/2026-02.jsonl": recordLines(record("a", "The ferry sank.", { sources: ["m-1"] })),
  "memory/profiles/users/local.md": profileText("user", "local", "Sails the ferry"),
};

async function served(operations = SERVED): Promise<ReturnType<typeof createApp>> {
  const { supervisor: memd } = await openStage(FILES);
  await memd.start({ watch: false, work: false });
  onTestFinished(() => memd.stop());
  const parts = { memd, socket: "/none", listen: () => () => undefined, stop: () => undefined };
  return createApp(parts, operations);
}

const posted = (body: unknown): RequestInit => ({ method: "POST", body: JSON.stringify(body) });

test("an operation that is added to it is answered over HTTP, on its path and by its name", async () => {
  const app = await served([...SERVED, ECHO]);
  const onItsPath = await app.request("/echo/7", posted({ text: "ah", loud: 2, as: "lin" }));
  expect(await onItsPath.json()).toEqual({ said: "7: ahah (lin)" });
  const byName = await app.request("/operations/echo", posted({ id: "7", text: "ah" }));
  expect(await byName.json()).toEqual({ said: "7: ah (the owner)" });
  expect((await app.request("/echo/7", posted({ text: 7 }))).status).toBe(400);
});

test("and over its socket by the client of library and commands, typed by its row", async () => {
  const app = await served([...SERVED, ECHO]);
  const socket = `${tempDir()}/memd.sock`;
  const server: http.Server = serverFor((request) => app.fetch(request));
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => void server.close());
  const answer = await askRunning<{ said: string }, Operations & { echo: typeof echo }>(socket, (memd) =>
    memd.ask("echo", { id: "7", text: "ah", as: { user: "lin" } }),
  );
  expect(answer.said).toBe("7: ah (lin)");
});

test("what is asked by a name that no operation has is refused in a sentence", async () => {
  const answer = await (await served()).request("/operations/dream", posted({}));
  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual({
    error: { code: "usage", message: "There is no operation dream.", advice: expect.any(String) as string },
  });
});

test("an operation of the owner's alone is answered to nobody else", async () => {
  const app = await served();
  for (const { name, call, access } of SERVED) {
    if (access === "viewer") continue;
    const answer = await app.request(`/operations/${name}`, posted({ as: "lin" }));
    expect([call, answer.status]).toEqual([call, 400]);
  }
});

test("an address that names nobody opens nothing, whatever is asked", async () => {
  const app = await served();
  for (const { name, call, access } of SERVED) {
    if (access === "owner") continue;
    for (const as of ["", "/x", "a//", "a/", "a/b/", null, {}, { user: "" }, { user: "lin", scope: "" }]) {
      const answer = await app.request(`/operations/${name}`, posted({ as }));
      expect([call, as, answer.status]).toEqual([call, as, 400]);
    }
  }
});

test.each([
  ["status", {}],
  ["prompt", {}],
  ["prompt", { as: "local" }],
  ["prompt", { wait: false }],
  ["history", {}],
  ["archive", { dryRun: true }],
  ["prune", { dryRun: true }],
  ["reindex", {}],
  ["doctor", {}],
  ["settings", {}],
  ["logs", { limit: 3 }],
  ["usage", { time_from: "2026-01-01" }],
  ["listTokens", {}],
  ["addToken", { viewer: "lin/boats", name: "a phone" }],
  ["importMessages", { messages: [{ role: "user", text: "hello" }] }],
  ["searchEvents", { query: "ferry", marks: true }],
  ["searchMemories", { query: "ferry", marks: true }],
  ["listMemories", { limit: 1 }],
  ["forget", { id: "m-1", dryRun: true }],
  ["listProfiles", {}],
  ["getProfile", {}],
  ["listRevisions", { entity: "user", id: "local" }],
  ["diffProfile", { entity: "user", id: "local" }],
  ["searchProfiles", { query: "ferry" }],
  ["listPinned", {}],
  ["addPinned", { text: "The ferry is red." }],
  ["addDocument", { text: "# Ferries" }],
  ["listDocuments", {}],
  ["listQueue", {}],
  ["listDays", {}],
] as const)("%s answers what its row says, and nothing else", async (name, asked) => {
  const answer = await (await served()).request(`/operations/${name}`, posted(asked));
  const body: unknown = await answer.json();
  expect(answer.status, JSON.stringify(body)).toBe(200);
  expect(OPERATIONS[name].output.parse(body)).toEqual(body);
});

test("where the words that were asked for stand is told as ranges of the text", async () => {
  const app = await served();
  const answer = await app.request("/events/search", posted({ query: "sinking ferries", marks: true }));
  const { events } = (await answer.json()) as { events: { text: string; marks: [number, number][] }[] };
  const [event] = events;
  expect(event?.marks.map(([from, to]) => event.text.slice(from, to))).toEqual(["ferry", "sank"]);
});

/** A path of the row that could be asked, with what it must have in the address. */
function pathOf(call: string): string {
  return call.slice(call.indexOf(" ") + 1).replaceAll(/:[a-z]+/g, "a");
}

test("an operation that cannot be asked on somebody's behalf refuses to be, wherever the name stands", async () => {
  const app = await served();
  for (const { name, call, access } of SERVED) {
    if (access === "viewer") continue;
    const [method = ""] = call.split(" ");
    const refused = async (at: string, asked: RequestInit): Promise<void> => {
      const answer = await app.request(at, asked);
      expect([call, at, asked.body, answer.status]).toEqual([call, at, asked.body, 400]);
    };
    await refused(`${pathOf(call)}?as=eve`, { method });
    await refused(`/operations/${name}?as=eve`, posted({}));
    await refused(`/operations/${name}`, posted({ as: "eve" }));
    if (method !== "GET") await refused(pathOf(call), { method, body: JSON.stringify({ as: "eve" }) });
  }
  // Nothing was done meanwhile.
  expect(((await (await app.request("/agent/memories")).json()) as { memories: [] }).memories).toHaveLength(
    2,
  );
});

test("what is asked on somebody's behalf is, wherever the name stands", async () => {
  const app = await served();
  const eventsOf = async (at: string, body: object): Promise<number> => {
    const { events } = (await (await app.request(at, posted(body))).json()) as { events: [] };
    return events.length;
  };
  expect(await eventsOf("/events/search", {})).toBe(1);
  for (const at of ["/events/search", "/operations/searchEvents"]) {
    expect(await eventsOf(`${at}?as=eve`, {})).toBe(0);
    expect(await eventsOf(at, { as: "eve" })).toBe(0);
    expect((await app.request(`${at}?as=local`, posted({ as: "local" }))).status).toBe(400);
  }
});

test("however an address spells it, a name is read", async () => {
  const app = await served();
  const found = async (search: string): Promise<number | undefined> => {
    const answer = await app.request(`/agent/memories?${search}`);
    const { memories } = (await answer.json()) as { memories?: [] };
    return answer.status === 200 ? memories?.length : answer.status;
  };
  expect(await found("")).toBe(2);
  for (const search of [
    "as=eve",
    "%61s=eve",
    "a%73=%65ve",
    "&as=eve",
    "as=eve&",
    "as=eve%2Fmain",
    "as=eve#x",
  ])
    expect([search, await found(search)]).toEqual([search, 0]);
  for (const search of [
    "as",
    "as&limit=1",
    "as=",
    "as=eve&as=eve",
    "as[]=eve",
    "As=eve",
    "as%20=eve",
    "%20as=eve",
    "as=%zz",
    "as=+",
    "as=eve%00/",
    "limit=1;as=eve",
  ])
    expect([search, await found(search)]).toEqual([search, 400]);
});

test("a call without fields takes none", async () => {
  const app = await served();
  for (const at of ["/ping?as=eve", "/events?as=eve"]) expect((await app.request(at)).status).toBe(400);
});

test("every input says of a field that it knows, or refuses it", () => {
  for (const { name, input } of SERVED) {
    const issues = input.safeParse({ "no such field": 1 }).error?.issues ?? [];
    expect([name, issues.map(({ code }) => code)]).toEqual([
      name,
      expect.arrayContaining(["unrecognized_keys"]),
    ]);
  }
});
