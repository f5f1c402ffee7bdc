/**
 * What stands in a workspace may have been put there by somebody else: pipes that
 * never end, links to outside, files with a second name. Every place is tried with
 * the built memd: nothing waits, nothing outside is read or written.
 */
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { becomeOwner } from "../../src/daemon/own.js";
import { askRunning } from "../../src/library/running.js";
import { troubleOf } from "../../src/model/errors.js";
import { epochMs } from "../../src/model/time.js";
import { type Clock, systemClock } from "../../src/platform/clock.js";
import { nodeDisk } from "../../src/platform/node-disk.js";
import { openWorkspaceAt } from "../../src/protocol/workspace-file.js";
import { FILES, OWN_FOLDERS } from "../../src/protocol/workspace.js";
import { cliPlace, pause, type Ended, type Place } from "../support/cli.js";

const CANARY = "zebra-4711";
/** Stands beside the canary and nowhere else. */
const ASKED = "blueberries";
const BIN = fileURLToPath(new URL("../../bin/memd.js", import.meta.url));
/** A pipe that is waited for is waited for without end. */
const MOST_MS = 30_000;
const DAY = "2026-02-10";

const message = (id: string, text: string): object => ({
  id,
  role: "user",
  text,
  createdAt: `${DAY}T10:00:00Z`,
});

/** The index in memory: threads cost more than all else that memd does here. */
const WITHOUT_THREADS = '[index]\nengine = "memory"\n';

function here(settings = ""): Place {
  return cliPlace({
    files: {
      ...(settings === "" ? {} : { "memd.toml": settings }),
      "history.json": [message("m-1", "The deploy limit is 900 seconds.")],
      "inbox.json": [message("m-2", "What is the deploy limit?")],
      "memory.md": "# Facts\n\n- tea\n",
    },
  });
}

/** With threads where they are what is tried. */
function fitFor(name: string): Place {
  return here(name.startsWith(FILES.index) || name === FILES.settings ? "" : WITHOUT_THREADS);
}

/** A day is summed up, by a process of its own, where that is what is tried. */
function clockFor(name: string): Clock {
  return /archive|summar|prompts|usage/.test(name)
    ? systemClock()
    : systemClock(epochMs(Date.parse(`${DAY}T12:00:00Z`)));
}

/** All that a memd does in its life, in this process: it answers in a tenth of the time that a command takes. What it said, or why it ended. */
async function live(place: Place, clock = systemClock()): Promise<string> {
  const told: unknown[] = [];
  const living = (async (): Promise<void> => {
    const workspace = await openWorkspaceAt(nodeDisk, place.root);
    const running = await becomeOwner(workspace, path.join(place.outside, "run", "s.sock"), clock);
    if (running === undefined) throw new Error("another memd runs");
    try {
      await running.memd.start({ watch: false, work: true });
      await askRunning(running.socket, async (memd) => {
        told.push(await memd.ask("archive", {}));
        told.push(await memd.ask("searchMemories", { query: ASKED }));
        told.push(await memd.ask("prompt", {}));
        told.push(await memd.ask("status", {}));
      });
    } finally {
      await running.stop();
    }
  })().catch((error: unknown) => void told.push(troubleOf(error).message));
  const isOver = await Promise.race([living.then(() => true), pause(MOST_MS)]);
  if (isOver !== true) throw new Error("memd waits.");
  return JSON.stringify(told);
}

async function run(place: Place, ...args: string[]): Promise<Ended> {
  const ended = await Promise.race([place.memd(args), pause(MOST_MS)]);
  if (ended === undefined) throw new Error(`memd ${args.join(" ")} waits.`);
  return ended;
}

