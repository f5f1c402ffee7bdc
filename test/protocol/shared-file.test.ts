import { describe, expect, test } from "vitest";
import { MemdError } from "../../src/model/errors.js";
import { epochMs, later, MINUTE_MS, type EpochMs } from "../../src/model/time.js";
import type { Locks } from "../../src/platform/lock.js";
import { fileLocks } from "../../src/platform/lock.js";
import { nodeDisk } from "../../src/platform/node-disk.js";
import { noneSeen, takeLateSaves, type LateSave, type SeenSaves } from "../../src/protocol/displaced.js";
import { publish, type FileWriter } from "../../src/protocol/publish.js";
import { rewriteShared, type Change } from "../../src/protocol/shared-file.js";
import type { Workspace } from "../../src/protocol/workspace.js";
import { errno, memoryWorkspace, pressOn, WORKSPACE } from "../support/writer.js";
import { tempDir } from "../support/temp-dir.js";
import fs from "node:fs";
import { memoryDisk, type MemoryDisk } from "../support/memory-disk.js";

const FILE = "/w/history.json";
const start = epochMs(Date.parse("2026-01-05T10:00:00Z"));

const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

/** What a look finds, all of it merged. */
async function lateSaves(
  writer: FileWriter,
  workspace: Workspace,
  seen: SeenSaves,
  now: EpochMs,
): Promise<LateSave[]> {
  const saves: LateSave[] = [];
  await takeLateSaves(writer, workspace, seen, now, async (save) => {
    saves.push(save);
    return "merged";
  });
  return saves;
}

/** memd's change: a line at the end, unless it is there. */
const addOurs: Change = async (present) => {
  const before = text(present);
  return before.includes("ours\n") ? undefined : new TextEncoder().encode(`${before}ours\n`);
};

/** Runs once, right before memd does this to that file. */
function just(disk: MemoryDisk, operation: string, where: string, act: () => void | Promise<void>): void {
  let done = false;
  disk.before(async (at, path) => {
    if (done || at !== operation || !path.startsWith(where)) return;
    done = true;
    await act();
  });
}

async function replaceByRename(disk: MemoryDisk, content: string): Promise<void> {
  disk.writeInPlace("/w/.host.tmp", content);
  await disk.rename("/w/.host.tmp", FILE);
}

const displacedIn = (disk: MemoryDisk): string[] =>
  Object.keys(disk.files()).filter((path) => path.includes("displaced") && !path.endsWith(".base"));

const kept = (disk: MemoryDisk): string[] =>
  Object.keys(disk.files()).filter((path) => path !== FILE && !path.startsWith("/w/.memd/displaced/"));

