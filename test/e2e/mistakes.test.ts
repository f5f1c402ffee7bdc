/** Every command with bad input: one sentence, one line of advice, the right exit code, and nothing lost. */
import fs from "node:fs";
import net from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { cliPlace, eventually, type Ended, type Place } from "../support/cli.js";
import { smallDisk } from "../support/cli-mounts.js";
import { blocksOf } from "../support/cli-memory.js";

const HELLO = { id: "a", role: "user", text: "the ferry leaves at nine", createdAt: "2026-03-02T10:00:00Z" };

test.each([
  [["search", "--json"], { code: "usage", message: "missing required argument 'query'" }],
  [["search", "  ", "--json"], { code: "empty_query" }],
  [["profile", "show", "nobody", "--json"], { code: "profile_unknown" }],
] as const)("a program reads what went wrong as JSON: memd %j", async (args, problem) => {
  const place = cliPlace({ files: { "history.json": [HELLO] } });
  const ended = await place.memd(args);
  expect(ended.code).toBe(2);
  const { error } = JSON.parse(ended.stdout) as { error: { advice: string } };
  expect(error).toMatchObject(problem);
  expect(error.advice).toMatch(/\S/);
});

/** What went wrong in a sentence, what to do on the next line, and no stack. */
function expectTrouble(ended: Ended, code: number, sentence: RegExp, advice: RegExp = /./): void {
  const [first = "", second = "", ...more] = ended.stderr.trimEnd().split("\n");
  expect({ code: ended.code, stderr: ended.stderr }).toMatchObject({ code });
  expect(first).toMatch(/^(memd|error): /);
  expect(first).toMatch(sentence);
  expect(second).toMatch(/^ {2}\S|^Run /);
  expect(second).toMatch(advice);
  expect(more).toEqual([]);
  expect(ended.stderr).not.toMatch(/\bat .*:\d+:\d+|node:internal/);
}

test.each([
  [["nonsense"], /unknown command 'nonsense'/],
  [["status", "--nonsense"], /unknown option '--nonsense'/],
  [["search"], /missing required argument 'query'/],
  [["search", "  "], /nothing to look for/],
  [["search", "x", "--limit", "0"], /'0' is invalid.*above 0/],
  [["search", "x", "--limit", "many"], /'many' is invalid/],
  [["search", "x", "--limit", "1001"], /--limit/],
  [["search", "x", "--from", "someday"], /--from someday is no date/],
  [["search", "x", "--kind", "dream"], /--kind/],
  [["say", " "], /nothing to say/],
  [["prompt", "--wait"], /argument missing/],
  [["start", "--detach", "--until-idle"], /cannot be used with/],
  [["logs", "--lines", "some"], /'some' is invalid/],
  [["import", "missing.jsonl"], /no file or folder missing\.jsonl/],
  [["import", "."], /\. is this workspace itself/],
  [["init", "--workspace", "history.json"], /is a file/],
  [["init", "history.json"], /is a file/],
  [["init", "one", "--workspace", "another"], /is named twice/],
] as const)("a mistake in the command line is told, exit code 2: memd %j", async (args, sentence) => {
  const place = cliPlace({ files: { "history.json": [HELLO] } });
  const before = place.read("history.json");
  const ended = await place.memd(args);
  expectTrouble(ended, 2, sentence);
  expect(ended.stdout).toBe("");
  expect(place.read("history.json")).toBe(before);
});

test("a stack is shown with --debug alone", async () => {
  const place = cliPlace();
  expect((await place.memd(["import", "missing.jsonl", "--debug"])).stderr).toMatch(/\n +at .*:\d+:\d+/);
});

test("a time that is none in MEMD_FAKE_NOW is a mistake of the command line", async () => {
  const place = cliPlace();
  expectTrouble(await place.memd(["status"], { now: "half past nine" }), 2, /MEMD_FAKE_NOW.*half past nine/);
  expectTrouble(await place.memd(["say", "hi"], { now: "2026-02-30" }), 2, /MEMD_FAKE_NOW.*2026-02-30/);
  expect(place.files()).toEqual(["workspace.json"]);
});

