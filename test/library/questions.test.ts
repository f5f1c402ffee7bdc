/** A program asks what is remembered: of a memd that runs, and where none does. */
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { openWorkspace, type Memory } from "../../src/library/memd.js";
import { cliPlace, type Place } from "../support/cli.js";
import { profileText, record, recordLines } from "../support/records.js";
import { tempDir } from "../support/temp-dir.js";

/** Sockets of this process and of what it starts stand apart from everybody else's. */
beforeEach(() => {
  const runtime = tempDir();
  fs.chmodSync(runtime, 0o700);
  vi.stubEnv("XDG_RUNTIME_DIR", runtime);
  return () => vi.unstubAllEnvs();
});

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));
const FILES = {
  "history.json": [
    { id: "m-1", role: "user", user: "lin", text: "the ferry is late", createdAt: "2026-02-19T10:00:00Z" },
  ],
  "memory/records/2026-02.jsonl": recordLines(
    record("a", "The ferry sank.", { sources: ["m-1"] }),
    record("b", "Lin took the ferry.", { user: "lin", at: "2026-02-11T12:00:00Z" }),
  ),
  "memory/profiles/users/lin.md": profileText("user", "lin", "Sails the ferry", { name: "Lin Yue" }),
};

async function asks(place: Place): Promise<Memory> {
  return openWorkspace(place.root);
}

async function expectAnswers(memory: Memory): Promise<void> {
  expect(await memory.history({ as: "lin" })).toEqual({
    messages: [
      {
        id: "m-1",
        role: "user",
        text: "the ferry is late",
        at: "2026-02-19T10:00:00.000Z",
        user: "lin",
        scope: "main",
        session: "main",
      },
    ],
  });
  expect((await memory.history({ as: "wei" })).messages).toEqual([]);
  const { sources } = await memory.ask("listSources", { as: "lin" });
  expect(sources).toContainEqual({ path: "memory/profiles/users/lin.md", kind: "profile" });
  await expect(memory.ask("dream" as "status")).rejects.toMatchObject({ code: "usage" });
  const { data } = (await memory.prompt({ as: "lin" })) ?? {};
  expect(data?.viewer).toEqual({ user: "lin", scope: "main", session: "main" });
  expect(await memory.status()).toMatchObject({ workspace: memory.folder, history: { messages: 1 } });
  const events = await memory.searchEvents({ query: "ferry", to: new Date("2026-02-10T23:00:00Z") });
  expect(events).toEqual({
    found: [
      expect.objectContaining({
        id: "a",
        score: expect.any(Number) as number,
        date: "2026-02-10",
        source: "memory/records/2026-02.jsonl:1",
        messageIds: ["m-1"],
      }),
    ],
    warnings: [],
  });
  const narrowed = { target_user_id: "lin", time_from: "2026-02-11", memory_types: ["event"] } as const;
  expect((await memory.searchEvents(narrowed)).found.map(({ id }) => id)).toEqual(["b"]);
  expect((await memory.searchEvents({ as: "lin" })).found.map(({ id }) => id)).toEqual(["b"]);
  const asLin = { as: { user: "lin", session: "a/b" } };
  const kindsAsked = ["message", "event", "profile", "fact"] as const;
  const found = await memory.searchMemories({ query: "ferry", kinds: kindsAsked, ...asLin });
  expect(found.found.map(({ kind }) => kind).sort()).toEqual(["event", "message", "profile"]);
  const kinds = ["event", "fact"] as const;
  const first = await memory.listMemories({ limit: 1, kinds });
  expect(first.found.map(({ id }) => id)).toEqual(["b"]);
  expect((await memory.listMemories({ cursor: first.next ?? "", kinds })).found.map(({ id }) => id)).toEqual([
    "a",
  ]);
  expect(await memory.getProfile(asLin)).toMatchObject({
    id: "lin",
    name: "Lin Yue",
    body: "- Sails the ferry\n",
  });
  expect(await memory.getProfile({ user: "lin", as: "wei" })).toBeUndefined();
  expect((await memory.searchProfiles({ query: "ferry" })).found.map(({ source }) => source)).toEqual([
    expect.stringMatching(/^memory\/profiles\/users\/lin\.md:\d+$/),
  ]);
  expect((await memory.searchEvents({ query: "zeppelin" })).advice).toContain("Try other words");
}

test("of a memd that runs, wherever its socket stands", async () => {
  const place = cliPlace({ files: FILES });
  const daemon = place.launch(["start"]);
  await daemon.says("Watching");
  const memory = await asks(place);
  await expectAnswers(memory);
  daemon.kill("SIGTERM");
  expect((await daemon.ended).code).toBe(0);
});

test("where none runs a child answers, one question after the other, and nothing of it is left", async () => {
  const place = cliPlace({ files: FILES });
  const memory = await asks(place);
  await expectAnswers(memory);
  const answers = await Promise.all(["ferry", "sank", "Lin"].map((query) => memory.searchEvents({ query })));
  expect(answers.map(({ found }) => found.length > 0)).toEqual([true, true, true]);
  expect((await place.memd(["status"])).stdout).toMatch(/memd +not running/);
}, 180_000);

