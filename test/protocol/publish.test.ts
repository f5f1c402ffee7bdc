import { describe, expect, test } from "vitest";
import { MemdError } from "../../src/model/errors.js";
import type { Disk } from "../../src/platform/disk.js";
import { nodeDisk } from "../../src/platform/node-disk.js";
import {
  publish,
  publishDerived,
  publishNew,
  publishOver,
  readText,
  sweepTemps,
} from "../../src/protocol/publish.js";
import { errno, failOnce, memoryWorkspace, pressOn } from "../support/writer.js";
import { tempDir } from "../support/temp-dir.js";
import { memoryDisk, type DiskOperation } from "../support/memory-disk.js";

const disks: [string, () => { disk: Disk; root: string }][] = [
  ["a disk in memory", () => ({ disk: memoryDisk(), root: "/w" })],
  ["the real disk", () => ({ disk: nodeDisk, root: tempDir() })],
];

describe.each(disks)("on %s", (_name, start) => {
  test("publishing makes the file with its folders, and replaces it whole", async () => {
    const { disk, root } = start();
    await publish(pressOn(disk), `${root}/a/b/file`, "one, and a long tail");
    await publish(pressOn(disk), `${root}/a/b/file`, "two");
    expect(await readText(disk, `${root}/a/b/file`)).toBe("two");
    expect(await disk.list(`${root}/a/b`)).toEqual([{ name: "file", kind: "file" }]);
  });

  test("what is new never overwrites", async () => {
    const { disk, root } = start();
    expect(await publishNew(pressOn(disk), `${root}/drop`, "mine")).toBe(true);
    expect(await publishNew(pressOn(disk), `${root}/drop`, "yours")).toBe(false);
    expect(await readText(disk, `${root}/drop`)).toBe("mine");
    expect(await disk.list(root)).toHaveLength(1);
  });

  test("a folder that somebody removes is made again", async () => {
    const { disk, root } = start();
    const writer = pressOn(disk);
    for (const text of ["one", "two"]) {
      expect(await publishNew(writer, `${root}/new/file`, text)).toBe(true);
      await publish(writer, `${root}/new/other`, text);
      await disk.unlink(`${root}/new/file`);
      expect(await readText(disk, `${root}/new/other`)).toBe(text);
      await disk.unlink(`${root}/new/other`);
      expect(await disk.removeDir(`${root}/new`)).toBe(true);
    }
  });

  test("a folder is seen to once, not at every publication", async () => {
    const disk = memoryDisk();
    const made: string[] = [];
    disk.before((operation, path) => void (operation === "makeDir" && made.push(path)));
    for (const name of ["a", "b", "c"]) await publishNew(pressOn(disk), `/w/new/${name}`, "x");
    expect(made).toEqual(["/w/new"]);
  });

  test("a file that a person changed meanwhile is left alone", async () => {
    const { disk, root } = start();
    const writer = pressOn(disk);
    const file = `${root}/day.md`;
    expect(await publishOver(writer, file, "first", undefined)).toBe(true);
    expect(await publishOver(writer, file, "nothing", undefined)).toBe(false);
    expect(await publishOver(writer, file, "second", "first")).toBe(true);
    expect(await publishOver(writer, file, "third", "first")).toBe(false);
    expect(await readText(disk, file)).toBe("second");
    expect(await publishOver(writer, `${root}/gone.md`, "x", "was there")).toBe(false);
    await publish(writer, file, new Uint8Array([0xff]));
    expect(await publishOver(writer, file, "fourth", "second")).toBe(false);
    expect(await disk.list(root)).toEqual([{ name: "day.md", kind: "file" }]);
  });

  test("what a killed process left unfinished is swept, and nothing else", async () => {
    const { disk, root } = start();
    const writer = pressOn(disk);
    const keep = [".hidden", "a.tmp", ".a.short.tmp", "memory.md.1700000000", "prompt.md.bak", "prompt.md"];
    for (const name of [...keep, ".day.md.abcd1234.tmp", "prompt.md.1234567890", "state.json.77"]) {
      await publish(writer, `${root}/${name}`, "x");
    }
    await disk.makeDir(`${root}/.dir.abcd1234.tmp`);
    await sweepTemps(disk, root);
    const left = (await disk.list(root)).map(({ name }) => name);
    expect(left).toEqual([...keep, ".dir.abcd1234.tmp"].sort());
    await sweepTemps(disk, `${root}/nowhere`);
  });
});

