import path from "node:path";
import { expect, test } from "vitest";
import { nodeDisk } from "../../src/platform/node-disk.js";
import { notingDisk } from "../../src/platform/noting-disk.js";
import { tempDir } from "../support/temp-dir.js";

test("every file that is written, named or removed is told of, and none that is only read or refused", async () => {
  const dir = tempDir();
  const at = (name: string): string => path.join(dir, name);
  const noted: string[] = [];
  const told = (): string[] => noted.splice(0).map((file) => path.basename(file));
  const disk = notingDisk(nodeDisk, (file) => noted.push(file));

  const out = await disk.openAppend(at("a"));
  await out.write(Buffer.from("one\n"));
  expect(told()).toEqual([]);
  await out.close();
  expect(told()).toEqual(["a"]);
  await disk.link(at("a"), at("b"));
  expect(told()).toEqual(["b"]);
  expect(await disk.link(at("a"), at("b"))).toBe(false);
  await disk.read(at("a"));
  await disk.list(dir);
  expect(await disk.unlink(at("none"))).toBe(false);
  expect(told()).toEqual([]);
  await disk.rename(at("b"), at("c"));
  expect(told()).toEqual(["c", "b"]);
  await disk.replaceDerived(at("d"), Buffer.from("x"));
  await disk.unlink(at("c"));
  expect(told()).toEqual(["d", "c"]);
});
