/** memd in a repository: with the git that is installed, and a user who works there as well. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { cliPlace, eventually, type Place } from "../support/cli.js";
import { blocksOf } from "../support/cli-memory.js";
import { type UsersGit, usersGit, usersShell } from "../support/repository.js";

const NOW = "2026-03-02T12:00:00Z";
const SLOW = { timeout: 240_000 };

const said = (id: string, text: string, at = "2026-03-02T10:00:00Z") => ({
  id,
  role: "user",
  text,
  createdAt: at,
});

async function run(place: Place, args: string, env = {}): Promise<string> {
  const ended = await place.memd(args.split(" "), { now: NOW, env });
  expect(ended, args).toMatchObject({ code: 0 });
  return ended.stdout;
}

/** A workspace under git, with what was said archived, and one commit of that. */
async function underGit(messages = [said("a", "the ferry leaves at nine")]): Promise<[Place, UsersGit]> {
  const place = cliPlace({ files: { "history.json": messages, "memory.md": "# Memory\n" } });
  await run(place, "init --git");
  await run(place, "archive --now");
  return [place, usersGit(place)];
}

async function archived(place: Place, ...messages: ReturnType<typeof said>[]): Promise<void> {
  place.write("history.json", [...place.json<unknown[]>("history.json"), ...messages]);
  await run(place, "archive --now");
}

const ids = (place: Place): string[] =>
  blocksOf(place)
    .map(({ message }) => String(message.id))
    .sort();
const events = (place: Place): string[] => place.read("logs/memd.jsonl").match(/"event":"git_[a-z]+"/g) ?? [];

test("a pass is a commit of what it wrote, by memd, with what it is in its subject", SLOW, async () => {
  const [place, git] = await underGit();
  expect(git("log", "--format=%an|%s").split("\n")).toEqual([
    "memd|memory: day 2026-03-02",
    "memd|memory: as it begins",
  ]);
  expect(git("status", "--porcelain")).toBe("");
  const files = git("ls-files").split("\n");
  expect(files.filter((file) => !file.startsWith("memory/"))).toEqual([
    ".gitignore",
    "memd.toml",
    "memory.md",
    "workspace.json",
  ]);
  expect(files).toHaveLength(5);
  await run(place, "memory add the-bridge-code-is-4711");
  expect(git("log", "-1", "--format=%s")).toBe("memory: memory.md");
  expect(JSON.parse(await run(place, "status --json"))).toMatchObject({ git: { branch: /./, pending: 0 } });
  for (const file of [".git/HEAD", ".git/config"])
    expect(fs.statSync(path.join(place.root, file)).mode & 0o077).toBe(0);
});

test("what the user has staged stays staged, and what they have not is not committed", SLOW, async () => {
  const [place, git] = await underGit();
  place.write("notes.md", "mine\n");
  git("add", "notes.md");
  place.write("loose.md", "mine too\n");
  place.write(".git/hooks/pre-commit", "#!/bin/sh\ntouch ran\nexit 1\n");
  place.write(".git/hooks/reference-transaction", "#!/bin/sh\ntouch ran\nexit 1\n");
  for (const hook of ["pre-commit", "reference-transaction"])
    fs.chmodSync(path.join(place.root, ".git/hooks", hook), 0o755);
  git("config", "commit.gpgSign", "true");
  await archived(place, said("b", "and lands at ten"));
  expect(git("diff", "--cached", "--name-status")).toBe("A\tnotes.md");
  expect(git("show", "--format=", "--name-only", "HEAD")).toMatch(/^memory\/2026-03-02-[^\n]*$/);
  expect(git("status", "--porcelain")).toBe("A  notes.md\n?? loose.md");
  expect(place.exists("ran")).toBe(false);
});

test(
  "what stood at a later commit is deleted by nobody: memd waits, and goes on where it was",
  SLOW,
  async () => {
    const [place, git] = await underGit();
    await archived(place, said("b", "and lands at ten"));
    git("checkout", "-q", "HEAD~1");
    expect(ids(place)).toEqual(["a"]);
    place.write("history.json", [
      ...place.json<unknown[]>("history.json"),
      said("c", "the quay is number five"),
    ]);
    for (const command of [["archive", "--now"], ["prune"], ["forget", "--id", "a", "-y"]]) {
      const ended = await place.memd(command, { now: NOW });
      expect(ended, command.join(" ")).toMatchObject({ code: 1, stderr: /Git has gone from/ });
      expect(ended.stderr).toMatch(/memd init --git/);
    }
    await run(place, "start --until-idle");
    expect(ids(place)).toEqual(["a"]);
    expect(git("status", "--porcelain")).toBe("");
    expect(JSON.parse(await run(place, "status --json"))).toMatchObject({
      git: { held: expect.stringContaining("Git has gone from") as string },
      archive: { unwritten: 1 },
    });
    git("checkout", "-q", "-");
    await run(place, "archive --now");
    expect(ids(place)).toEqual(["a", "b", "c"]);
    expect(git("status", "--porcelain")).toBe("");
    expect(events(place)).toContain('"event":"git_moved"');
  },
);

