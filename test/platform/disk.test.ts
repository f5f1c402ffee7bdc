import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { diskError, type Disk } from "../../src/platform/disk.js";
import { diskBelow, nodeDisk } from "../../src/platform/node-disk.js";
import { overlayDisk } from "../../src/platform/overlay-disk.js";
import { errno } from "../support/writer.js";
import { tempDir } from "../support/temp-dir.js";
import { diskConformance } from "./disk-conformance.js";
import { memoryDisk, type DiskOperation } from "../support/memory-disk.js";

describe("the real disk", () => diskConformance(() => ({ disk: nodeDisk, root: tempDir() })));

describe("the real disk below a folder", () => {
  diskConformance(() => {
    const root = tempDir();
    return { disk: diskBelow(root), root };
  });

  test("makes no folder where that one is gone, nor what it would have stood in", async () => {
    const root = `${tempDir()}/ws`;
    fs.mkdirSync(`${root}/memory`, { recursive: true });
    const disk = diskBelow(root);
    await disk.makeDir(`${root}/memory/archive`);
    fs.renameSync(root, `${root}-moved`);
    for (const dir of [root, `${root}/memory`, `${root}/memory/archive/2026-03`])
      await expect(disk.makeDir(dir)).rejects.toMatchObject({ code: "workspace_moved" });
    expect(fs.existsSync(root)).toBe(false);
    // Whatever begins with the same letters is another folder.
    await disk.makeDir(`${root}-moved/queue`);
    expect(fs.existsSync(`${root}-moved/queue`)).toBe(true);
  });
});

describe("a disk that is written in memory", () => {
  const over = (): { disk: Disk; root: string } => ({ disk: overlayDisk(nodeDisk), root: tempDir() });

  describe("keeps what every disk promises", () => diskConformance(over));

  test("reads what stands below, and changes nothing of it", async () => {
    const { disk, root } = over();
    const write = async (name: string, text: string): Promise<void> => {
      const file = await disk.openAppend(`${root}/${name}`);
      await file.write(new TextEncoder().encode(text));
      await file.close();
    };
    for (const name of ["read", "appended", "replaced", "renamed", "linked", "removed"])
      fs.writeFileSync(`${root}/${name}`, name);
    fs.mkdirSync(`${root}/empty`);
    const standing = (): string[] =>
      fs.readdirSync(root).map((name) => {
        const { ino, ctimeMs } = fs.statSync(`${root}/${name}`);
        return `${name} ${ino} ${ctimeMs}`;
      });
    const before = standing();

    await write("appended", ", and more");
    await write("new", "new");
    await disk.replaceDerived(`${root}/replaced`, new TextEncoder().encode("other"));
    await disk.rename(`${root}/renamed`, `${root}/named`);
    expect(await disk.link(`${root}/linked`, `${root}/linked-2`)).toBe(true);
    await write("linked-2", " twice");
    expect([await disk.unlink(`${root}/removed`), await disk.unlink(`${root}/removed`)]).toEqual([
      true,
      false,
    ]);
    expect(await disk.removeDir(`${root}/empty`)).toBe(true);
    await disk.makeDir(`${root}/deep/er`);
    expect(await disk.create(`${root}/read`)).toBeUndefined();

    const shown = (await disk.list(root)).map(async ({ name, kind }) => {
      const bytes = kind === "file" ? await disk.read(`${root}/${name}`) : undefined;
      return [name, bytes === undefined ? kind : new TextDecoder().decode(bytes)];
    });
    expect(Object.fromEntries(await Promise.all(shown))).toEqual({
      appended: "appended, and more",
      deep: "dir",
      linked: "linked twice",
      "linked-2": "linked twice",
      named: "renamed",
      new: "new",
      read: "read",
      replaced: "other",
    });
    expect(standing()).toEqual(before);
  });
});

describe("the disk in memory", () =>
  diskConformance(async () => {
    const disk = memoryDisk();
    await disk.makeDir("/root");
    return { disk, root: "/root" };
  }));