describe("another writer between our read and our rename", () => {
  const writers: [string, (disk: MemoryDisk) => void | Promise<void>][] = [
    ["saving in place", (disk) => disk.writeInPlace(FILE, "base\ntheirs\n")],
    ["renaming a new file over it", (disk) => replaceByRename(disk, "base\ntheirs\n")],
    [
      "deleting it and making it again",
      async (disk) => {
        await disk.unlink(FILE);
        disk.writeInPlace(FILE, "base\ntheirs\n");
      },
    ],
  ];
  const moments: [string, string][] = [
    ["create", "/w/.history.json"],
    ["sync", "/w/.history.json"],
    ["makeDir", "/w/.memd/displaced"],
    ["link", "/w/.memd/displaced/"],
  ];
  for (const [how, write] of writers) {
    test.each(moments)(`${how}, as memd is at %s, loses nothing`, async (operation, where) => {
      const { disk, writer } = await memoryWorkspace({ "history.json": "base\n" });
      just(disk, operation, where, () => write(disk));
      await rewriteShared(writer, WORKSPACE, FILE, addOurs);
      expect(disk.files()[FILE]).toBe("base\ntheirs\nours\n");
      expect(kept(disk)).toEqual([]);
    });
  }

  test("saving in place after the last comparison is heard as a late save", async () => {
    const { disk, writer } = await memoryWorkspace({ "history.json": "base\n" });
    just(disk, "rename", FILE, async () => disk.writeInPlace(FILE, "base\ntheirs\n"));
    await rewriteShared(writer, WORKSPACE, FILE, addOurs);
    expect(disk.files()[FILE]).toBe("base\nours\n");
    const saves = await lateSaves(writer, WORKSPACE, noneSeen(), start);
    expect(saves.map(({ file, bytes }) => [file, text(bytes)])).toEqual([["history.json", "base\ntheirs\n"]]);
  });

  test("a writer of the very same bytes in a new file is replaced, and that file kept: an editor may have it open", async () => {
    const { disk, writer } = await memoryWorkspace({ "history.json": "base\n" });
    let theirs: number | undefined;
    just(disk, "link", "/w/.memd/displaced/", async () => {
      await replaceByRename(disk, "base\n");
      theirs = (await disk.stat(FILE))?.ino;
    });
    await rewriteShared(writer, WORKSPACE, FILE, addOurs);
    const [keptFile = ""] = displacedIn(disk);
    expect((await disk.stat(keptFile))?.ino).toBe(theirs);
  });

  test("a file that goes away meanwhile is made anew from nothing", async () => {
    const { disk, writer } = await memoryWorkspace({ "history.json": "base\n" });
    just(disk, "link", "/w/.memd/displaced/", async () => void (await disk.unlink(FILE)));
    await rewriteShared(writer, WORKSPACE, FILE, addOurs);
    expect(disk.files()[FILE]).toBe("ours\n");
    expect(kept(disk)).toEqual([]);
  });

  test("a file that goes away and is back at once is no fault of the disk", async () => {
    const { disk, writer } = await memoryWorkspace({ "history.json": "base\n" });
    just(disk, "link", "/w/.memd/displaced/", async () => {
      await disk.unlink(FILE);
      // Whatever memd does next on finding it gone, it is there again by then.
      disk.before((operation) => {
        if (operation === "stat" || operation === "unlink") disk.writeInPlace(FILE, "base\ntheirs\n");
      });
    });
    await rewriteShared(writer, WORKSPACE, FILE, addOurs);
    expect(disk.files()[FILE]).toBe("base\ntheirs\nours\n");
    expect(kept(disk)).toEqual([]);
  });

  test("a file that appears at the last moment is not overwritten", async () => {
    const { disk, writer } = await memoryWorkspace();
    just(disk, "link", FILE, () => disk.writeInPlace(FILE, "theirs\n"));
    await rewriteShared(writer, WORKSPACE, FILE, addOurs);
    expect(disk.files()[FILE]).toBe("theirs\nours\n");
    expect(kept(disk)).toEqual([]);
  });

  test("a file that never rests is left to its writer", async () => {
    const { disk, writer } = await memoryWorkspace({ "history.json": "0\n" });
    let round = 0;
    disk.before((operation, path) => {
      if (operation === "sync" && path.startsWith("/w/.history.json"))
        disk.writeInPlace(FILE, `${++round}\n`);
    });
    await expect(rewriteShared(writer, WORKSPACE, FILE, addOurs)).rejects.toMatchObject({
      code: "file_contended",
    });
    expect(disk.files()).toEqual({ [FILE]: `${round}\n` });
  });
});

describe("a rewrite that may not, or cannot, happen", () => {
  test("nothing to change touches nothing", async () => {
    const { disk, writer } = await memoryWorkspace({ "history.json": "ours\n" });
    expect(await rewriteShared(writer, WORKSPACE, FILE, addOurs)).toBeUndefined();
    expect(disk.files()).toEqual({ [FILE]: "ours\n" });
  });

  test("a lock that was lost means no rename", async () => {
    const { disk, writer } = await memoryWorkspace({ "history.json": "base\n" });
    const broken: Locks = {
      withLock: (_file, work) =>
        work({
          assertHeld: () => {
            throw new MemdError("lock_lost", "broken");
          },
        }),
    };
    const work = rewriteShared({ ...writer, locks: broken }, WORKSPACE, FILE, addOurs);
    await expect(work).rejects.toMatchObject({ code: "lock_lost" });
    expect(disk.files()).toEqual({ [FILE]: "base\n" });
  });

  test("nor does an owner that lost its workspace rename", async () => {
    const { disk, writer } = await memoryWorkspace({ "history.json": "base\n" });
    const lost = { ...writer, guard: () => Promise.reject(new MemdError("ownership_lost", "gone")) };
    await expect(rewriteShared(lost, WORKSPACE, FILE, addOurs)).rejects.toMatchObject({
      code: "ownership_lost",
    });
    expect(disk.files()).toEqual({ [FILE]: "base\n" });
  });

  test.each(["read", "create", "write", "sync", "link", "stat", "rename"] as const)(
    "a disk that fails at %s leaves the file as it was",
    async (operation) => {
      for (const [code, expected] of [
        ["ENOSPC", "disk_full"],
        ["EIO", "disk_fault"],
      ] as const) {
        const { disk, writer } = await memoryWorkspace({ "history.json": "base\n" });
        let failed = false;
        disk.before((at) => {
          if (failed || at !== operation) return;
          failed = true;
          throw errno(code);
        });
        await expect(rewriteShared(writer, WORKSPACE, FILE, addOurs)).rejects.toMatchObject({
          code: expected,
        });
        expect(disk.files()).toEqual({ [FILE]: "base\n" });
      }
    },
  );
});

