/** The questions to the memory as calls of the socket. */
import { expect, test } from "vitest";
import type { Found } from "../../src/model/found.js";
import { type App, createApp } from "../../src/serve/app.js";
import { said } from "../support/archive-desk.js";
import { profileText, record, recordLines } from "../support/records.js";
import { openStage } from "../support/stage.js";

async function served(): Promise<App> {
  const { supervisor } = await openStage({
    "history.json": [said("m-1", "2026-02-19T10:00:00Z", "is the ferry late?")],
    "memory/records/2026-02.jsonl": recordLines(
      record("a", "The ferry sank.", { sources: ["m-1"] }),
      record("b", "Lin took the ferry.", { user: "lin" }),
      record("c", "The ferry is red.", { kind: "fact", level: "session", session: "s-1" }),
    ),
    "memory/profiles/users/lin.md": profileText("user", "lin", "Sails the ferry"),
  });
  await supervisor.start({ watch: false, work: false });
  return createApp({
    memd: supervisor,
    socket: "/none",
    listen: () => () => undefined,
    stop: () => undefined,
  });
}

async function post(
  app: App,
  path: string,
  body: unknown,
): Promise<{ status: number; said: Record<string, unknown> }> {
  const answer = await app.request(path, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: answer.status, said: (await answer.json()) as Record<string, unknown> };
}

async function get(app: App, path: string): Promise<{ status: number; said: Record<string, unknown> }> {
  const answer = await app.request(path);
  return { status: answer.status, said: (await answer.json()) as Record<string, unknown> };
}

const idsOf = (found: unknown): string[] => (found as Found[]).map(({ id }) => id.split("#").at(-1) ?? "");

test("events are asked for with the names of the tool, and come with all that an agent needs", async () => {
  const app = await served();
  const asked = {
    query: "ferry",
    target_user_id: "local",
    top_k: 3,
    memory_types: ["event"],
    time_from: "2026-02-01",
    time_to: "2026-02-28",
  };
  const { status, said: told } = await post(app, "/events/search", asked);
  expect([status, idsOf(told["events"])]).toEqual([200, ["a"]]);
  expect((told["events"] as Found[])[0]).toMatchObject({
    date: "2026-02-10",
    source: "memory/records/2026-02.jsonl:1",
    messageIds: ["m-1"],
    score: expect.any(Number) as number,
  });
  expect(idsOf((await post(app, "/events/search", { as: "lin", query: "ferry" })).said["events"])).toEqual([
    "b",
  ]);
  expect(idsOf((await post(app, "/events/search", { memory_types: ["fact"] })).said["events"])).toEqual([
    "c",
  ]);
  const reversed = await post(app, "/events/search", { time_from: "2026-02-28", time_to: "2026-02-01" });
  expect(reversed.said["warnings"]).toEqual([expect.stringContaining("swapped")]);
});

test("memories are searched by method, kind and number, under either of their names", async () => {
  const app = await served();
  const kinds = async (body: object): Promise<string[]> => {
    const { hits } = (await post(app, "/agent/memories/search", { query: "ferry", ...body })).said as {
      hits: { passage: { kind: string } }[];
    };
    return hits.map(({ passage }) => passage.kind).sort();
  };
  expect(await kinds({})).toEqual(["event", "event", "fact", "message", "profile"]);
  expect(await kinds({ memory_types: ["fact", "message"] })).toEqual(["fact", "message"]);
  expect(await kinds({ options: { kinds: ["fact"] } })).toEqual(["fact"]);
  expect(await kinds({ method: "keyword", limit: 2, memory_types: ["event"] })).toEqual(["event", "event"]);
  expect(await kinds({ as: "lin/main" })).toEqual(["event", "profile"]);
  const { said: told } = await post(app, "/agent/memories/search", {
    query: "ferry",
    method: "vector",
    use_rerank: true,
  });
  expect(told["warnings"]).toEqual([
    expect.stringContaining("llm.models.embedding"),
    expect.stringContaining("llm.models.rerank"),
  ]);
  const nothing = await post(app, "/agent/memories/search", { query: "zeppelin", memory_types: ["event"] });
  expect(nothing.said).toEqual({ hits: [], warnings: [], advice: "Try other words, or other kinds." });
});

test("records and profiles are listed a page at a time", async () => {
  const app = await served();
  const first = await get(app, "/agent/memories?limit=3&memory_types=event,fact,profile");
  const second = await get(
    app,
    `/agent/memories?limit=3&cursor=${encodeURIComponent(String(first.said["next"]))}`,
  );
  expect([...idsOf(first.said["memories"]), ...idsOf(second.said["memories"])]).toEqual(["1", "a", "b", "c"]);
  expect(second.said).toEqual({ memories: expect.any(Array) as unknown[], warnings: [] });
  expect(idsOf((await get(app, "/agent/memories?as=lin")).said["memories"])).toEqual(["1", "b"]);
  expect(idsOf((await get(app, "/agent/memories?target_user_id=local")).said["memories"])).toEqual([
    "a",
    "c",
  ]);
});

