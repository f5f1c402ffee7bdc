/** What every disk promises, whatever it is made of. */
import { describe, expect, test } from "vitest";
import { isMemdError } from "../../src/model/errors.js";
import type { Disk } from "../../src/platform/disk.js";
import { contentHash } from "../../src/platform/files.js";

export interface DiskUnderTest {
  disk: Disk;
  /** An empty folder. */
  root: string;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (found: Uint8Array | undefined): string | undefined =>
  found === undefined ? undefined : new TextDecoder().decode(found);

export function diskConformance(start: () => DiskUnderTest | Promise<DiskUnderTest>): void {
  async function put(disk: Disk, path: string, content: string): Promise<void> {
    const file = await disk.openAppend(path);
    await file.write(bytes(content));
    await file.close();
  }

  async function codeOf(work: Promise<unknown>): Promise<string> {
    const error: unknown = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return isMemdError(error) ? error.code : `no MemdError: ${String(error)}`;
  }

  describe("what is not there", () => {
    test("is a value, not an error", async () => {
      const { disk, root } = await start();
      expect(await disk.read(`${root}/x`)).toBeUndefined();
      expect(await disk.readFrom(`${root}/x`, 3)).toBeUndefined();
      expect(await disk.hash(`${root}/x`)).toBeUndefined();
      expect(await disk.stat(`${root}/x`)).toBeUndefined();
      expect(await disk.list(`${root}/x`)).toEqual([]);
      expect(await disk.unlink(`${root}/x`)).toBe(false);
      expect(await disk.removeDir(`${root}/x`)).toBe(false);
      expect(await disk.realPath(`${root}/x`)).toBeUndefined();
    });

    test("has a hash once it is there: that of what it holds, however long", async () => {
      const { disk, root } = await start();
      for (const length of [0, 5, 1024 * 1024, 2_500_000]) {
        const content = "日a".repeat(length).slice(0, length);
        await put(disk, `${root}/${length}`, content);
        expect(await disk.hash(`${root}/${length}`)).toBe(contentHash(content));
      }
      await disk.makeDir(`${root}/dir`);
      expect(await codeOf(disk.hash(`${root}/dir`))).toBe("disk_fault");
    });

    test("under a file is not there either", async () => {
      const { disk, root } = await start();
      await put(disk, `${root}/file`, "x");
      expect(await disk.read(`${root}/file/below`)).toBeUndefined();
      expect(await disk.stat(`${root}/file/below`)).toBeUndefined();
      expect(await disk.list(`${root}/file`)).toEqual([]);
    });

    test("cannot be renamed, linked, synced, nor hold a new file", async () => {
      const { disk, root } = await start();
      expect(await codeOf(disk.rename(`${root}/x`, `${root}/y`))).toBe("disk_fault");
      expect(await codeOf(disk.link(`${root}/x`, `${root}/y`))).toBe("disk_fault");
      expect(await codeOf(disk.syncDir(`${root}/x`))).toBe("disk_fault");
      expect(await codeOf(disk.syncFile(`${root}/x`))).toBe("disk_fault");
      expect(await codeOf(disk.create(`${root}/x/y`))).toBe("disk_fault");
      expect(await codeOf(disk.openAppend(`${root}/x/y`))).toBe("disk_fault");
      expect(await codeOf(disk.replaceDerived(`${root}/x/y`, bytes("x")))).toBe("disk_fault");
      expect(await disk.list(root)).toEqual([]);
    });
  });

  describe("files", () => {
    test("a new one is made once, for its maker alone, and takes all its bytes", async () => {
      const { disk, root } = await start();
      const file = await disk.create(`${root}/new`);
      await file?.write(bytes("one "));
      await file?.write(bytes("好"));
      await file?.sync();
      await file?.datasync();
      expect(await file?.stat()).toMatchObject({ kind: "file", size: 7 });
      await file?.close();
      expect(await disk.create(`${root}/new`)).toBeUndefined();
      expect(text(await disk.read(`${root}/new`))).toBe("one 好");
      const stat = await disk.stat(`${root}/new`);
      expect((stat?.mode ?? 0) & 0o777).toBe(0o600);
      expect(stat).toMatchObject({ kind: "file", size: 7 });
    });

    test("what is cut back goes on from there", async () => {
      const { disk, root } = await start();
      const file = await disk.openAppend(`${root}/new`);
      await file.write(bytes("one two"));
      await file.truncate(4);
      await file.write(bytes("three"));
      await file.close();
      expect(text(await disk.read(`${root}/new`))).toBe("one three");
    });

    test("appending adds at the end, and makes the file where there is none", async () => {
      const { disk, root } = await start();
      await put(disk, `${root}/log`, "one\n");
      await put(disk, `${root}/log`, "two\n");
      expect(text(await disk.read(`${root}/log`))).toBe("one\ntwo\n");
      expect(((await disk.stat(`${root}/log`))?.mode ?? 0) & 0o777).toBe(0o600);
    });

    test("can be read from anywhere on, also from beyond the end", async () => {
      const { disk, root } = await start();
      await put(disk, `${root}/file`, "0123456789");
      expect(text(await disk.readFrom(`${root}/file`, 0))).toBe("0123456789");
      expect(text(await disk.readFrom(`${root}/file`, 7))).toBe("789");
      expect(text(await disk.readFrom(`${root}/file`, 10))).toBe("");
      expect(text(await disk.readFrom(`${root}/file`, 99))).toBe("");
    });

    test("what was read does not change with the file", async () => {
      const { disk, root } = await start();
      await put(disk, `${root}/file`, "before");
      const found = await disk.read(`${root}/file`);
      await put(disk, `${root}/file`, " and after");
      expect(text(found)).toBe("before");
    });

    test("a large one comes back whole", async () => {
      const { disk, root } = await start();
      const large = new Uint8Array(3_000_000).map((_byte, at) => at % 251);
      const file = await disk.create(`${root}/large`);
      await file?.write(large);
      await file?.close();
      const found = await disk.read(`${root}/large`);
      expect(found !== undefined && Buffer.compare(found, large)).toBe(0);
    });

    test("a rename replaces what stood there, and the old content lives on for who has it open", async () => {
      const { disk, root } = await start();
      await put(disk, `${root}/old`, "old");
      await put(disk, `${root}/new`, "new");
      const open = await disk.openAppend(`${root}/old`);
      const kept = await disk.link(`${root}/old`, `${root}/kept`);
      await disk.rename(`${root}/new`, `${root}/old`);
      await open.write(bytes(" late"));
      await open.close();
      expect(kept).toBe(true);
      expect(text(await disk.read(`${root}/old`))).toBe("new");
      expect(text(await disk.read(`${root}/kept`))).toBe("old late");
      expect(await disk.stat(`${root}/new`)).toBeUndefined();
    });

    test("a link never overwrites, and both names are one file", async () => {
      const { disk, root } = await start();
      await put(disk, `${root}/one`, "one");
      await put(disk, `${root}/taken`, "taken");
      expect(await disk.link(`${root}/one`, `${root}/taken`)).toBe(false);
      expect(await disk.link(`${root}/one`, `${root}/second`)).toBe(true);
      expect(text(await disk.read(`${root}/taken`))).toBe("taken");
      const [one, second] = [await disk.stat(`${root}/one`), await disk.stat(`${root}/second`)];
      expect([one?.ino, one?.dev]).toEqual([second?.ino, second?.dev]);
      await disk.rename(`${root}/one`, `${root}/second`);
      expect(text(await disk.read(`${root}/one`))).toBe("one");
      expect(await disk.unlink(`${root}/one`)).toBe(true);
      expect(text(await disk.read(`${root}/second`))).toBe("one");
    });

    test("what can be made again is replaced whole, for its maker alone", async () => {
      const { disk, root } = await start();
      await disk.replaceDerived(`${root}/prompt`, bytes("one, and a long tail"));
      const before = await disk.stat(`${root}/prompt`);
      await disk.replaceDerived(`${root}/prompt`, bytes("two"));
      const after = await disk.stat(`${root}/prompt`);
      await disk.syncFile(`${root}/prompt`);
      expect(text(await disk.read(`${root}/prompt`))).toBe("two");
      expect(after?.ino).not.toBe(before?.ino);
      expect((after?.mode ?? 0) & 0o777).toBe(0o600);
      expect(await disk.list(root)).toHaveLength(1);
    });
  });

  describe("folders", () => {
    test("are made with their parents, for their maker alone, and made again without harm", async () => {
      const { disk, root } = await start();
      await disk.makeDir(`${root}/a/b/c`);
      await put(disk, `${root}/a/b/file`, "x");
      await disk.makeDir(`${root}/a/b/c`);
      for (const dir of ["a", "a/b", "a/b/c"]) {
        const stat = await disk.stat(`${root}/${dir}`);
        expect(stat?.kind).toBe("dir");
        expect((stat?.mode ?? 0) & 0o777).toBe(0o700);
      }
      expect(text(await disk.read(`${root}/a/b/file`))).toBe("x");
      await disk.syncDir(`${root}/a/b`);
    });

    test("list as many as are enough, and no folder that is not there", async () => {
      const { disk, root } = await start();
      for (const name of ["a", "b", "c"]) await disk.makeDir(`${root}/many/${name}`);
      const names = (await disk.list(`${root}/many`, 2)).map(({ name }) => name);
      expect(names.length).toBeGreaterThanOrEqual(2);
      expect(names).toEqual([...names].sort());
      expect(await disk.list(`${root}/many`, 9)).toHaveLength(3);
      expect(await disk.list(`${root}/none`, 2)).toEqual([]);
    });

    test("list what is directly in them, sorted, with its kind", async () => {
      const { disk, root } = await start();
      for (const name of ["b", "a", "c.md", "B", "10", "9", "é"]) await put(disk, `${root}/${name}`, "");
      await disk.makeDir(`${root}/dir/deep`);
      await put(disk, `${root}/dir/deep/file`, "");
      const entries = await disk.list(root);
      expect(entries.map(({ name }) => name)).toEqual(["10", "9", "B", "a", "b", "c.md", "dir", "é"]);
      expect(entries.find(({ name }) => name === "dir")).toEqual({ name: "dir", kind: "dir" });
      expect(entries.find(({ name }) => name === "a")).toEqual({ name: "a", kind: "file" });
    });

    test("go only when they are empty", async () => {
      const { disk, root } = await start();
      await disk.makeDir(`${root}/dir`);
      await put(disk, `${root}/dir/file`, "x");
      expect(await disk.removeDir(`${root}/dir`)).toBe(false);
      expect(await disk.unlink(`${root}/dir/file`)).toBe(true);
      expect(await disk.removeDir(`${root}/dir`)).toBe(true);
      expect(await disk.stat(`${root}/dir`)).toBeUndefined();
      await disk.makeDir(`${root}/dir`);
      expect((await disk.stat(`${root}/dir`))?.kind).toBe("dir");
    });

    test("are no files, and files no folders", async () => {
      const { disk, root } = await start();
      await disk.makeDir(`${root}/dir`);
      await put(disk, `${root}/file`, "x");
      expect(await codeOf(disk.read(`${root}/dir`))).toBe("disk_fault");
      expect(await codeOf(disk.openAppend(`${root}/dir`))).toBe("disk_fault");
      expect(await codeOf(disk.rename(`${root}/file`, `${root}/dir`))).toBe("disk_fault");
      expect(await codeOf(disk.replaceDerived(`${root}/dir`, bytes("x")))).toBe("disk_fault");
      expect(await codeOf(disk.makeDir(`${root}/file/below`))).toBe("disk_fault");
      expect(await codeOf(disk.removeDir(`${root}/file`))).toBe("disk_fault");
      expect(await disk.create(`${root}/dir`)).toBeUndefined();
      expect(text(await disk.read(`${root}/file`))).toBe("x");
    });

    test("are their own real path", async () => {
      const { disk, root } = await start();
      expect(await disk.realPath(root)).toBe(root);
    });
  });
}
