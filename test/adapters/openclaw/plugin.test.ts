import { describe, expect, test } from "vitest";
import { plugin } from "../../../src/adapters/openclaw/plugin/entry.js";
import { isMemoryFile } from "../../../src/adapters/openclaw/plugin/files.js";
import { readerIn, seatIn } from "../../../src/adapters/openclaw/plugin/seat.js";
import { Turns } from "../../../src/adapters/openclaw/plugin/turns.js";
import { readFile } from "../../house/sources.js";

describe("who talks where", () => {
  const of = (sessionKey: unknown, trigger = "user"): unknown =>
    seatIn({ sessionKey, trigger, workspaceDir: "/w" });

  test.each([
    ["agent:main:main", { scope: "main", user: "local" }],
    [
      "agent:main:whatsapp:direct:+49",
      { scope: "group:whatsapp:direct:+49", user: "group:whatsapp:direct:+49" },
    ],
    ["agent:main:direct:lin", { scope: "group:direct:lin", user: "group:direct:lin" }],
    ["agent:work:main", { scope: "work", user: "local" }],
    ["agent:main:telegram:group:-100", { scope: "group:telegram:-100", user: "group:telegram:-100" }],
    ["agent:work:discord:channel:7", { scope: "group:discord:7", user: "group:discord:7" }],
    ["agent:main:slack:channel:c1:thread:9", { scope: "group:slack:c1:thread:9" }],
  ])("%s", (key, seat) => {
    expect(of(key)).toMatchObject({ ...seat, session: key, folder: "/w" });
  });

  test("nobody where it is a timer's, a heartbeat's or a helper's, or no key is told", () => {
    for (const key of ["cron:1", "agent:main:cron:1", "hook:x", "agent:main:subagent:1", undefined, "", 7])
      expect(of(key)).toBeUndefined();
    for (const trigger of ["heartbeat", "cron", "memory"])
      expect(of("agent:main:main", trigger)).toBeUndefined();
  });

  test("a timer may look something up, and what others have started may not", () => {
    const reads = (sessionKey: string): boolean => readerIn({ sessionKey }) !== undefined;
    expect(["agent:main:main", "cron:1", "agent:main:main:heartbeat"].filter(reads)).toHaveLength(3);
    expect(["hook:x", "agent:main:subagent:1", "agent:main:acp:1"].filter(reads)).toEqual([]);
  });
});