test.each(["status", "start", "search x", "archive --now", "say hi", "stop", "config check"])(
  "memd %s where there is no workspace says how to make one",
  async (command) => {
    const place = cliPlace({ workspace: false });
    expectTrouble(await place.memd(command.split(" ")), 3, /is not a memd workspace/, /memd init/);
    expect(place.files()).toEqual([]);
  },
);

test("memd init makes the folder that is named, and says how to go on in it", async () => {
  const place = cliPlace({ workspace: false });
  const made = await place.memd(["init", "my-agent"]);
  expect(made).toMatchObject({ code: 0, stderr: "" });
  expect(made.stdout).toContain("memd start -w my-agent");
  expect(place.exists("my-agent/workspace.json")).toBe(true);
  expect(place.exists("workspace.json")).toBe(false);
});

test("a folder that is not there, a newer format and a broken workspace.json are told apart", async () => {
  const place = cliPlace({ files: { "history.json": [HELLO] } });
  expectTrouble(await place.memd(["status", "-w", "/no/such/folder"]), 3, /no folder \/no\/such\/folder/);
  place.write("workspace.json", { format: 99, id: "e2e" });
  const standing = place.snapshot();
  expectTrouble(await place.memd(["start"]), 3, /has format 99; this memd knows format 1/, /Upgrade/);
  place.write("workspace.json", '{"form');
  expectTrouble(await place.memd(["archive", "--now"]), 3, /workspace\.json cannot be read/);
  expectTrouble(await place.memd(["init"]), 3, /is a workspace already/);
  place.write("workspace.json", { format: 99, id: "e2e" });
  expect(place.snapshot()).toEqual(standing);
});

test.each([
  ["a syntax error", "# mine\n[llm]\nbase_url http\n", /memd\.toml, line 3/],
  ["a key that memd does not know", "[archive]\nrecent_days = 5\ntriger = 3\n", /line 3: archive\.triger/],
  [
    "a value of the wrong type",
    '\n[archive]\ntrigger_messages = "many"\n',
    /line 3: archive\.trigger_messages/,
  ],
  ["a time zone that is none", 'timezone = "Mars/Olympus"\n', /line 1: timezone/],
  ["bytes that are no text", Buffer.from([0xff, 0xfe, 0x00]), /not UTF-8/],
])("%s in memd.toml stops memd before it touches anything, with the line", async (_what, toml, sentence) => {
  const place = cliPlace({ files: { "memd.toml": toml, "history.json": [HELLO] } });
  const standing = place.snapshot();
  expectTrouble(await place.memd(["config", "check"]), 3, sentence, /memd config check/);
  expectTrouble(await place.memd(["start"]), 3, sentence);
  expect(place.snapshot()).toEqual(standing);
});

test("a history.json and an inbox.json that cannot be read are left as they are, copied, and do not stop the rest", async () => {
  const half = `[${JSON.stringify(HELLO)},{"id":"b","text":"half`;
  const binary = Buffer.from([0x5b, 0xff, 0xfe, 0x00, 0x01]);
  const place = cliPlace({
    files: {
      "history.json": half,
      "inbox.json": binary,
      "memory.md": "# Known\n\nThe bridge code is 4471.\n",
    },
  });
  const ran = await place.memd(["start", "--until-idle"], { now: "2026-03-03T10:00:00Z" });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(ran.stdout).toMatch(/history\.json cannot be read: .*a copy is in conflicts/);
  expect(ran.stdout).toMatch(/inbox\.json cannot be read: .*a copy is in conflicts/);
  expect(place.files("conflicts")).toHaveLength(2);
  const memd = place.launch(["start"], { now: "2026-03-03T10:00:00Z" });
  await memd.says("Ready.");
  expect((await place.memd(["search", "bridge code"])).stdout).toContain("memory.md");
  // The whole message in front of the break is kept all the same.
  expect((await place.memd(["search", "ferry nine"])).stdout).toContain(HELLO.text);
  const shown = await place.memd(["status"]);
  expect(shown.stdout).toMatch(/history\.json cannot be read[^]*inbox\.json cannot be read/);
  expect(shown.stdout).toMatch(/conflicts\/history\.json[^]*conflicts\/inbox\.json/);
  expect(place.read("history.json")).toBe(half);
  expect(fs.readFileSync(`${place.root}/inbox.json`).equals(binary)).toBe(true);

  place.replace("history.json", [HELLO]);
  place.replace("inbox.json", [{ ...HELLO, id: "q", text: "when does it leave" }]);
  await eventually("the repaired inbox is in the prompt", () =>
    place.read("teller/prompt.md").includes("when does it"),
  );
});

