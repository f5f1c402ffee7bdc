/** What an agent leaves behind and what a person pins: the library, `memd end` and `memd memory`, as they are run. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { parseQueueJob } from "../../src/protocol/queue-job.js";
import { cliPlace, eventually, type Ended, type Place } from "../support/cli.js";
import { blocksOf } from "../support/cli-memory.js";

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));
const HELLO = { id: "a", role: "user", text: "the ferry leaves at nine", createdAt: "2026-03-02T10:00:00Z" };
const MEMORY = "# Memory\r\n\r\n## Preferences\r\n- short answers\r\n\r\n## Decisions\r\nNone so far.";

interface Pinned {
  number: number;
  heading: string;
  text: string;
  id?: string;
}

async function json<T>(place: Place, ...args: string[]): Promise<T> {
  const ended = await place.memd([...args, "--json"]);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(ended.stdout) as T;
}

function expectRefusal(ended: Ended, sentence: RegExp): void {
  expect(ended).toMatchObject({ code: 2, stdout: "" });
  expect(ended.stderr.split("\n")[0]).toMatch(sentence);
}

test("an entry is pinned, listed, changed and removed, and nothing else in memory.md changes", async () => {
  const place = cliPlace({ files: { "memory.md": MEMORY } });
  const added = await place.memd(["memory", "add", "the", "code", "is", "8206#", "--heading", "decisions"]);
  expect(added).toMatchObject({ code: 0, stdout: 'Pinned under "Decisions" as 2.\n' });
  const [, id = ""] = /the code is 8206# <!-- id=([a-z0-9]{8}) -->/.exec(place.read("memory.md")) ?? [];
  expect(place.read("memory.md")).toBe(`${MEMORY}\r\n\r\n- the code is 8206# <!-- id=${id} -->\r\n`);
  const several = "# Not a heading\n\nsecond line\n---\n";
  const { entry } = JSON.parse(
    (await place.memd(["memory", "add", "-", "--json"], { input: several })).stdout,
  ) as { entry: Pinned };
  expect(entry).toMatchObject({ number: 3, heading: "Notes", text: "# Not a heading\nsecond line\n---" });

  const listed = await place.memd(["memory", "list"]);
  expect(listed.stdout).toBe(
    "Preferences\n   1  short answers\nDecisions\n   2  the code is 8206#\nNotes\n   3  # Not a heading\n      second line\n      ---\n",
  );
  expect(await json<Pinned[]>(place, "memory", "list")).toHaveLength(3);
  expect(await json(place, "memory", "add", "short answers", "--heading", "Preferences")).toEqual({
    added: false,
    entry: { number: 1, heading: "Preferences", text: "short answers" },
  });

  const changed = await place.memd(["memory", "update", id, "the", "code", "is", "4711#"]);
  expect(changed).toMatchObject({ code: 0, stdout: 'Changed 2 under "Decisions".\n' });
  expect(place.read("memory.md")).toContain(`\r\n- the code is 4711# <!-- id=${id} -->\r\n`);
  expect(await json(place, "memory", "update", "2", "the code is 8206#")).toMatchObject({ entry: { id } });

  expect((await place.memd(["memory", "remove", "3"])).stdout).toMatch(/^Removed: # Not a heading\n/);
  expect(await json(place, "memory", "remove", "8206#")).toEqual({
    removed: { number: 2, heading: "Decisions", text: "the code is 8206#", id },
  });
  expect(place.read("memory.md")).toBe(`${MEMORY}\r\n\r\n\r\n## Notes\r\n\r\n`);
});

test("a running memd pins while a person edits, and the next prompt has both", async () => {
  const place = cliPlace({ files: { "memory.md": MEMORY, "history.json": [], "inbox.json": [HELLO] } });
  const memd = place.launch(["start"]);
  await memd.says("Ready.");
  const adding = place.memd(["memory", "add", "the dock is at Rua Nova 7"]);
  place.replace("memory.md", `${MEMORY}\r\nClara decides.\r\n`);
  expect((await adding).code).toBe(0);
  const prompt = await place.memd(["prompt"]);
  expect(prompt.stdout).toContain("Rua Nova 7");
  await eventually("the person's line stands too", () => place.read("memory.md").includes("Clara decides."));
  expect(place.read("memory.md")).toContain("- the dock is at Rua Nova 7");
  await eventually("the prompt has the person's line", async () =>
    (await place.memd(["prompt"])).stdout.includes("Clara decides."),
  );
  expect(await json<Pinned[]>(place, "memory", "list")).toHaveLength(2);
  expect((await place.memd(["stop"])).code).toBe(0);
});

test("a mistake in a memory command is told, and memory.md stays as it is", async () => {
  const text = "## Notes\n- the ferry leaves at nine\n- the ferry is blue\n";
  const place = cliPlace({ files: { "memory.md": text } });
  await place.launch(["start"]).says("Ready.");
  expectRefusal(await place.memd(["memory", "add", " "]), /nothing to pin/);
  expectRefusal(await place.memd(["memory", "add", "x", "--heading", " # "]), /heading is empty/);
  expectRefusal(await place.memd(["memory", "remove", "7"]), /no entry 7 of memory\.md; there are 2/);
  expectRefusal(await place.memd(["memory", "remove", "THE ferry"]), /Several entries .*: 1, 2\./);
  expectRefusal(await place.memd(["memory", "remove", "the train"]), /No entry .* says this/);
  expectRefusal(await place.memd(["memory", "remove", " "]), /No entry/);
  expect(place.read("memory.md")).toBe(text);
  place.write("memory.md", Buffer.from([0xff, 0xfe, 0x41, 0]));
  expect(await place.memd(["memory", "list"])).toMatchObject({ code: 1, stdout: "" });
  expect(await place.memd(["memory", "add", "x"])).toMatchObject({ code: 1, stdout: "" });
});

test("memd end leaves one job in the queue, and nothing where there is nothing to keep", async () => {
  const place = cliPlace();
  const args = [
    "end",
    "--memo",
    "Moved it.",
    "--observe",
    "The release is on Friday.",
    "Lin decides.",
    "--force",
  ];
  const { id } = await json<{ id: string }>(place, ...args, "--scope", "group:harbor", "--user", "lin");
  expect(parseQueueJob(place.read(`queue/pending/${id}.json`))).toMatchObject({
    is: "job",
    job: {
      memo: "Moved it.",
      observations: ["The release is on Friday.", "Lin decides."],
      force: true,
      user: "lin",
      scope: "group:harbor",
      session: "main",
    },
  });
  expect(await json(place, "end", "--memo", " ", "--observe", "")).toEqual({ id: null });
  expect((await place.memd(["end"])).stdout).toMatch(/Nothing to keep/);
  expectRefusal(await place.memd(["end", "--memo", "x", "--user", ""]), /"user" must be a name/);
  expect(place.files("queue")).toEqual([`queue/pending/${id}.json`]);
  expect((await place.memd(["start", "--until-idle"])).code).toBe(0);
  expect(place.files("queue")).toEqual([]);
  const [records = ""] = place.files("memory/scopes/group%3Aharbor/records");
  expect(place.read(records)).toContain(`"id":"${id}_1_group"`);
  expect(place.read("memory/scopes/group%3Aharbor/memos.json")).toContain("Moved it.");
});

test("the package gives the library: what it says before and while memd runs is taken in", async () => {
  const place = cliPlace();
  const program = `
    import { openWorkspace } from "memd";
    const memory = await openWorkspace(process.argv[1]);
    const id = await memory.say({ text: process.argv[2], speaker: "Lin" });
    const job = await memory.end({ memo: "Said it." });
    const refused = await openWorkspace("/nowhere/at/all").catch(({ code }) => code);
    console.log(JSON.stringify({ id, job, refused }));`;
  const say = async (text: string): Promise<{ id: string; job: string; refused: string }> => {
    const args = ["--input-type=module", "-e", program, place.root, text];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: PACKAGE });
    return JSON.parse(stdout) as { id: string; job: string; refused: string };
  };
  const early = await say("before");
  expect(early.refused).toBe("no_workspace");
  const memd = place.launch(["start"]);
  await memd.says("Ready.");
  const late = await say("while");
  expect((await place.memd(["prompt", "--wait", late.id])).code).toBe(0);
  expect((await place.memd(["archive", "--now"])).code).toBe(0);
  expect(blocksOf(place).map(({ message }) => [message.id, message.text])).toEqual([
    [early.id, "before"],
    [late.id, "while"],
  ]);
  await eventually("both turns are worked", () => place.files("queue").length === 0);
  const { memos } = place.json<{ memos: { id: string }[] }>("memory/memos.json");
  expect(memos.map(({ id }) => id)).toEqual([early.job, late.job]);
  expect((await place.memd(["stop"])).code).toBe(0);
});