const OPERATIONS: DiskOperation[] = [
  "makeDir",
  "create",
  "write",
  "sync",
  "close",
  "rename",
  "link",
  "syncDir",
  "read",
];
const CODES = [
  ["ENOSPC", "disk_full"],
  ["EDQUOT", "disk_full"],
  ["EIO", "disk_fault"],
  ["EACCES", "disk_denied"],
] as const;

describe.each(CODES)("when an operation fails with %s", (code, expected) => {
  test.each(OPERATIONS)(
    "%s: an error of the right code, the old content or the new, no leftovers",
    async (operation) => {
      for (const how of ["publish", "publishNew", "publishOver"] as const) {
        const { disk, writer } = await memoryWorkspace({ "old.md": "old" });
        let met = 0;
        disk.before((at) => {
          if (at !== operation || met++ > 0) return;
          throw errno(code);
        });
        const work =
          how === "publish"
            ? publish(writer, "/w/old.md", "new")
            : how === "publishNew"
              ? publishNew(writer, "/w/new.md", "new")
              : publishOver(writer, "/w/old.md", "new", "old");
        const error = await work.then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        disk.before(() => undefined);
        expect(error === undefined, `${how}, ${operation}`).toBe(met === 0);
        if (error === undefined) continue;
        expect(error).toBeInstanceOf(MemdError);
        expect(error).toMatchObject({ code: expected });
        // Only where the name stood already may the new content stand: it was not acknowledged.
        const standing = operation === "syncDir" ? "new" : how === "publishNew" ? undefined : "old";
        const file = how === "publishNew" ? "/w/new.md" : "/w/old.md";
        expect(await readText(disk, file), `${how}, ${operation}`).toBe(standing);
        expect((await disk.list("/w")).filter(({ name }) => name.endsWith(".tmp"))).toEqual([]);
      }
    },
  );
});

test("an owner that lost its workspace publishes nothing and leaves nothing", async () => {
  const { disk, writer } = await memoryWorkspace({ "old.md": "old" });
  const lost = { ...writer, guard: () => Promise.reject(new MemdError("ownership_lost", "gone")) };
  await expect(publish(lost, "/w/old.md", "new")).rejects.toMatchObject({ code: "ownership_lost" });
  await expect(publishNew(lost, "/w/new.md", "new")).rejects.toMatchObject({ code: "ownership_lost" });
  await expect(publishOver(lost, "/w/old.md", "new", "old")).rejects.toMatchObject({
    code: "ownership_lost",
  });
  await expect(publishDerived(lost, "/w/prompt.md", "new")).rejects.toMatchObject({
    code: "ownership_lost",
  });
  expect(disk.files()).toEqual({ "/w/old.md": "old" });
});

test("the order is: write, fsync, rename, fsync of the folder", async () => {
  const { disk, writer } = await memoryWorkspace();
  const steps: string[] = [];
  disk.before((operation) => void steps.push(operation));
  await publish(writer, "/w/file", "x");
  expect(steps).toEqual(["makeDir", "create", "write", "sync", "close", "rename", "syncDir"]);
  steps.length = 0;
  await publishNew(writer, "/w/new", "x");
  expect(steps).toEqual(["create", "write", "sync", "close", "link", "unlink", "syncDir"]);
});

test("a failed fsync is not tried again on the same descriptor", async () => {
  const { disk, writer } = await memoryWorkspace();
  const steps: string[] = [];
  disk.before((operation) => {
    steps.push(operation);
    if (operation === "sync") throw errno("EIO");
  });
  await expect(publish(writer, "/w/file", "x")).rejects.toMatchObject({ code: "disk_fault" });
  expect(steps.filter((step) => step === "sync")).toHaveLength(1);
  expect(disk.files()).toEqual({});
});

test("a published file whose second name cannot be removed counts as published", async () => {
  const { disk, writer } = await memoryWorkspace();
  failOnce(disk, "unlink", "EIO");
  expect(await publishNew(writer, "/w/new", "x")).toBe(true);
  expect(await readText(disk, "/w/new")).toBe("x");
});

test("bytes that are no text are no text", async () => {
  const { disk, writer } = await memoryWorkspace();
  await publish(writer, "/w/file", new Uint8Array([0x68, 0xc3, 0x28]));
  await expect(readText(disk, "/w/file")).rejects.toThrow(SyntaxError);
  await publish(writer, "/w/file", "\ufeffwith a mark");
  expect(await readText(disk, "/w/file")).toBe("\ufeffwith a mark");
  expect(await readText(disk, "/w/nothing")).toBeUndefined();
});
