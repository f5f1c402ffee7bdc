/** Documents from the command line, over the socket and from the library, with memd running and without. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openWorkspace } from "../../src/library/memory.js";
import { atTerminal, cliPlace } from "../support/cli.js";

const NOW = "2026-03-02T12:00:00Z";
const DOCS = "memory/scopes/main%3Adocs/documents";
const WAITING = "[cognitive]\nenabled = false\n";

test("a file is added, found, replaced, listed and removed, with and without a memd that runs", async () => {
  const place = cliPlace({ files: { "memd.toml": WAITING } });
  const handbook = path.join(place.outside, "handbook.md");
  fs.writeFileSync(handbook, "# Ferry handbook\n\nThe ferry leaves at nine.\n");
  const memd = async (...args: string[]) => place.memd(args, { now: NOW });
  expect(await memd("add-document", handbook, "--user", "local")).toMatchObject({
    code: 0,
    stderr: "",
    stdout: `Added as "handbook" to main: ${DOCS}/handbook.md\n`,
  });
  expect(place.files("queue/pending")).toHaveLength(1);
  expect((await memd("add-document", handbook)).stdout).toMatch(/^"handbook" says this already/);

  const daemon = place.launch(["start"], { now: NOW });
  await daemon.says("Ready.");
  expect((await memd("search", "ferry")).stdout).toMatch(
    /^memory\/scopes\/main%3Adocs\/documents\/handbook\.md:\d+ .* 2026-03-02 .*The ferry leaves at nine\./,
  );
  fs.writeFileSync(handbook, "# Ferry handbook\n\nThe ferry leaves at ten.\n");
  expect((await memd("add-document", handbook)).stdout).toMatch(/^Replaced "handbook" in main/);
  expect((await memd("search", "ferry", "--kind", "document")).stdout).toMatch(/at ten\./);

  const added = await place.memd(
    ["add-document", "-", "--id", "house/rules", "--title", "House rules", "--scope", "group:g", "--json"],
    {
      now: NOW,
      input: "No shoes inside.",
    },
  );
  expect(JSON.parse(added.stdout)).toMatchObject({
    outcome: "added",
    id: "house/rules",
    scope: "group:g",
    title: "House rules",
    watched: false,
    chars: 16,
    edited: false,
  });
  expect((await memd("documents", "list")).stdout).toMatch(
    /house\/rules +group:g .*House rules\nhandbook +main +local/,
  );
  expect((await memd("documents", "remove", "house/rules")).stdout).toBe(
    'Removed "house/rules" from group:g, with what was found in it.\n',
  );
  expect(await memd("documents", "remove", "house/rules")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("There is no document") as string,
  });
  daemon.kill("SIGTERM");
  await daemon.ended;
  expect((await memd("documents", "remove", "handbook", "--scope", "main", "--json")).code).toBe(0);
  expect((await memd("documents", "list")).stdout).toMatch(/^There are no documents/);
  expect(place.files(DOCS)).toEqual([]);
});

test("what can be no document is told in a sentence, and nothing is written", async () => {
  const place = cliPlace({
    files: { "notes/a.md": "The ferry leaves at nine.", "empty.md": "", "binary.md": "a\0b" },
  });
  fs.writeFileSync(path.join(place.root, "latin.md"), Buffer.from([0xe9, 0x20]));
  fs.writeFileSync(path.join(place.root, "large.md"), "x".repeat(10 * 1024 * 1024 + 1));
  const trouble = async (file: string, sentence: string, ...more: string[]): Promise<void> => {
    expect(await place.memd(["add-document", file, ...more])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(sentence) as string,
    });
  };
  await trouble("nowhere.md", "There is no file nowhere.md.");
  await trouble("notes", "notes is a folder");
  await trouble("empty.md", "empty.md is empty.");
  await trouble("binary.md", "binary.md is no text: it holds binary data.");
  await trouble("latin.md", "latin.md is not UTF-8 text.");
  await trouble("large.md", "large.md is larger than 10 MB.");
  await trouble("-", "What standard input says is empty.");
  await trouble("notes/a.md", '"id" must be more than blanks', "--id", " ");
  expect(place.exists(DOCS)).toBe(false);
  // Of a file in the workspace the path is the id.
  expect((await place.memd(["add-document", "notes/a.md", "--json"])).stdout).toContain('"id": "notes/a"');
  await trouble("notes/a.md", '"notes/a" is a document of local', "--user", "lin");
});

test("files that memd.toml names are documents as long as they are there; links are not followed", async () => {
  const place = cliPlace({
    files: {
      "memd.toml": `documents = ["notes/**/*.md"]\n${WAITING}`,
      "notes/ferry.md": "The ferry leaves at nine.",
      "secret.txt": "The vault code is 4711.",
    },
  });
  fs.symlinkSync(path.join(place.root, "secret.txt"), path.join(place.root, "notes/vault.md"));
  fs.symlinkSync(place.outside, path.join(place.root, "notes/outside"));
  fs.writeFileSync(path.join(place.outside, "other.md"), "Not of this workspace.");
  const idle = async (): Promise<void> =>
    expect(await place.memd(["start", "--until-idle"], { now: NOW })).toMatchObject({ code: 0 });
  await idle();
  expect(place.files(DOCS)).toEqual([`${DOCS}/notes%2Fferry.md`]);
  expect(await place.memd(["documents", "remove", "notes/ferry"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("is read from notes/ferry.md") as string,
  });
  fs.writeFileSync(path.join(place.root, "notes/ferry.md"), "The ferry leaves at ten o'clock.");
  await idle();
  expect(place.read(`${DOCS}/notes%2Fferry.md`)).toContain("ten o'clock");
  fs.rmSync(path.join(place.root, "notes/ferry.md"));
  await idle();
  expect(place.files(DOCS)).toEqual([]);
});