/** Something that others own, of the form that memd would read at that place. */
function outsideFile(place: Place, name: string): string {
  const file = path.join(place.outside, `theirs-${path.basename(name)}`);
  const said = message("theirs", `${CANARY} likes ${ASKED}`);
  const content = name.endsWith(".json")
    ? JSON.stringify([said])
    : name.endsWith(".jsonl")
      ? `${JSON.stringify({ ...said, op: "message" })}\n`
      : `${CANARY} likes ${ASKED}\n`;
  fs.writeFileSync(file, content, { mode: 0o644 });
  return file;
}

/** All that tells whether a file or a folder was touched. */
function stateOf(file: string): string[] {
  const stat = fs.lstatSync(file);
  const own = `${file} ${stat.size} ${stat.mtimeMs} ${stat.mode}`;
  if (!stat.isDirectory()) return [own, fs.readFileSync(file, "utf8")];
  return [
    own,
    ...fs
      .readdirSync(file)
      .sort()
      .flatMap((name) => stateOf(path.join(file, name))),
  ];
}

function put(place: Place, name: string, plant: (at: string) => void): void {
  const at = path.join(place.root, name);
  fs.rmSync(at, { recursive: true, force: true });
  fs.mkdirSync(path.dirname(at), { recursive: true });
  plant(at);
}

/** Where the canary stands in the workspace, which it should nowhere. */
function leaks(place: Place): string[] {
  return place.files().filter((file) => place.read(file).includes(CANARY));
}

/** Names of files by what they are, of a workspace in which everything has happened once. */
const PLACES = [
  ...Object.values(FILES),
  "history.json.lock",
  "prompts",
  "prompts/summary.md",
  "inbox.d/2026-02-10T10-00-00-000Z-abcdefgh.json",
  `journal/${DAY}.jsonl`,
  `memory/${DAY}-deploy.md`,
  "memory/archive",
  "memory/archive/2026-02",
  `memory/archive/2026-02/${DAY}-deploy.md`,
  `memory/summary/${DAY}.md`,
  "memory/memos.json",
  "memory/records/2026-02.jsonl",
  "memory/records/users/local.jsonl",
  "memory/profiles/users/local.md",
  "memory/window/main.md",
  "memory/topics/events.jsonl",
  "queue/pending/2026-02-10T10-00-00-000Z-turn-abcdefgh.json",
  "teller/main/main/prompt.md",
  "teller/prompt.md.0",
  "teller/prompt.json.0",
  ".memd/state.json.0",
  ".memd/displaced/history.json.0123456789abcdef.abcdefgh",
  ".memd/index/0123456789abcdef.sqlite",
  "logs/start.txt",
];

/** Opened by calls that return when they are done, in this thread or another. */
const IN_ONE_GO = [
  FILES.log,
  FILES.logs,
  FILES.index,
  ".memd/index/0123456789abcdef.sqlite",
  "history.json.lock",
];

describe("a pipe at a place of memd's keeps nobody waiting", () => {
  test.each(PLACES)("%s", { timeout: 4 * MOST_MS }, async (name) => {
    const place = fitFor(name);
    put(place, name, (at) => execFileSync("mkfifo", [at]));
    // What is opened without waiting for the event loop would hold up this process as well.
    if (IN_ONE_GO.includes(name)) await run(place, "archive", "--now");
    else await live(place, clockFor(name));
  });
});

describe("a link at a place of memd's leads nowhere", () => {
  test.each(PLACES)("%s", { timeout: 4 * MOST_MS }, async (name) => {
    const place = fitFor(name);
    const theirs = outsideFile(place, name);
    const before = stateOf(theirs);
    put(place, name, (at) => fs.symlinkSync(theirs, at));
    expect(await live(place, clockFor(name))).not.toContain(CANARY);
    expect(leaks(place)).toEqual([]);
    expect(stateOf(theirs)).toEqual(before);
  });
});

test.each(["inbox.json", "memory.md", "memd.toml", FILES.log, FILES.usage, FILES.token, FILES.state])(
  "a link to what never ends is not read: %s",
  { timeout: 4 * MOST_MS },
  async (name) => {
    const place = here();
    put(place, name, (at) => fs.symlinkSync("/dev/zero", at));
    await run(place, "archive", "--now");
    await run(place, "status");
  },
);