describe("links on the real disk", () => {
  test("are not followed: a file that is one cannot be read, appended to, or written through", async () => {
    const root = tempDir();
    const outside = tempDir();
    fs.writeFileSync(`${outside}/secret`, "secret");
    fs.symlinkSync(`${outside}/secret`, `${root}/link`);
    fs.symlinkSync(`${outside}/nothing`, `${root}/dangling`);
    const bytes = new TextEncoder().encode("mine");
    for (const name of ["link", "dangling"]) {
      const file = `${root}/${name}`;
      await expect(nodeDisk.read(file)).rejects.toMatchObject({ code: "disk_fault" });
      await expect(nodeDisk.readFrom(file, 1)).rejects.toMatchObject({ code: "disk_fault" });
      await expect(nodeDisk.openAppend(file)).rejects.toMatchObject({ code: "disk_fault" });
      await expect(nodeDisk.replaceDerived(file, bytes)).rejects.toMatchObject({ code: "disk_fault" });
      expect(await nodeDisk.create(file)).toBeUndefined();
      expect((await nodeDisk.stat(file))?.kind).toBe("other");
    }
    expect((await nodeDisk.list(root)).map(({ kind }) => kind)).toEqual(["other", "other"]);
    expect(fs.readdirSync(outside)).toEqual(["secret"]);
    expect(fs.readFileSync(`${outside}/secret`, "utf8")).toBe("secret");
  });

  test("a rename replaces the link, not what it leads to; unlink removes the link", async () => {
    const root = tempDir();
    for (const name of ["one", "two", "new"]) fs.writeFileSync(`${root}/${name}`, name);
    fs.symlinkSync(`${root}/one`, `${root}/link`);
    fs.symlinkSync(`${root}/two`, `${root}/other`);
    await nodeDisk.rename(`${root}/new`, `${root}/link`);
    expect(await nodeDisk.unlink(`${root}/other`)).toBe(true);
    expect(fs.readFileSync(`${root}/one`, "utf8")).toBe("one");
    expect(fs.readFileSync(`${root}/two`, "utf8")).toBe("two");
    expect(fs.readFileSync(`${root}/link`, "utf8")).toBe("new");
  });

  test("a pipe where a file should be is refused, and nobody waits for it", async () => {
    const root = tempDir();
    execFileSync("mkfifo", [`${root}/pipe`]);
    await expect(nodeDisk.read(`${root}/pipe`)).rejects.toMatchObject({ code: "disk_fault" });
    await expect(nodeDisk.openAppend(`${root}/pipe`)).rejects.toMatchObject({ code: "disk_fault" });
    expect((await nodeDisk.stat(`${root}/pipe`))?.kind).toBe("other");
  });
});

test("a failure closes what was opened", async () => {
  const root = tempDir();
  fs.mkdirSync(`${root}/dir`);
  const open = (): number => fs.readdirSync("/proc/self/fd").length;
  const before = open();
  for (let n = 0; n < 50; n++) {
    await nodeDisk.read(`${root}/dir`).catch(() => undefined);
    await nodeDisk.readFrom(`${root}/dir`, 1).catch(() => undefined);
    await nodeDisk.create(`${root}/dir`).catch(() => undefined);
    await nodeDisk.syncDir(`${root}/none`).catch(() => undefined);
    await nodeDisk.makeDir(`${root}/dir`);
  }
  expect(open() - before).toBeLessThan(10);
});

test.skipIf(process.getuid?.() === 0)("a folder without rights is denied, not a fault", async () => {
  const root = tempDir();
  fs.mkdirSync(`${root}/locked`, { mode: 0o500 });
  await expect(nodeDisk.create(`${root}/locked/file`)).rejects.toMatchObject({ code: "disk_denied" });
});

test.each([
  ["ENOSPC", "disk_full"],
  ["EDQUOT", "disk_full"],
  ["EACCES", "disk_denied"],
  ["EPERM", "disk_denied"],
  ["EROFS", "disk_denied"],
  ["EIO", "disk_fault"],
  ["EMFILE", "disk_fault"],
])("%s is a %s", (code, expected) => {
  const error = diskError(errno(code), "write", "/w/file");
  expect(error).toMatchObject({ code: expected, cause: { code } });
  expect(error.message).toContain("/w/file");
  expect(diskError(error, "read", "/other")).toBe(error);
});

test("the disk in memory lets a test fail any operation", async () => {
  const disk = memoryDisk();
  await disk.makeDir("/w");
  const file = await disk.openAppend("/w/file");
  const seen = new Set<DiskOperation>();
  disk.before((operation) => {
    seen.add(operation);
    throw errno("EIO");
  });
  const bytes = new Uint8Array();
  const operations = [
    disk.read("/w/file"),
    disk.readFrom("/w/file", 0),
    disk.stat("/w/file"),
    disk.list("/w"),
    disk.makeDir("/w/x"),
    disk.create("/w/x"),
    disk.openAppend("/w/file"),
    disk.rename("/w/file", "/w/x"),
    disk.link("/w/file", "/w/x"),
    disk.unlink("/w/file"),
    disk.removeDir("/w"),
    disk.syncDir("/w"),
    disk.syncFile("/w/file"),
    disk.replaceDerived("/w/file", bytes),
    disk.realPath("/w/file"),
    file.write(bytes),
    file.sync(),
    file.datasync(),
    file.truncate(0),
    file.close(),
  ];
  for (const operation of await Promise.allSettled(operations)) {
    expect(operation).toMatchObject({ status: "rejected", reason: { code: "disk_fault" } });
  }
  expect(seen.size).toBe(operations.length);
  expect(disk.files()).toEqual({ "/w/file": "" });
});
