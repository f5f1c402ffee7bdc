import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemRipgrep } from "../../src/platform/ripgrep.js";

let root: string;
beforeAll(async () => {
  root = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), "memd-ripgrep-")));
  await fs.mkdir(path.join(root, "memory/archive"), { recursive: true });
  await fs.writeFile(path.join(root, "memory/a.md"), "one\nTea and tea\n-e --help\n年糕喜欢鱼\n");
  await fs.writeFile(path.join(root, "memory/archive/b c:1.md"), "more TEA\n");
  await fs.writeFile(path.join(root, "memory/notes.txt"), "tea\n");
  await fs.writeFile(path.join(root, "secret.md"), "tea\n");
  await fs.writeFile(path.join(root, ".gitignore"), "*\n");
});
afterAll(() => fs.rm(root, { recursive: true, force: true }));

const find = (...words: string[]) => systemRipgrep()({ root, places: ["memory.md", "memory"], words });

test("lines by path, whatever the case, once each, and only in the places asked for", async () => {
  expect(await find("tea")).toEqual([
    { path: "memory/a.md", line: 2 },
    { path: "memory/archive/b c:1.md", line: 1 },
  ]);
});

test("any of several words, Chinese too", async () => {
  expect(await find("one", "喜欢")).toEqual([
    { path: "memory/a.md", line: 1 },
    { path: "memory/a.md", line: 4 },
  ]);
});

test("words are text: no patterns, no options, no shell", async () => {
  expect(await find("t.a", ".*", "$(touch x)")).toEqual([]);
  expect(await find("--help")).toEqual([{ path: "memory/a.md", line: 3 }]);
  expect(await systemRipgrep()({ root, places: ["--files", "-e"], words: ["tea"] })).toEqual([]);
});

test("nothing to look for, or nowhere, finds nothing", async () => {
  expect(await find("")).toEqual([]);
  expect(await find("a\nb")).toEqual([]);
  expect(await systemRipgrep()({ root, places: [], words: ["tea"] })).toEqual([]);
});

test("a missing binary or folder finds nothing and breaks nothing", async () => {
  const query = { root, places: ["memory"], words: ["tea"] };
  expect(await systemRipgrep(async () => undefined)(query)).toEqual([]);
  expect(await systemRipgrep(async () => "/nowhere/rg")(query)).toEqual([]);
  expect(await systemRipgrep(() => Promise.reject(new Error("no package")))(query)).toEqual([]);
  expect(await systemRipgrep()({ ...query, root: path.join(root, "nowhere") })).toEqual([]);
});

test("one that is too slow or says too much is stopped", async () => {
  const script = path.join(root, "rg.sh");
  await fs.writeFile(script, "#!/bin/sh\nwhile :; do printf 'memory/a.md\\0001:tea\\n'; done\n", {
    mode: 0o700,
  });
  const query = { root, places: ["memory"], words: ["tea"] };
  const limits = { timeoutMs: 2_000, outputBytes: 10_000, linesPerFile: 5 };
  expect(await systemRipgrep(async () => script, limits)(query)).toEqual([{ path: "memory/a.md", line: 1 }]);
  await fs.writeFile(script, "#!/bin/sh\nexec sleep 60\n", { mode: 0o700 });
  const from = performance.now();
  expect(await systemRipgrep(async () => script, { ...limits, timeoutMs: 100 })(query)).toEqual([]);
  expect(performance.now() - from).toBeLessThan(5_000);
});