test("a running memd sees it, and that it is over", SLOW, async () => {
  const [place, git] = await underGit();
  await archived(place, said("b", "and lands at ten"));
  const memd = place.launch(["start"], { now: NOW });
  await memd.says("Ready.");
  git("checkout", "-q", "HEAD~1");
  place.replace("history.json", [
    ...place.json<unknown[]>("history.json"),
    said("c", "the quay is number five"),
  ]);
  await memd.says(/git has checked out another commit/);
  git("checkout", "-q", "-");
  await memd.says(/git is back/);
  await run(place, "archive --now");
  expect(ids(place)).toEqual(["a", "b", "c"]);
  // A stop waits for git no longer than for anything else, so it is committed first.
  await eventually("the pass is committed", () => git("status", "--porcelain") === "");
  expect(git("log", "-1", "--format=%an")).toBe("memd");
  memd.kill("SIGTERM");
  await memd.ended;
  expect(git("status", "--porcelain")).toBe("");
});

test("a person may have it go on from an older commit", SLOW, async () => {
  const [place, git] = await underGit();
  await archived(place, said("b", "and lands at ten"));
  git("checkout", "-q", "-b", "again", "HEAD~1");
  expect((await place.memd(["archive", "--now"], { now: NOW })).code).toBe(1);
  await run(place, "init --git");
  await archived(place, said("c", "the quay is number five"));
  // What was archived on the other branch stays there: it was archived once.
  expect(ids(place)).toEqual(["a", "c"]);
  expect(git("log", "-1", "--format=%an %D")).toBe("memd HEAD -> again");
});

test("commits of others on top, and branches that are merged, are gone on from", SLOW, async () => {
  const [place, git] = await underGit();
  const main = git("branch", "--show-current");
  git("checkout", "-q", "-b", "side");
  place.write("notes.md", "mine\n");
  git("add", "notes.md");
  git("commit", "-q", "-m", "notes");
  await archived(place, said("b", "and lands at ten"));
  git("checkout", "-q", main);
  git("commit", "-q", "--allow-empty", "-m", "elsewhere");
  git("merge", "-q", "-m", "both", "side");
  await archived(place, said("c", "the quay is number five"));
  expect(ids(place)).toEqual(["a", "b", "c"]);
  expect(git("log", "-1", "--format=%an %D")).toBe(`memd HEAD -> ${main}`);
});

test("while somebody merges memd writes nothing there", SLOW, async () => {
  const [place, git] = await underGit();
  const main = git("branch", "--show-current");
  for (const branch of ["side", main]) {
    if (branch === "side") git("checkout", "-q", "-b", branch);
    else git("checkout", "-q", branch);
    place.write("notes.md", `${branch}\n`);
    git("add", "notes.md");
    git("commit", "-q", "-m", branch);
  }
  expect(() => git("merge", "-q", "side")).toThrow();
  place.write("history.json", [...place.json<unknown[]>("history.json"), said("b", "and lands at ten")]);
  const ended = await place.memd(["archive", "--now"], { now: NOW });
  expect(ended).toMatchObject({ code: 1, stderr: /MERGE_HEAD/ });
  expect(await place.memd(["init", "--git"], { now: NOW })).toMatchObject({ code: 1 });
  expect(ids(place)).toEqual(["a"]);
  place.write("notes.md", "both\n");
  git("commit", "-q", "-a", "-m", "both");
  await run(place, "archive --now");
  expect(ids(place)).toEqual(["a", "b"]);
});