describe("a link in place of a folder of memd's", () => {
  const FOLDERS = [
    ...OWN_FOLDERS,
    "memory/archive",
    "memory/archive/2026-02",
    "memory/summary",
    "memory/records",
    "memory/records/users",
    "memory/profiles",
    "memory/profiles/users",
    "memory/window",
    "memory/topics",
    "memory/scopes",
    "memory/scopes/project",
    "memory/scopes/project/archive",
    "queue/pending",
    "queue/processing",
    "queue/failed",
    "queue/summaries",
    "teller/main",
    ".memd/index",
    ".memd/displaced",
  ];

  /** What stood there stands outside now, with something of somebody else's, and a link leads to it. */
  function linkAway(place: Place, name: string): string {
    const there = path.join(place.outside, "theirs");
    const at = path.join(place.root, name);
    if (fs.existsSync(at)) fs.renameSync(at, there);
    else fs.mkdirSync(there);
    fs.writeFileSync(path.join(there, `${DAY}-x.md`), `${CANARY} likes ${ASKED}\n`);
    fs.mkdirSync(path.dirname(at), { recursive: true });
    fs.symlinkSync(there, at);
    return there;
  }

  test.each(FOLDERS)("is not followed, and said so: %s", { timeout: 4 * MOST_MS }, async (name) => {
    const place = fitFor(name);
    const there = linkAway(place, name);
    const before = stateOf(there);
    const history = place.read("history.json");
    const told = await live(place, clockFor(name));
    expect(told).toContain(`${name} in ${place.root} is a link to ${there}`);
    expect(told).not.toContain(CANARY);
    expect(stateOf(there)).toEqual(before);
    expect(leaks(place)).toEqual([]);
    expect(place.read("history.json")).toBe(history);
  });

  test.each(["memory", "queue", ".memd", "memory/archive"])(
    "is followed where the settings name it: %s",
    { timeout: 6 * MOST_MS },
    async (name) => {
      const place = here();
      expect((await run(place, "archive", "--now")).code).toBe(0);
      const there = linkAway(place, name);
      place.write("memd.toml", `[files]\nlinked = ["${name}"]\n`);
      expect(await run(place, "say", "The canal is frozen.")).toMatchObject({ code: 0 });
      expect(await run(place, "archive", "--now")).toMatchObject({ code: 0, stderr: "" });
      expect((await run(place, "search", "deploy limit")).stdout).toContain("900 seconds");
      expect((await run(place, "search", "canal")).stdout).toContain("frozen");
      expect(fs.lstatSync(path.join(place.root, name)).isSymbolicLink()).toBe(true);
      // What it leads to is gone, as a disk that is not mounted: that is not the same as an empty folder.
      fs.renameSync(there, `${there}-gone`);
      expect(await run(place, "archive", "--now")).toMatchObject({ code: 5 });
      fs.renameSync(`${there}-gone`, there);
      expect((await run(place, "search", "canal")).stdout).toContain("frozen");
    },
  );

  test("that comes while memd runs stops it from writing there, and it goes on once it is gone", async () => {
    const place = here();
    const daemon = place.launch(["start"]);
    await daemon.says("Ready.");
    expect((await run(place, "archive", "--now")).code).toBe(0);
    const there = linkAway(place, "memory");
    const before = stateOf(there);
    place.write("history.json", [
      message("m-1", "The deploy limit is 900 seconds."),
      message("m-3", "And the canal?"),
    ]);
    const told = "memory in";
    // It was a folder a moment ago: whoever writes looks again.
    const archived = await run(place, "archive", "--now");
    expect([archived.code, archived.stderr]).toEqual([3, expect.stringContaining(told)]);
    expect((await run(place, "status")).stdout).toContain(told);
    // What it knew before, it still finds.
    const found = await run(place, "search", "deploy limit");
    expect(found.stdout).toContain("900 seconds");
    expect((await run(place, "search", ASKED)).stdout).not.toContain(CANARY);
    await daemon.says(told);
    expect(stateOf(there)).toEqual(before);
    fs.rmSync(path.join(place.root, "memory"));
    fs.rmSync(path.join(there, `${DAY}-x.md`));
    fs.renameSync(there, path.join(place.root, "memory"));
    expect(await run(place, "archive", "--now")).toMatchObject({ code: 0, stderr: "" });
    const days = place.files("memory").map((file) => place.read(file));
    expect(days.join("\n")).toContain("And the canal?");
    expect(days.join("\n")).toContain("900 seconds");
  });
});