test("a profile is one's own where nobody is named, and everybody reads by their address", async () => {
  const app = await served();
  expect((await post(app, "/profiles/show", { as: "lin" })).said).toMatchObject({
    id: "lin",
    body: "- Sails the ferry\n",
  });
  expect((await post(app, "/profiles/show", {})).said).toMatchObject({ error: { code: "profile_unknown" } });
  const lin = { entity: "user", id: "lin" };
  expect((await post(app, "/profiles/show", { ...lin, as: "wei" })).said).toMatchObject({
    error: { code: "profile_unknown" },
  });
  expect((await post(app, "/profiles/search", { query: "ferry", as: "wei" })).said).toMatchObject({
    hits: [],
  });
  expect((await get(app, "/profiles?as=wei")).said).toEqual({ profiles: [] });
  expect((await get(app, "/profiles?as=lin")).said).toEqual({ profiles: [lin] });
});

test.each([
  ["an empty user", "/events/search", { target_user_id: "" }, '"target_user_id": must name'],
  ["no user at all", "/events/search", { target_user_id: null }, '"target_user_id"'],
  ["an empty group", "/events/search", { target_group_id: "" }, '"target_group_id": must name'],
  ["no kind at all", "/events/search", { memory_types: [] }, '"memory_types"'],
  [
    "a kind that is none",
    "/events/search",
    { memory_types: ["message"] },
    "is one of event, fact, episode, foresight",
  ],
  ["too many", "/events/search", { limit: 1001 }, '"limit"'],
  ["a time that is none", "/events/search", { time_from: "someday" }, "someday is no date"],
  ["a field that is none", "/events/search", { user: "lin" }, '"user" is no field'],
  ["a question of blanks", "/events/search", { query: " " }, "nothing to look for"],
  ["an address of nobody", "/events/search", { as: "" }, "names no user"],
  [
    "an address of nobody in a group",
    "/agent/memories/search",
    { query: "x", as: "/group:harbor" },
    "names no user",
  ],
  [
    "an address of too many parts",
    "/profiles/search",
    { query: "x", as: "a/b/c/d" },
    "is no user/scope/session",
  ],
  ["no address", "/profiles/show", { as: null }, '"as"'],
  ["half a target", "/profiles/show", { id: "lin" }, "or neither"],
  ["an empty scope", "/agent/memories/search", { query: "x", options: { scope: "" } }, '"scope": must name'],
  [
    "a method that is none",
    "/agent/memories/search",
    { query: "x", method: "magic" },
    "is one of keyword, vector, hybrid, agentic",
  ],
  [
    "a kind that is none",
    "/agent/memories/search",
    { query: "x", memory_types: ["story"] },
    "is one of message, memory",
  ],
  ["the same twice", "/agent/memories/search", { query: "x", limit: 1, options: { limit: 2 } }, "said twice"],
  ["no JSON", "/events/search", "{", "not JSON"],
])("a body with %s is refused in a sentence", async (_what, path, body, says) => {
  const { status, said: told } = await post(await served(), path, body);
  expect(status).toBe(400);
  expect((told["error"] as { message: string }).message).toContain(says);
});

test.each([
  ["limit=0", "limit"],
  ["limit=2000", "limit"],
  ["cursor=x", "cursor"],
  ["memory_types=message", "memory_types"],
  ["memory_types=", "memory_types"],
  ["target_user_id=", "target_user_id"],
  ["as=", "names no user"],
  ["as=lin&as=wei", "more than once"],
  ["user=lin", '"user" is no field'],
  ["time_to=never", "never is no date"],
])("a list with %s is refused in a sentence", async (asked, says) => {
  const { status, said: told } = await get(await served(), `/agent/memories?${asked}`);
  expect(status).toBe(400);
  expect((told["error"] as { message: string }).message).toContain(says);
});

test("a record, a session and a scope are forgotten by their address, and what nobody knows is told", async () => {
  const app = await served();
  const forget = async (path: string): Promise<{ status: number; said: Record<string, unknown> }> => {
    const answer = await app.request(path, { method: "DELETE" });
    return { status: answer.status, said: (await answer.json()) as Record<string, unknown> };
  };
  expect((await forget("/agent/memories/b")).said).toMatchObject({
    forgotten: true,
    records: 1,
    messages: 0,
  });
  expect((await post(app, "/forget", { session: "s-1", dryRun: true })).said).toMatchObject({
    forgotten: false,
    records: 1,
  });
  expect((await forget("/sessions/s-1?scope=main")).said).toMatchObject({ forgotten: true, records: 1 });
  expect((await forget("/sessions/s-1")).said).toMatchObject({ error: { code: "forget_unknown" } });
  expect((await forget("/scopes/nowhere")).status).toBe(400);
  expect((await post(app, "/forget", {})).said).toMatchObject({ error: { code: "usage" } });
  expect((await forget("/agent/memories/m-1")).said).toMatchObject({ error: { code: "forget_unknown" } });
  expect((await forget("/scopes/main")).said).toMatchObject({ forgotten: true, messages: 1 });
  // What a person wrote of lin stays.
  expect((await get(app, "/agent/memories")).said["memories"]).toMatchObject([{ kind: "profile" }]);
});

test("what is nested past all reason is refused, whatever it is sent to", async () => {
  const app = await served();
  const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
  const message = `{"id":"m-9","role":"user","text":"hi","createdAt":"2026-02-19T11:00:00Z","mood":${deep}}`;
  const { status, said: told } = await post(app, "/import", `{"messages":[${message}]}`);
  expect([status, told["error"]]).toMatchObject([400, { code: "usage" }]);
});

test("what is turned off in this workspace is no fault of the server", async () => {
  const { status, said: told } = await get(await served(), "/topics");
  expect([status, told["error"]]).toMatchObject([409, { code: "topics_off" }]);
});
