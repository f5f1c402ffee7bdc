/** A copy of a workspace that cannot be written is asked all the same, and nothing in it changes. */
import fs from "node:fs";
import { expect, test } from "vitest";
import { openWorkspace } from "../../src/library/memd.js";
import { cliPlace } from "../support/cli.js";
import { smallDisk } from "../support/cli-mounts.js";

const NOW = "2026-03-20T12:00:00Z";
const CODE = { id: "h1", role: "user", text: "The bridge code is 4471.", createdAt: "2026-03-20T10:00:00Z" };
const QUESTION = { id: "q1", role: "user", text: "What was the bridge code?", createdAt: NOW };
const WORD = /cannot be written: this is answered from its files as they are, and nothing is kept\.\n$/;

test("status, search and prompt answer from its files with a word on stderr, and what would change it is refused", async (context) => {
  const disk = smallDisk("4m");
  if (disk === undefined) return context.skip("this machine lets tests mount nothing");
  const files = {
    "history.json": [CODE],
    "inbox.json": [],
    "memory.md": "# Memory\n\n- Ferries leave at nine.\n",
  };
  const place = cliPlace({ root: disk.dir, files });
  expect((await place.memd(["start", "--until-idle"], { now: NOW })).code).toBe(0);
  // Nobody has taken this in.
  place.write("inbox.json", [QUESTION]);
  const standing = place.snapshot();
  disk.makeReadOnly();

  const ask = (...args: string[]) => place.memd(args, { now: NOW });
  const status = await ask("status", "--json");
  expect(JSON.parse(status.stdout)).toMatchObject({
    running: false,
    history: { messages: 1 },
    inbox: { waiting: 1 },
    index: { engine: "memory" },
  });
  const search = await ask("search", "bridge code");
  expect(search.stdout).toContain("4471");
  const prompt = await ask("prompt");
  expect(prompt.stdout).toContain("What was the bridge code?");
  expect(prompt.stdout).toContain("Ferries leave at nine.");
  for (const { code, stderr } of [status, search, prompt])
    expect([code, stderr]).toEqual([0, expect.stringMatching(WORD)]);

  for (const command of ["memory add x", "archive --now", "forget --id h1 --yes", "say hi"]) {
    const refused = await ask(...command.split(" "));
    expect([command, refused.code, refused.stdout]).toEqual([command, 5, ""]);
    expect(refused.stderr).toMatch(/^memd: Not allowed to/);
  }
  expect(place.snapshot()).toEqual(standing);
});

test("what comes to the process that reads it, and would change it, is refused there", async (context) => {
  const disk = smallDisk("4m");
  if (disk === undefined) return context.skip("this machine lets tests mount nothing");
  const place = cliPlace({ root: disk.dir, files: { "history.json": [CODE], "inbox.json": [] } });
  disk.makeReadOnly();
  const waiting = place.launch(["prompt", "--wait", "nobody", "--patience", "20"], { now: NOW });
  await waiting.says(WORD);
  const added = await place.memd(["memory", "add", "Ferries leave at nine."], { now: NOW });
  expect(added).toMatchObject({ code: 5, stdout: "" });
  expect(added.stderr).toMatch(/cannot be written/);
  expect((await place.memd(["search", "bridge code"], { now: NOW })).stdout).toContain("4471");
  expect((await place.memd(["stop"])).code).toBe(0);
  expect((await waiting.ended).code).not.toBe(0);
});

test("on a full disk too, where no memd runs", async (context) => {
  const disk = smallDisk("4m");
  if (disk === undefined) return context.skip("this machine lets tests mount nothing");
  const place = cliPlace({ root: disk.dir, files: { "history.json": [CODE], "inbox.json": [QUESTION] } });
  disk.fill();
  const search = await place.memd(["search", "bridge code"], { now: NOW });
  expect([search.code, search.stderr]).toEqual([0, expect.stringMatching(WORD)]);
  expect(search.stdout).toContain("4471");
  expect((await place.memd(["prompt"], { now: NOW })).stdout).toContain("What was the bridge code?");
  expect((await place.memd(["say", "hi"], { now: NOW })).code).toBe(5);
});

test("a program asks it through the library", async (context) => {
  const disk = smallDisk("4m");
  if (disk === undefined) return context.skip("this machine lets tests mount nothing");
  fs.writeFileSync(`${disk.dir}/workspace.json`, JSON.stringify({ format: 1, id: "x" }));
  fs.writeFileSync(`${disk.dir}/history.json`, JSON.stringify([CODE]));
  disk.makeReadOnly();
  const memory = await openWorkspace(disk.dir);
  const { found } = await memory.searchMemories({ query: "bridge code" });
  expect(found.map(({ text }) => text)).toEqual([expect.stringContaining("4471")]);
  await expect(memory.say({ text: "hi" })).rejects.toMatchObject({ code: "disk_denied" });
  await memory.close();
});
