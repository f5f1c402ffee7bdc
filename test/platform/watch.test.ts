import fs from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { fileWatch } from "../../src/platform/watch.js";
import { tempDir } from "../support/temp-dir.js";

interface Watched {
  root: string;
  /** Resolves once one of them has been reported since the last call. */
  reported: (...names: string[]) => Promise<void>;
  seen: Set<string>;
}

async function watched(
  prepare: (root: string) => void = () => undefined,
  more: string[] = ["inbox.d"],
): Promise<Watched> {
  const root = tempDir();
  fs.mkdirSync(`${root}/inbox.d`);
  for (const name of ["history.json", "memory.md"]) fs.writeFileSync(`${root}/${name}`, "[]");
  prepare(root);
  const seen = new Set<string>();
  const hot = new Set(["history.json", "inbox.json", "memory.md"].map((name) => `${root}/${name}`));
  const watching = await fileWatch.watch(
    [root, ...more.map((dir) => `${root}/${dir}`)],
    (file) => hot.has(file) || path.dirname(file) === `${root}/inbox.d`,
    (file) => seen.add(path.relative(root, file)),
  );
  onTestFinished(() => watching.close());
  const reported = async (...names: string[]): Promise<void> => {
    for (let tries = 0; !names.some((name) => seen.has(name)); tries++) {
      if (tries > 1000) throw new Error(`${names[0]} was never reported, only ${[...seen].join(", ")}`);
      await new Promise((done) => setTimeout(done, 10));
    }
    for (const name of names) seen.delete(name);
  };
  return { root, reported, seen };
}

describe("a watched file is reported", () => {
  test("when it is written in place, more than once", async () => {
    const { root, reported } = await watched();
    fs.writeFileSync(`${root}/history.json`, "[1]");
    await reported("history.json");
    fs.appendFileSync(`${root}/history.json`, " ");
    await reported("history.json");
  });

  test("when another is renamed over it, more than once, and when the new one is written in place", async () => {
    const { root, reported } = await watched();
    for (const content of ["[1]", "[1, 2]"]) {
      fs.writeFileSync(`${root}/.host.tmp`, content);
      fs.renameSync(`${root}/.host.tmp`, `${root}/history.json`);
      await reported("history.json");
    }
    fs.writeFileSync(`${root}/history.json`, "[1, 2, 3]");
    await reported("history.json");
  });

  test("when it appears, goes and appears again", async () => {
    const { root, reported } = await watched();
    fs.writeFileSync(`${root}/inbox.json`, "[]");
    await reported("inbox.json");
    fs.unlinkSync(`${root}/inbox.json`);
    await reported("inbox.json");
    fs.writeFileSync(`${root}/inbox.json`, "[1]");
    await reported("inbox.json");
  });
});

describe("drops are reported", () => {
  test("each as it is published by a link, or written", async () => {
    const { root, reported } = await watched();
    fs.writeFileSync(`${root}/inbox.d/.a.json.abcd1234.tmp`, "{}");
    fs.linkSync(`${root}/inbox.d/.a.json.abcd1234.tmp`, `${root}/inbox.d/a.json`);
    fs.unlinkSync(`${root}/inbox.d/.a.json.abcd1234.tmp`);
    await reported("inbox.d/a.json");
    fs.writeFileSync(`${root}/inbox.d/b.json`, "{}");
    await reported("inbox.d/b.json");
  });

  test("whether or not their folder was there when watching began", async () => {
    const { root, reported } = await watched((made) => fs.rmdirSync(`${made}/inbox.d`));
    fs.mkdirSync(`${root}/inbox.d`);
    await reported("inbox.d");
    fs.writeFileSync(`${root}/inbox.d/a.json`, "{}");
    // The folder itself, told again, is as good a hint: what stands in it is read.
    await reported("inbox.d/a.json", "inbox.d");
  });

  test("as their folder, again and again, while it is new: what came before it was watched is looked for", async () => {
    const { root, reported } = await watched((made) => fs.rmdirSync(`${made}/inbox.d`));
    fs.mkdirSync(`${root}/inbox.d`);
    for (let times = 0; times < 3; times++) await reported("inbox.d");
  });
});

test("what nobody wants to know is not reported", async () => {
  const { root, reported, seen } = await watched((made) => fs.mkdirSync(`${made}/memory`));
  fs.writeFileSync(`${root}/notes.txt`, "x");
  fs.writeFileSync(`${root}/memory/2026-01-05-x.md`, "x");
  fs.mkdirSync(`${root}/inbox.d/deep`);
  fs.writeFileSync(`${root}/inbox.d/deep/x.json`, "x");
  fs.writeFileSync(`${root}/history.json`, "[1]");
  await reported("history.json");
  expect([...seen].filter((name) => !["inbox.d", "inbox.d/deep"].includes(name))).toEqual([]);
});

test("after it is closed nothing is reported", async () => {
  const root = tempDir();
  const seen: string[] = [];
  const watching = await fileWatch.watch(
    [root],
    () => true,
    (file) => void seen.push(file),
  );
  await watching.close();
  fs.writeFileSync(`${root}/file`, "x");
  await new Promise((done) => setTimeout(done, 50));
  expect(seen).toEqual([]);
});
