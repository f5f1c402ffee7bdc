/** What each agent writes, read as talk: samples in the shapes that the agents write. */
import { expect, test } from "vitest";
import { listedMessages } from "../../src/adapters/given.js";
import { readTold, type Reading } from "../../src/adapters/read.js";
import { Skipped } from "../../src/adapters/told.js";

const AT = "2026-11-20T09:00:00.000Z";

function read(name: string, ...objects: unknown[]): Reading {
  const text = objects.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n");
  const told = readTold(() => [text], { name, changedAt: AT });
  if (told === undefined) throw new Error("of no kind");
  return told;
}

function said({ conversations }: Reading): string[] {
  return conversations.flatMap(({ messages }) => messages.map(({ role, text }) => `${role}: ${text}`));
}

const line = (type: string, uuid: string, message: unknown, more: object = {}): object => ({
  type,
  uuid,
  sessionId: "s1",
  timestamp: AT,
  cwd: "/w/boat",
  isSidechain: false,
  message,
  ...more,
});

test("Claude Code: what a person typed and what was answered, once each", () => {
  const told = read(
    "s1.jsonl",
    line("user", "u1", { role: "user", content: "Move the ferry to 9." }),
    line("user", "u1", { role: "user", content: "Move the ferry to 9." }),
    line("assistant", "a1", { id: "m1", content: [{ type: "thinking", thinking: "hm" }] }),
    line("assistant", "a2", { id: "m1", content: [{ type: "text", text: "I look." }] }),
    line("assistant", "a3", {
      id: "m1",
      content: [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } }],
    }),
    line(
      "user",
      "u2",
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "boat" }] },
      { toolUseResult: {} },
    ),
    line("assistant", "a4", { id: "m2", content: [{ type: "text", text: "Moved." }] }),
    line("user", "u3", { role: "user", content: "<command-name>/clear</command-name>" }),
    line("user", "u4", { role: "user", content: "continue<system-reminder>x</system-reminder>" }),
    line("user", "u5", { role: "user", content: [{ type: "text", text: "continue" }] }),
    line("user", "u6", { role: "user", content: "Summary of all" }, { isCompactSummary: true }),
    "not json",
    '{"type":"user","uu',
  );
  expect(said(told)).toEqual([
    "user: Move the ferry to 9.",
    "agent: I look.",
    "agent: Moved.",
    "user: continue",
    "user: continue",
  ]);
  expect(told.conversations[0]).toMatchObject({ id: "s1", project: "/w/boat" });
  expect(told.conversations[0]?.messages[1]?.tools).toEqual([
    { name: "Bash", callId: "t1", input: { command: "ls" }, result: "boat" },
  ]);
  expect(Object.fromEntries(told.skipped.counts)).toMatchObject({
    copies: 1,
    "lines that are no JSON": 1,
    "a last line that is not whole": 1,
  });
});

const codex = (type: string, payload: object): object => ({ timestamp: AT, type, payload });
const heading = codex("session_meta", { id: "t1", cwd: "/w/boat" });

test("Codex: of the copies of a text one, whichever the version writes", () => {
  const sent = (role: string, text: string): object =>
    codex("response_item", {
      type: "message",
      role,
      content: [{ type: role === "user" ? "input_text" : "output_text", text }],
    });
  const events = [
    codex("event_msg", { type: "user_message", message: "Fix it" }),
    codex("event_msg", { type: "agent_message", message: "Fixed" }),
  ];
  const responses = [
    sent("user", "<environment_context>x</environment_context>"),
    sent("user", "Fix it"),
    sent("assistant", "Fixed"),
  ];
  const items = [
    codex("event_msg", {
      type: "item_completed",
      item: { type: "UserMessage", id: "i1", content: [{ type: "text", text: "Fix it" }] },
    }),
    codex("event_msg", {
      type: "item_completed",
      item: { type: "AgentMessage", id: "i2", content: [{ type: "Text", text: "Fixed" }] },
    }),
  ];
  for (const lines of [
    responses,
    events,
    items,
    [...responses, ...events],
    [...responses, ...items, ...events],
  ])
    expect(said(read("rollout.jsonl", heading, ...lines))).toEqual(["user: Fix it", "agent: Fixed"]);
});

test("pi and OpenClaw: the branch of the last leaf", () => {
  const entry = (id: string, parentId: string | null, role: string, text: string): object => ({
    type: "message",
    id,
    parentId,
    timestamp: AT,
    message: { role, content: [{ type: "text", text }] },
  });
  const told = read(
    "x.jsonl",
    { type: "session", version: 3, id: "p1", timestamp: AT, cwd: "/w/boat" },
    entry("a", null, "user", "Hello"),
    entry("b", "a", "assistant", "Wrong"),
    entry("c", "a", "assistant", "Right"),
  );
  expect(said(told)).toEqual(["user: Hello", "agent: Right"]);
});