test("the README's example prints what it left behind, though no memd runs", async () => {
  const readme = fs.readFileSync(path.join(PACKAGE, "README.md"), "utf8");
  const example = /```js\n([^`]*openWorkspace[^`]*)```/.exec(readme)?.[1] ?? "";
  const place = cliPlace();
  const entry = pathToFileURL(path.join(PACKAGE, "dist/library/memd.js")).href;
  const program = `import { openWorkspace } from ${JSON.stringify(entry)};\n${example}`;
  const script = path.join(tempDir(), "example.mjs");
  fs.writeFileSync(script, program.replace('"my-agent"', JSON.stringify(place.root)));
  const { stdout } = await promisify(execFile)(process.execPath, [script], { env: place.environment });
  expect(stdout).toMatch(/^\d{4}-\d{2}-\d{2} The release is on Friday\. memory\/records\/\S+:1 0\.\d+$/m);
  expect(place.files("queue/pending")).toEqual([]);
}, 120_000);

test("what was said before is taken in once, and stands in its conversation", async () => {
  const place = cliPlace();
  const memory = await asks(place);
  const messages = [
    { id: "i-1", role: "user", text: "the ferry is red", user: "lin", createdAt: new Date("2026-01-05") },
    { id: "i-2", role: "agent", text: "so it is", createdAt: "2026-01-05T10:00:00Z" },
  ] as const;
  expect(await memory.importMessages(messages)).toBe(2);
  expect(await memory.importMessages(messages)).toBe(0);
  const newest = await memory.history({ as: "lin", limit: 1 });
  expect(newest).toMatchObject({ messages: [{ id: "i-2", text: "so it is" }], next: "i-2" });
  const before = await memory.history({ as: "lin", limit: 1, cursor: newest.next ?? "" });
  expect(before.messages.map(({ id }) => id)).toEqual(["i-1"]);
  expect(before.next).toBeUndefined();
  await expect(memory.importMessages([{ text: "fine" }, { text: 5 as never }])).rejects.toMatchObject({
    code: "value_invalid",
    message: expect.stringContaining("Message 2") as string,
  });
}, 60_000);

test("once it is closed nothing is asked any more, and no child is left", async () => {
  const place = cliPlace({ files: FILES });
  const memory = await asks(place);
  const asked = Array.from({ length: 5 }, () =>
    memory.searchEvents({ query: "ferry" }).catch((error: unknown) => error),
  );
  await expect.poll(() => place.files(".memd"), { timeout: 20_000 }).not.toEqual([]);
  await memory.close();
  expect((await Promise.all(asked)).at(-1)).toMatchObject({ code: "not_running" });
  await expect(memory.status()).rejects.toMatchObject({ code: "not_running", message: /closed/ });
  expect(await memory.say({ text: "still heard" })).toMatch(/./);
});

test("an error of the child is the error of the call", async () => {
  const place = cliPlace({ files: { ...FILES, "memd.toml": "[recall]\nlimits = 3\n" } });
  const memory = await asks(place);
  await expect(memory.searchEvents()).rejects.toMatchObject({
    code: "settings_invalid",
    message: expect.stringContaining("memd.toml") as string,
  });
});

describe("what cannot be asked is refused before anything is started", () => {
  const wrong = (ask: (memory: Memory) => Promise<unknown>) => async () => {
    const place = cliPlace();
    await expect(ask(await asks(place))).rejects.toMatchObject({ code: "value_invalid" });
    expect(place.files(".memd")).toEqual([]);
  };
  const odd = (value: object): never => value as never;

  test("a reader that is there without a name", async () => {
    for (const as of [
      undefined,
      null,
      "",
      " ",
      {},
      { user: "" },
      { user: "lin", scope: undefined },
      { user: "lin", place: "x" },
    ])
      await wrong((memory) => memory.searchMemories(odd({ query: "x", as })))();
  });
  test(
    "a user, group, scope or session that is there without a name",
    wrong(async (memory) => {
      for (const name of ["user", "group"])
        for (const value of [undefined, null, "", " ", 3])
          await expect(memory.searchEvents(odd({ [name]: value }))).rejects.toMatchObject({
            code: "value_invalid",
          });
      for (const name of ["user", "scope", "session"])
        await expect(memory.searchMemories(odd({ query: "x", [name]: undefined }))).rejects.toMatchObject({
          code: "value_invalid",
        });
      await memory.getProfile(odd({ user: undefined }));
    }),
  );
  test(
    "a field that does not exist",
    wrong((memory) => memory.listMemories(odd({ users: "lin" }))),
  );
  test(
    "a Date that is none",
    wrong((memory) => memory.searchEvents({ from: new Date("never") })),
  );
  test(
    "a filter under both of its names",
    wrong((memory) => memory.searchEvents({ user: "lin", target_user_id: "wei" })),
  );
  test(
    "a profile of two",
    wrong((memory) => memory.getProfile({ user: "lin", group: "band" })),
  );
});