test("what is found in a file of the owner's is named by that file, and read so by whoever may", async () => {
  const long = "The tide turns at four and the wind comes round with it. ".repeat(30);
  const place = cliPlace({
    files: {
      "memd.toml": `documents = ["notes/**/*.md"]\n${WAITING}`,
      "notes/boat log.md": `# Boat\r\n\r\n${long}\r\n\r\n## Berth\r\n\r\nThe halyard is kept in the red locker.\r\n`,
    },
  });
  const memd = (...args: string[]) => place.memd(args, { now: NOW });
  await memd("start", "--until-idle");
  const line =
    place
      .read("notes/boat log.md")
      .split("\n")
      .findIndex((text) => text.includes("## Berth")) + 1;
  const original = `notes/boat log.md:${line}`;
  const copy = `${DOCS}/notes%2Fboat%20log.md`;
  expect((await memd("search", "halyard", "-n", "1")).stdout).toMatch(
    new RegExp(`^${original} {2}0\\.\\d\\d {2}\\S+ {2}.*red locker`),
  );
  expect(JSON.parse((await memd("search", "halyard", "-n", "1", "--json")).stdout)).toMatchObject({
    hits: [{ kind: "document", original, source: expect.stringMatching(/%2Fboat%20log\.md:\d+$/) as string }],
  });
  const env = atTerminal(80);
  expect((await place.memd(["search", "halyard", "-n", "1"], { now: NOW, env })).stdout).toContain(
    `  ${original}\n`,
  );

  const read = await memd("read", original);
  expect(read.stdout).toMatch(new RegExp(`^${original}-\\d+ {2}\\S+\n[^]*red locker`));
  expect(read.stdout).not.toContain("The tide turns");
  expect((await memd("read", original, "--as", "local")).stdout).toBe(read.stdout);
  expect((await memd("read", "notes/boat log.md")).stdout).toMatch(
    /^notes\/boat log\.md:1-?\d* [^]*red locker/,
  );
  for (const args of [
    [original, "--as", "wei"],
    [original, "--as", "local/group:g"],
    ["notes/other.md:1"],
    ["notes/boat log.md:4000"],
  ])
    expect(await memd("read", ...args)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(`There is nothing to read in ${args[0]?.split(":")[0]}`) as string,
    });

  fs.writeFileSync(path.join(place.root, copy), place.read(copy).replace("red locker", "blue locker"));
  expect((await memd("search", "halyard", "-n", "1")).stdout).toMatch(
    /^memory\/\S+%2Fboat%20log\.md:\d+ .*blue/,
  );
  expect((await memd("read", original)).code).toBe(2);
}, 120_000);

test("globs that lead out of the workspace are no settings", async () => {
  for (const glob of ["/etc/*", "../x/*.md", "notes/../../x.md", "!notes/*", " "]) {
    const place = cliPlace({ files: { "memd.toml": `documents = [${JSON.stringify(glob)}]\n` } });
    expect(await place.memd(["config", "check"])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/line 1: documents.*no path inside the workspace/) as string,
    });
  }
});

test("a program adds one without memd, and the next memd does the rest", async () => {
  const place = cliPlace({ files: { "memd.toml": WAITING } });
  const memory = await openWorkspace(place.root);
  expect(await memory.addDocument({ text: "The ferry leaves at nine.", title: "Ferries" })).toBe("Ferries");
  expect(place.files(DOCS)).toEqual([`${DOCS}/Ferries.md`]);
  expect(fs.statSync(path.join(place.root, DOCS, "Ferries.md")).mode & 0o777).toBe(0o600);
  expect(place.exists("queue/pending")).toBe(false);
  await place.memd(["start", "--until-idle"], { now: NOW });
  expect(place.files("queue/pending")).toHaveLength(1);
  expect((await place.memd(["search", "ferry"])).stdout).toContain("The ferry leaves at nine.");
  await expect(memory.addDocument({ text: " " })).rejects.toMatchObject({ code: "value_invalid" });
  await expect(memory.addDocument({ text: "x", Id: "a" } as never)).rejects.toMatchObject({
    code: "value_invalid",
  });
  await expect(memory.addDocument({ id: "a" } as never)).rejects.toMatchObject({
    message: '"text" must be text.',
  });
});

test("the prompt quotes a document as one", async () => {
  const place = cliPlace({
    files: { "memd.toml": WAITING, "inbox.json": [], "history.json": [] },
  });
  await place.memd(["add-document", "-", "--id", "vault"], {
    now: NOW,
    input: "The vault of the boathouse opens with the brass key.",
  });
  const daemon = place.launch(["start"], { now: NOW });
  await daemon.says("Ready.");
  place.replace("inbox.json", [
    { id: "q-1", role: "user", text: "How does the vault of the boathouse open?", createdAt: NOW },
  ]);
  const prompt = await place.memd(["prompt", "--wait", "q-1"], { now: NOW });
  expect(prompt.stdout).toMatch(
    /^### memory\/scopes\/main%3Adocs\/documents\/vault\.md\nquoted from a document: “.*brass key\.”$/m,
  );
  daemon.kill("SIGTERM");
  await daemon.ended;
});