test("a lock that a killed git has left holds up commits alone, and they are made later", SLOW, async () => {
  const [place, git] = await underGit();
  const lock = path.join(place.root, ".git/index.lock");
  fs.writeFileSync(lock, "");
  fs.utimesSync(lock, new Date("2026-03-02T11:00:00Z"), new Date("2026-03-02T11:00:00Z"));
  const before = git("rev-parse", "HEAD");
  await archived(place, said("b", "and lands at ten"));
  expect(ids(place)).toEqual(["a", "b"]);
  expect(git("rev-parse", "HEAD")).toBe(before);
  expect(JSON.parse(await run(place, "status --json"))).toMatchObject({ git: { pending: 1 } });
  fs.rmSync(lock);
  await run(place, "memory list");
  expect(git("status", "--porcelain")).toBe("");
  expect(git("rev-parse", "HEAD~1")).toBe(before);
});

test("without git, or on no branch, all else goes on", SLOW, async () => {
  const [place, git] = await underGit();
  const before = git("rev-parse", "HEAD");
  place.write("history.json", [...place.json<unknown[]>("history.json"), said("b", "and lands at ten")]);
  await run(place, "archive --now", { PATH: "/nowhere" });
  expect(ids(place)).toEqual(["a", "b"]);
  expect(events(place)).toContain('"event":"git_failed"');
  const missing = await place.memd(["init", "--git"], { now: NOW, env: { PATH: "/nowhere" } });
  expect(missing).toMatchObject({ code: 1, stderr: /git rev-parse failed/ });
  git("checkout", "-q", "--detach");
  await archived(place, said("c", "the quay is number five"));
  expect(ids(place)).toEqual(["a", "b", "c"]);
  expect(git("rev-parse", "HEAD")).toBe(before);
  git("checkout", "-q", "-");
  await run(place, "memory list");
  expect(git("status", "--porcelain")).toBe("");
  expect(git("rev-parse", "HEAD~1")).toBe(before);
});

test("somebody's repository above is left alone unless it is named", SLOW, async () => {
  const place = cliPlace({ files: { "history.json": [said("a", "the ferry leaves at nine")] } });
  const above = usersGit(place, place.outside);
  above("init", "-q");
  above("commit", "-q", "--allow-empty", "-m", "theirs");
  place.write("memd.toml", "[git]\ncommit = true\n");
  await run(place, "archive --now");
  expect(above("log", "--format=%s")).toBe("theirs");
  place.write("memd.toml", "[git]\ncommit = true\nparent = true\n");
  await archived(place, said("b", "and lands at ten"));
  expect(above("log", "-1", "--format=%an", "--name-only")).toMatch(/^memd\n\nws\/memory\/2026-03-02-\S+$/);
  place.write("memd.toml", "");
  expect(await run(place, "init --git")).toContain(`The repository in ${place.outside} is left alone`);
  expect(place.exists(".git/HEAD")).toBe(true);
  expect(above("log", "--format=%an").split("\n")).toEqual(["memd", "lin"]);
});

test("what is forgotten stands in commits until the lines that memd prints are run", SLOW, async () => {
  const [place, git] = await underGit([
    said("a", "the ferry leaves at nine"),
    said("b", "the safe opens with 481-516-2342"),
  ]);
  place.write("notes.md", "mine\n");
  git("add", "notes.md");
  git("commit", "-q", "-m", "notes");
  git("tag", "v1");
  await run(place, "forget --id b --dry-run");
  const { rewrite } = JSON.parse(await run(place, "forget --id b -y --json")) as { rewrite: string[] };
  expect(git("status", "--porcelain")).toBe("");
  const everything = (): string =>
    usersShell(place, "git cat-file --batch-all-objects --batch; git log -p --all");
  expect(everything()).toContain("the safe opens");
  const before = place.snapshot("memory");
  usersShell(place, rewrite.join("\n"));
  expect(everything()).not.toContain("the safe opens");
  expect(everything()).toContain("the ferry leaves");
  expect(place.snapshot("memory")).toEqual(before);
  expect(git("status", "--porcelain")).toBe("");
  expect(git("log", "--format=%s")).toContain("notes");
  await archived(place, said("c", "the quay is number five"));
  expect(ids(place)).toEqual(["a", "c"]);
  expect(git("log", "-1", "--format=%an")).toBe("memd");
});

test("where nothing is under git, forgetting says nothing of it", SLOW, async () => {
  const place = cliPlace({ files: { "history.json": [said("a", "the ferry leaves at nine")] } });
  await run(place, "archive --now");
  expect(await run(place, "forget --id a -y")).not.toMatch(/git/i);
  await eventually("it is gone", () => ids(place).length === 0);
});