describe("a file with a second name outside", () => {
  /** Gives what stands in the workspace a name outside; what it holds there. */
  function twin(place: Place, name: string): { file: string; before: string } {
    const file = path.join(place.outside, `twin-${path.basename(name)}`);
    fs.linkSync(path.join(place.root, name), file);
    return { file, before: fs.readFileSync(file, "latin1") };
  }

  test(
    "is never written in place, whatever is appended to it, and loses nothing",
    { timeout: 6 * MOST_MS },
    async () => {
      const place = here();
      expect((await run(place, "archive", "--now")).code).toBe(0);
      expect((await run(place, "end", "--observe", "Lin works on Harbor.", "--force")).code).toBe(0);
      expect((await run(place, "archive", "--now")).code).toBe(0);
      const appended = place.files().filter((file) => /\.(?:jsonl|sqlite)$/.test(file));
      expect(appended.map((file) => path.dirname(file))).toEqual(
        expect.arrayContaining(["journal", "logs", ".memd/index"]),
      );
      const twins = appended.map((name) => ({ name, ...twin(place, name) }));
      expect((await run(place, "say", "The canal is frozen.")).code).toBe(0);
      expect((await run(place, "end", "--observe", "Lin likes the canal.", "--force")).code).toBe(0);
      expect((await run(place, "archive", "--now")).code).toBe(0);
      expect((await run(place, "search", "canal")).stdout).toContain("frozen");
      for (const { name, file, before } of twins) {
        expect([name, fs.readFileSync(file, "latin1") === before]).toEqual([name, true]);
        if (name.endsWith(".jsonl") && fs.existsSync(path.join(place.root, name)))
          expect(fs.readFileSync(path.join(place.root, name), "latin1").startsWith(before)).toBe(true);
      }
      expect(place.files().filter((file) => file.endsWith(".tmp"))).toEqual([]);
    },
  );
});

test.each(["0", "077"])(
  "under umask %s all that is made is this user's alone",
  { timeout: 4 * MOST_MS },
  (umask) => {
    const place = cliPlace({ workspace: false });
    const memd = (...args: string[]): number | null =>
      spawnSync("sh", ["-c", `umask ${umask}; exec "$0" "$@"`, process.execPath, BIN, ...args], {
        cwd: place.root,
        env: {
          PATH: process.env["PATH"],
          HOME: place.outside,
          XDG_RUNTIME_DIR: path.join(place.outside, "run"),
        },
      }).status;
    expect(memd("init", "--sample")).toBe(0);
    expect(memd("say", "The canal is frozen.")).toBe(0);
    expect(memd("end", "--observe", "Lin works on Harbor.", "--force")).toBe(0);
    expect(memd("archive", "--now")).toBe(0);
    expect(memd("search", "canal")).toBe(0);
    const made = fs.readdirSync(place.root, { recursive: true, encoding: "utf8" });
    expect(made.filter((name) => name.endsWith(".sqlite")).length).toBeGreaterThan(0);
    const open = made.filter((name) => (fs.lstatSync(path.join(place.root, name)).mode & 0o077) !== 0);
    expect(open).toEqual([]);
  },
);
