/** A workspace that goes from its place while memd runs: memd ends with a word, and the old place stays empty. */
import fs from "node:fs";
import { expect, test } from "vitest";
import { openWorkspace } from "../../src/library/memd.js";
import { cliPlace, eventually, type Place, type Started } from "../support/cli.js";

const message = (id: string, text: string): object => ({
  id,
  role: "user",
  text,
  createdAt: "2026-03-20T10:00:00Z",
});

async function running(): Promise<{ place: Place; memd: Started }> {
  const place = cliPlace({ files: { "history.json": [message("h1", "The bridge code is 4471.")] } });
  const memd = place.launch(["start"]);
  await memd.says("Ready.");
  await eventually("the message is journalled", () => place.files("journal").length > 0);
  return { place, memd };
}

test("a workspace that is moved ends memd, which never makes the old folder again, and starts in the new place with all it had", async () => {
  const { place, memd } = await running();
  // Work is under way: what is written meanwhile makes folders.
  place.write("queue/pending/x.json", "{}");
  place.replace("history.json", [
    message("h1", "The bridge code is 4471."),
    message("h2", "And the gate is 12."),
  ]);
  const moved = `${place.outside}/moved`;
  fs.renameSync(place.root, moved);
  const ended = await memd.ended;
  expect(ended).toMatchObject({ code: 3, signal: null });
  expect(ended.stderr).toMatch(/^memd: .*\/ws is not the folder any more .*\n  Start memd again where/);
  expect(fs.existsSync(place.root)).toBe(false);
  expect(fs.readFileSync(`${moved}/logs/memd.jsonl`, "utf8")).toContain('"code":"workspace_moved"');

  const there = (...args: string[]) => place.memd([...args, "-w", moved], { cwd: place.outside });
  expect(await there("start", "--until-idle")).toMatchObject({ code: 0, stderr: "" });
  expect((await there("search", "bridge code")).stdout).toContain("4471");
  expect((await there("search", "gate")).stdout).toContain("12");
  expect(fs.existsSync(place.root)).toBe(false);
});

test("one that is removed, or replaced by another folder, ends it too", async () => {
  for (const isReplaced of [false, true]) {
    const { place, memd } = await running();
    // What memd writes while it goes keeps a folder from being removed: asked again, as a person would.
    await eventually("the folder is removed", () => isRemoved(place.root));
    // It may get the very number of the one before.
    if (isReplaced) fs.mkdirSync(place.root);
    expect((await memd.ended).code).toBe(3);
    expect(place.files()).toEqual([]);
    expect(fs.existsSync(place.root)).toBe(isReplaced);
  }
});

test("a program that keeps a workspace open says nothing into a folder that is gone", async () => {
  const place = cliPlace();
  const memory = await openWorkspace(place.root);
  await memory.say({ text: "The bridge code is 4471." });
  fs.renameSync(place.root, `${place.outside}/moved`);
  await expect(memory.say({ text: "And the gate is 12." })).rejects.toMatchObject({
    code: "workspace_moved",
  });
  await expect(memory.end({ observations: ["The gate is 12."] })).rejects.toMatchObject({
    code: "workspace_moved",
  });
  expect(fs.existsSync(place.root)).toBe(false);
  await memory.close();
});

function isRemoved(folder: string): boolean {
  try {
    fs.rmSync(folder, { recursive: true });
    return true;
  } catch {
    // ENOTEMPTY.
    return false;
  }
}