test("a message that is said while history.json is broken is found and asked for, and stands there once it is repaired", async () => {
  const place = cliPlace({ files: { "history.json": '[{"id":"a"', "inbox.json": [] } });
  const said = JSON.parse((await place.memd(["say", "where is the ferry", "--json"])).stdout) as {
    id: string;
  };
  expect(await place.memd(["status"])).toMatchObject({ code: 0, stderr: "" });
  expect((await place.memd(["search", "ferry"])).stdout).toContain("where is the ferry");
  expect(place.read("history.json")).toBe('[{"id":"a"');
  place.write("history.json", [HELLO]);
  expect((await place.memd(["start", "--until-idle"])).code).toBe(0);
  expect(place.json<{ id: string }[]>("history.json").map(({ id }) => id)).toEqual(["a", said.id]);
  expect(place.json<{ id: string }[]>("inbox.json").map(({ id }) => id)).toEqual([said.id]);
});

test("a line of an import that cannot be read costs no other, and is told of", async () => {
  const line = (n: number): string =>
    JSON.stringify({ id: `${n}`, role: "user", text: `line ${n}`, createdAt: "2026-03-02T10:00:00Z" });
  const place = cliPlace();
  for (const [bad, reason] of [
    ['{"role":"user","text":"half', "no JSON"],
    ['{"role":"user"}', "messages without words"],
    ['{"text":"who?"}', "no message"],
    ['["a list"]', "no object"],
    ['{"role":"user","text":"x","conversation":{}}', "no message"],
    [Buffer.from([0xc4, 0xe3, 0xba, 0xc3]).toString("latin1"), "no UTF-8 text"],
  ] as const) {
    place.write("talk.jsonl", Buffer.from(`${line(1)}\n\n${line(2)}\n${bad}\n${line(3)}\n`, "latin1"));
    const ended = await place.memd(["import", "talk.jsonl"]);
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringMatching(/of 3\.\n/)]);
    expect(ended.stdout).toMatch(new RegExp(`Left out: 1 .*${reason}`));
  }
  expect(blocksOf(place).map(({ message }) => message.id)).toEqual(["1", "2", "3"]);
  place.write("other.json", '{"name": "a package"}');
  expectTrouble(await place.memd(["import", "other.json"]), 2, /nothing to take in.*no kind that memd knows/);
});

test("stop, logs --follow and prompt --wait say when there is nothing to wait for", async () => {
  const place = cliPlace();
  expectTrouble(await place.memd(["stop"]), 1, /does not run/, /memd start/);
  expectTrouble(await place.memd(["logs", "--follow"]), 1, /does not run/);
  expectTrouble(
    await place.memd(["prompt", "--wait", "nobody", "--patience", "1"]),
    1,
    /No prompt covers the inbox message nobody after 1 s/,
  );
});

test("a second start is refused with exit code 4, and so is one where another program listens", async () => {
  const place = cliPlace();
  const first = place.launch(["start"]);
  await first.says("Ready.");
  expectTrouble(await place.memd(["start"]), 4, /memd runs in .* already/, /memd stop/);
  expectTrouble(await place.memd(["start", "--detach"]), 4, /memd runs in .* already/);
  const { owner } = JSON.parse((await place.memd(["status", "--json"])).stdout) as {
    owner: { socket: string };
  };
  expect((await place.memd(["stop"])).code).toBe(0);
  expect((await first.ended).code).toBe(0);

  for (const greeting of ["SSH-2.0-hello\r\n", "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello", ""]) {
    const other = await listenAt(owner.socket, greeting);
    expectTrouble(await place.memd(["start"]), 4, /already/);
    expectTrouble(await place.memd(["status"]), 4, /is no memd/, /Another program listens there/);
    await other();
  }
});

