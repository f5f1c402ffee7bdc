import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { epochMs } from "../../src/model/time.js";
import { nodeDisk, ownerless } from "../../src/platform/node-disk.js";
import { publishFolder, sweepTempFolders } from "../../src/protocol/publish-folder.js";
import { tempDir } from "../support/temp-dir.js";

const fill = (temp: string): void => {
  fs.mkdirSync(path.join(temp, "a", "b"), { recursive: true });
  fs.writeFileSync(path.join(temp, "a", "b", "c"), "c");
};

test("a folder stands whole, also where an empty one stood", async () => {
  const dir = tempDir();
  for (const name of ["absent", "empty"]) {
    const folder = path.join(dir, name);
    if (name === "empty") fs.mkdirSync(folder);
    await publishFolder(ownerless, folder, async (temp) => {
      fill(temp);
      expect(fs.existsSync(path.join(folder, "a"))).toBe(false);
    });
    expect(fs.readFileSync(path.join(folder, "a", "b", "c"), "utf8")).toBe("c");
  }
  expect(fs.readdirSync(dir).sort()).toEqual(["absent", "empty"]);
});

test("one that cannot be filled, or whose place was taken meanwhile, leaves nothing", async () => {
  const dir = tempDir();
  const failing = publishFolder(ownerless, path.join(dir, "left"), async (temp) => {
    fill(temp);
    throw new Error("no room");
  });
  await expect(failing).rejects.toThrow("no room");
  expect(fs.readdirSync(dir)).toEqual([]);
  const taken = publishFolder(ownerless, path.join(dir, "left"), async (temp) => {
    fill(temp);
    fs.mkdirSync(path.join(dir, "left"));
    fs.writeFileSync(path.join(dir, "left", "mine"), "mine");
  });
  await expect(taken).rejects.toThrow();
  expect(fs.readdirSync(dir, { recursive: true }).sort()).toEqual(["left", "left/mine"]);
});

test("what a killed process has left of it goes once it is old, and nobody else's", async () => {
  const dir = tempDir();
  const [own, other] = [".left.abcdefgh.tmp", ".right.abcdefgh.tmp"].map((name) => path.join(dir, name));
  for (const folder of [own, other]) fill(folder ?? "");
  const changed = fs.statSync(own ?? "").mtimeMs;
  await sweepTempFolders(nodeDisk, path.join(dir, "left"), epochMs(changed));
  expect(fs.readdirSync(dir)).toHaveLength(2);
  await sweepTempFolders(nodeDisk, path.join(dir, "left"), epochMs(changed + 2 * 3_600_000));
  expect(fs.readdirSync(dir)).toEqual([".right.abcdefgh.tmp"]);
});