test("Gemini CLI: the last line of an id, without what was taken back", () => {
  const told = read(
    "session.jsonl",
    { sessionId: "g1", projectHash: "ab", startTime: AT, lastUpdated: AT, kind: "main" },
    { id: "x1", timestamp: AT, type: "user", content: [{ text: "Hello" }] },
    { id: "x2", timestamp: AT, type: "gemini", content: "H" },
    { id: "x2", timestamp: AT, type: "gemini", content: "Hi there" },
    { id: "x3", timestamp: AT, type: "user", content: "no" },
    { $rewindTo: "x3" },
  );
  expect(said(told)).toEqual(["user: Hello", "agent: Hi there"]);
});

test("ChatGPT: the branch that was shown, without titles and times", () => {
  const node = (
    id: string,
    parent: string | null,
    role: string,
    text: string,
    more: object = {},
  ): object => ({
    [id]: {
      id,
      parent,
      children: [],
      message: { id, author: { role }, content: { content_type: "text", parts: [text] }, ...more },
    },
  });
  const conversation = {
    id: "c1",
    title: null,
    create_time: null,
    current_node: "n3",
    mapping: {
      n0: { id: "n0", message: null, parent: null, children: ["n1"] },
      ...node("n1", "n0", "user", "When is low tide?", { create_time: 1763629200.5 }),
      ...node("n2", "n1", "assistant", "At noon."),
      ...node("n3", "n1", "assistant", "At 14:20.", { recipient: "all" }),
    },
  };
  const told = read("conversations.json", [conversation]);
  expect(said(told)).toEqual(["user: When is low tide?", "agent: At 14:20."]);
  expect(told.conversations[0]?.messages[0]?.at).toBe("2025-11-20T09:00:00.500Z");
});

test("Claude.ai, opencode, Cursor, mem0, Letta", () => {
  const exported = {
    uuid: "k1",
    name: "",
    chat_messages: [{ uuid: "m1", sender: "human", text: "Low tide?", created_at: AT }],
  };
  expect(said(read("conversations.json", [exported]))).toEqual(["user: Low tide?"]);
  const opencode = {
    info: { id: "o1", directory: "/w" },
    messages: [
      {
        info: { id: "m", role: "user", time: { created: Date.parse(AT) } },
        parts: [
          { type: "text", text: "Hi" },
          { type: "text", text: "no", synthetic: true },
        ],
      },
    ],
  };
  expect(said(read("o1.json", opencode))).toEqual(["user: Hi"]);
  const cursor = { role: "user", message: { content: [{ type: "text", text: "continue" }] } };
  const twice = read("c.jsonl", cursor, cursor).conversations[0]?.messages ?? [];
  expect(new Set(twice.map(({ id }) => id)).size).toBe(2);
  expect(
    read("m.json", { results: [{ id: "e1", memory: "Prefers the 9:00 ferry", user_id: "lin" }] }).notes,
  ).toEqual([{ id: "e1", text: "Prefers the 9:00 ferry", about: "lin" }]);
  const letta = {
    agents: [
      {
        id: "a",
        name: "Bo",
        messages: [{ id: "m", role: "user", content: [{ type: "text", text: "Hi" }], created_at: AT }],
      },
    ],
    blocks: [{ id: "b", label: "human", value: "Likes tea" }],
  };
  const told = read("bo.af", letta);
  expect([said(told), told.notes.map(({ text }) => text)]).toEqual([["user: Hi"], ["Likes tea"]]);
});

test("lists of messages of the AI SDK and of LangChain are put into memd's words", () => {
  const ui = { id: "1", role: "user", parts: [{ type: "text", text: "Hi" }] };
  const lang = { type: "human", data: { content: "Hello", id: "2" } };
  const lc = {
    lc: 1,
    type: "constructor",
    id: ["langchain", "schema", "AIMessage"],
    kwargs: { content: "Yes" },
  };
  expect(read("m.json", [ui]).messages).toEqual([{ id: "1", role: "user", text: "Hi", session: "m" }]);
  expect(read("m.json", [lang, lc]).messages).toEqual([
    { id: "2", role: "user", text: "Hello", session: "m" },
    { role: "agent", text: "Yes", session: "m" },
  ]);
});

test("messages of programs are of the time that they note, under whichever name", () => {
  const at = "2026-02-03T04:05:06.000Z";
  const given = [
    { role: "user", content: "one", timestamp: at },
    { role: "user", content: "two", created_at: Date.parse(at) / 1000 },
    { role: "user", content: "three", ts: Date.parse(at) },
    { role: "user", content: "four", createdAt: "2026-01-01T00:00:00.000Z", timestamp: at },
    { role: "user", content: "five", date: "some day" },
    { role: "tool", text: "not without being asked for", timestamp: at },
  ];
  const skipped = new Skipped();
  const taken = listedMessages(given, { tools: false }, skipped);
  expect(taken.map(({ text, createdAt }) => [text, createdAt])).toEqual([
    ["one", at],
    ["two", at],
    ["three", at],
    ["four", "2026-01-01T00:00:00.000Z"],
    ["five", undefined],
  ]);
  expect(
    listedMessages(
      given,
      { tools: false, isInTime: (at) => at >= Date.parse("2026-02-01T00:00:00Z") },
      skipped,
    ),
  ).toHaveLength(4);
});