test("a workspace that cannot be written says so with exit code 5, and nothing in it changes", async (context) => {
  const disk = smallDisk("4m");
  if (disk === undefined) return context.skip("this machine lets tests mount nothing");
  const place = cliPlace({ root: disk.dir, files: { "history.json": [HELLO], "inbox.json": [] } });
  expect((await place.memd(["start", "--until-idle"])).code).toBe(0);
  const standing = place.snapshot();
  disk.makeReadOnly();
  for (const command of ["start", "say hi", "archive --now"])
    expectTrouble(await place.memd(command.split(" ")), 5, /Not allowed to/, /rights/);
  expect(place.snapshot()).toEqual(standing);
});

test("on a full disk nothing is acknowledged or lost, and memd goes on by itself within 5 s of getting room", async (context) => {
  const disk = smallDisk("2m");
  if (disk === undefined) return context.skip("this machine lets tests mount nothing");
  const files = { "history.json": [HELLO], "inbox.json": [], "memd.toml": "[historian]\nextract = false\n" };
  // A job that is done while the disk is full would make room.
  const place = cliPlace({ root: disk.dir, files });
  const memd = place.launch(["start"], { now: "2026-03-02T12:00:00Z" });
  await memd.says("Ready.");
  const later = {
    ...HELLO,
    id: "b",
    text: "the ferry was cancelled ".repeat(4000),
    createdAt: "2026-03-02T11:00:00Z",
  };
  place.write("next.json", [HELLO, later]);
  disk.fill();
  fs.renameSync(`${place.root}/next.json`, `${place.root}/history.json`);
  const saved = place.read("history.json");
  await memd.says(/No room on the disk/);
  const refused = await place.memd(["say", "is anybody there"], { now: "2026-03-02T12:00:00Z" });
  expectTrouble(refused, 5, /No room on the disk/, /Make room/);
  expect(refused.stdout).toBe("");
  expect(place.read("history.json")).toBe(saved);
  expect((await place.memd(["status"])).stdout).toContain("No room on the disk");

  disk.makeRoom();
  await eventually("the message is in the journal", () => journal(place).includes("cancelled"), 5000);
  await memd.says("going on");
  const pass = await place.memd(["archive", "--now"], { now: "2026-03-02T12:00:00Z" });
  expect(pass).toMatchObject({ code: 0, stderr: "" });
  expect(blocksOf(place).map(({ message }) => message.id)).toEqual(["a", "b"]);
  expect(place.files("inbox.d")).toEqual([]);
});

test("a pass that meets a full disk fails with exit code 5, and the next one does all of it", async (context) => {
  const disk = smallDisk("8m");
  if (disk === undefined) return context.skip("this machine lets tests mount nothing");
  const days = Array.from({ length: 9 }, (_, n) => ({
    ...HELLO,
    id: `m${n}`,
    createdAt: `2026-03-0${n + 1}T10:00:00Z`,
  }));
  const place = cliPlace({ root: disk.dir, files: { "history.json": days, "inbox.json": [] } });
  const now = "2026-03-20T10:00:00Z";
  expect((await place.memd(["status"], { now })).code).toBe(0);
  disk.fill();
  expectTrouble(await place.memd(["archive", "--now"], { now }), 5, /No room on the disk/, /Make room/);
  disk.makeRoom();
  expect(await place.memd(["archive", "--now"], { now })).toMatchObject({ code: 0, stderr: "" });
  expect(blocksOf(place).map(({ message }) => message.id)).toEqual(days.map(({ id }) => id));
});

function journal(place: Place): string {
  return place
    .files("journal")
    .map((file) => place.read(file))
    .join("");
}

async function listenAt(socket: string, greeting: string): Promise<() => Promise<void>> {
  const server = net.createServer((connection) => {
    connection.on("error", () => undefined);
    connection.resume();
    connection.end(greeting);
  });
  await new Promise<void>((done) => server.listen(socket, done));
  const close = (): Promise<void> => new Promise((done) => server.close(() => done()));
  onTestFinished(() => void server.close());
  return close;
}

test("a pass that could not take in a list says so", async () => {
  const place = cliPlace({ files: { "history.json": [HELLO] } });
  place.write("inbox.json", '{"role": "user", "text"');
  const { stdout } = await place.memd(["archive", "--now"]);
  expect(stdout).toContain("Archived 1 message");
  expect(stdout).toMatch(/not taken in: inbox\.json cannot be read: .*; a copy is in conflicts\//);
  expect(place.read("inbox.json")).toBe('{"role": "user", "text"');
});