describe("what was said in a turn", () => {
  const message = (role: string, text: string, timestamp?: number): object => ({
    role,
    content: [
      { type: "thinking", thinking: "…" },
      { type: "text", text },
    ],
    ...(timestamp !== undefined && { timestamp }),
  });
  const told = (turns: Turns, messages: unknown, session = "s"): string[] =>
    turns.ended(session, messages).said.map(({ role, text }) => `${role}: ${text}`);
  const first = [message("user", "hello", 1_700_000_001_000), message("assistant", "hi", 1_700_000_002_000)];
  const second = [
    message("user", "go on", 1_700_000_003_000),
    message("assistant", "done", 1_700_000_004_000),
  ];

  test("is what came after all that stood there when it began, once", () => {
    const turns = new Turns();
    expect(turns.began("s", first)).toBe(2);
    expect(told(turns, [...first, ...second])).toEqual(["user: go on", "agent: done"]);
    expect(told(turns, [...first, ...second])).toEqual([]);
  });

  test("of a conversation of which nothing was seen begin, from the last thing that somebody said on", () => {
    expect(told(new Turns(), [...first, ...second])).toEqual(["user: go on", "agent: done"]);
    const timeless = [message("user", "hello"), message("assistant", "hi"), message("user", "go on")];
    const turns = new Turns();
    turns.began("s", []);
    expect(told(turns, timeless)).toEqual(["user: go on"]);
  });

  test("what was said while it went on is part of it, and what tools gave is not", () => {
    const turns = new Turns();
    turns.began("s", first);
    const steered = [
      message("user", "go on", 1_700_000_003_000),
      message("assistant", "I look", 1_700_000_003_500),
      message("toolResult", "x", 1_700_000_003_600),
      message("user", "faster", 1_700_000_003_700),
      message("assistant", "done", 1_700_000_004_000),
    ];
    expect(told(turns, [...first, ...steered])).toEqual([
      "user: go on",
      "agent: I look",
      "user: faster",
      "agent: done",
    ]);
  });

  test("a turn that could not be kept is told with the next one", () => {
    const turns = new Turns();
    turns.began("s", []);
    turns.ended("s", first).takeBack();
    turns.began("s", first);
    expect(told(turns, [...first, ...second])).toHaveLength(4);
  });

  test("after a compaction and in a fork what is old is not told again", () => {
    const turns = new Turns();
    turns.began("s", []);
    told(turns, first);
    const summary = message("compactionSummary", "what was said", 1_700_000_002_500);
    expect(told(turns, [summary, ...first.slice(1), ...second])).toHaveLength(2);
    expect(turns.began("fork", [...first, ...second])).toBe(4);
    expect(told(turns, [...first, ...second, message("user", "new", 1_700_000_009_000)], "fork")).toEqual([
      "user: new",
    ]);
  });

  test("neither memd's own words nor turns without an answer are told", () => {
    const turns = new Turns();
    const briefed = "<memd-memory>\nWhat memd remembers.\n</memd-memory>\n\nhello";
    expect(told(turns, [message("user", briefed, 1_700_000_001_000)])).toEqual(["user: hello"]);
    const silent = [
      message("user", "flush", 1_700_000_002_000),
      message("assistant", "NO_REPLY", 1_700_000_003_000),
    ];
    expect(told(turns, silent)).toEqual([]);
  });

  test("whatever a host hands over is no fault", () => {
    for (const strange of [
      undefined,
      null,
      7,
      "x",
      [null, 7, {}, { role: "user" }, { role: "user", content: 7 }],
    ])
      expect(told(new Turns(), strange)).toEqual([]);
  });
});

test("a memory file is one of the agent's folder by its name, and no other", () => {
  const files = ["MEMORY.md", "USER.md", "memory/2026-03-07.md", "memory/a/b.md"];
  expect(files.filter(isMemoryFile)).toEqual(files);
  const others = [
    ...["notes.md", "SOUL.md", "memory", "memory/x.txt", "memory/../SOUL.md", "memory/.dreams/x.md"],
    ...["/etc/passwd", "../MEMORY.md", "memory//x.md", "memory/a\\b.md", "memd/MEMORY.md", ""],
  ];
  expect(others.filter(isMemoryFile)).toEqual([]);
});

test("what the manifest says is what the plugin does, and without a workspace it does nothing and says so", () => {
  const manifest = JSON.parse(readFile("memd-openclaw/openclaw.plugin.json")) as Record<string, unknown>;
  expect(manifest).toMatchObject({ id: plugin.id, kind: plugin.kind, name: plugin.name });
  const said: string[] = [];
  const done: string[] = [];
  const api = {
    logger: { warn: (text: string) => said.push(text) },
    registerTool: (_make: unknown, { names }: { names: readonly string[] }) => done.push(...names),
    registerMemoryCapability: () => done.push("capability"),
    on: (hook: string) => done.push(hook),
  };
  plugin.register({ ...api, pluginConfig: {} });
  expect(done).toEqual([]);
  expect(said).toEqual(["memd: no workspace is named: run `memd connect openclaw`"]);
  plugin.register({ ...api, pluginConfig: { workspace: "/nowhere" } });
  expect(done).toEqual(["memory_search", "memory_get", "capability", "before_prompt_build", "agent_end"]);
  expect((manifest["contracts"] as { tools: string[] }).tools.toSorted()).toEqual(
    done.slice(0, 2).toSorted(),
  );
});