describe("an editor that saves into the replaced file", () => {
  async function replaced(): Promise<{ disk: MemoryDisk; writer: FileWriter; old: string }> {
    const disk = memoryDisk(() => start);
    await disk.makeDir("/w");
    disk.writeInPlace(FILE, "base\n");
    await rewriteShared(pressOn(disk), WORKSPACE, FILE, addOurs);
    const [old = ""] = displacedIn(disk);
    return { disk, writer: pressOn(disk), old };
  }

  test("is heard, once, also by a process that was not there", async () => {
    const { disk, writer, old } = await replaced();
    expect(await lateSaves(writer, WORKSPACE, noneSeen(), start)).toEqual([]);
    disk.writeInPlace(old, "base\nlate\n");
    const seen: SeenSaves = noneSeen();
    const saves = await lateSaves(writer, WORKSPACE, seen, start);
    expect(saves.map(({ file, bytes }) => [file, text(bytes)])).toEqual([["history.json", "base\nlate\n"]]);
    expect(await lateSaves(writer, WORKSPACE, seen, later(start, 1000))).toEqual([]);
    expect(await lateSaves(writer, WORKSPACE, noneSeen(), later(start, 1000))).toHaveLength(1);
  });

  test("is heard a last time before the file is let go, though its time says nothing", async () => {
    const { disk, writer, old } = await replaced();
    const seen: SeenSaves = noneSeen();
    expect(await lateSaves(writer, WORKSPACE, seen, start)).toEqual([]);
    disk.writeInPlace(old, "base\nsame tick\n");
    const saves = await lateSaves(writer, WORKSPACE, seen, later(start, MINUTE_MS + 1));
    expect(saves.map(({ bytes }) => text(bytes))).toEqual(["base\nsame tick\n"]);
    expect(disk.files()).toEqual({ [FILE]: "base\nours\n" });
    expect(seen.files.size).toBe(0);
  });

  test("a file that nobody saved into is let go after a minute, or when the clock was put back", async () => {
    for (const now of [later(start, MINUTE_MS + 1), later(start, -1)]) {
      const { disk, writer } = await replaced();
      const seen: SeenSaves = noneSeen();
      await lateSaves(writer, WORKSPACE, seen, start);
      expect(await lateSaves(writer, WORKSPACE, seen, now)).toEqual([]);
      expect(disk.files()).toEqual({ [FILE]: "base\nours\n" });
    }
  });

  test("other files in the folder are left alone", async () => {
    const { disk, writer } = await memoryWorkspace({ ".memd/displaced/note.txt": "x" });
    expect(await lateSaves(writer, WORKSPACE, noneSeen(), start)).toEqual([]);
    expect(disk.files()).toEqual({ "/w/.memd/displaced/note.txt": "x" });
  });

  test("all this holds on the real disk, with an editor that has the file open", async () => {
    const root = tempDir();
    const writer = { ...pressOn(nodeDisk), locks: fileLocks };
    await publish(writer, `${root}/history.json`, "base\n");
    const editor = fs.openSync(`${root}/history.json`, "r+");
    await rewriteShared(writer, { root }, `${root}/history.json`, addOurs);
    fs.writeSync(editor, "late\n");
    fs.closeSync(editor);
    const saves = await lateSaves(writer, { root }, noneSeen(), epochMs(Date.now()));
    expect(saves.map(({ file, bytes }) => [file, text(bytes)])).toEqual([["history.json", "late\n"]]);
    expect(fs.readFileSync(`${root}/history.json`, "utf8")).toBe("base\nours\n");
    expect(fs.readdirSync(root).sort()).toEqual([".memd", "history.json"]);
  });
});

test("two rewrites at once both count", async () => {
  const { disk, writer } = await memoryWorkspace({ "history.json": "" });
  const add =
    (line: string): Change =>
    async (present) =>
      new TextEncoder().encode(`${text(present)}${line}\n`);
  await Promise.all(["a", "b", "c"].map((line) => rewriteShared(writer, WORKSPACE, FILE, add(line))));
  expect((disk.files()[FILE] ?? "").split("\n").sort()).toEqual(["", "a", "b", "c"]);
});
