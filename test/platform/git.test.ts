import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { type Git, systemGit } from "../../src/platform/git.js";
import { eventually, isAlive } from "../support/cli.js";
import { tempDir } from "../support/temp-dir.js";

/** A program called git that does what the script says. */
function scripted(script: string, environment: Record<string, string> = {}, limits = {}): Git {
  const bin = tempDir();
  fs.writeFileSync(path.join(bin, "git"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const PATH = `${bin}:${process.env["PATH"] ?? ""}`;
  return systemGit({ folder: tempDir(), parent: false, environment: { ...environment, PATH } }, limits);
}

test("what the environment says to git is not heard, nor anything that is none of its business", async () => {
  const git = scripted("env", {
    GIT_DIR: "/elsewhere",
    GIT_EXTERNAL_DIFF: "run-me",
    OPENAI_API_KEY: "sk-1",
    HOME: "/h",
  });
  const end = await git({ args: ["status"], index: "/w/index" });
  if (end.is !== "done") throw new Error(end.says);
  const heard = end.out.split("\n");
  expect(heard).toEqual(
    expect.arrayContaining(["HOME=/h", "GIT_INDEX_FILE=/w/index", "GIT_AUTHOR_NAME=memd"]),
  );
  expect(end.out).not.toMatch(/GIT_DIR|run-me|sk-1/);
});

test("it runs no hooks and signs nothing, and is given what it reads", async () => {
  const git = scripted('printf "%s\\n" "$@"; cat');
  const end = await git({ args: ["update-index", "--stdin"], input: "a b\0" });
  expect(end).toMatchObject({ is: "done" });
  const out = end.is === "done" ? end.out : "";
  expect(out).toContain("core.hooksPath=/dev/null");
  expect(out).toContain("commit.gpgSign=false");
  expect(out).toMatch(/update-index\n--stdin\na b\0$/);
});

test("what it refuses is told in its words, without what else it says", async () => {
  const git = scripted(
    'echo "warning: x" >&2; echo "fatal: not a git repository: y" >&2; echo hint >&2; exit 128',
  );
  expect(await git({ args: [] })).toEqual({ is: "refused", code: 128, says: "not a git repository: y" });
});

test("one that does not end, or says too much, is ended, whatever it has started", async () => {
  const file = path.join(tempDir(), "pid");
  const hanging = scripted(
    `trap '' TERM; sleep 600 & echo $! > ${file}; wait`,
    {},
    { deadlineMs: 300, graceMs: 50 },
  );
  expect(await hanging({ args: [] })).toEqual({ is: "missing", says: "it did not end in time" });
  await eventually("what it started has ended", () => !isAlive(Number(fs.readFileSync(file, "utf8"))));
  const deaf = scripted("trap '' TERM; while :; do sleep 0.1; done", {}, { deadlineMs: 50, graceMs: 50 });
  expect(await deaf({ args: [] })).toMatchObject({ is: "missing" });
  const loud = scripted("yes", {}, { outputBytes: 1000 });
  expect(await loud({ args: [] })).toEqual({ is: "missing", says: "it said too much" });
});

test("where there is none, that is said", async () => {
  const git = systemGit({ folder: tempDir(), parent: false, environment: { PATH: "/nowhere" } });
  expect(await git({ args: ["status"] })).toMatchObject({ is: "missing", says: /ENOENT/ });
});
