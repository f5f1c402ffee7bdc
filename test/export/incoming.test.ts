/** An archive is made by anybody: what leads out of it, or is of no use but to do harm, is refused whole. */
import fs from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import zlib from "node:zlib";
import tar from "tar-stream";
import { describe, expect, test } from "vitest";
import { ownedFiles } from "../../src/export/copy.js";
import { isIncoming, openIncoming } from "../../src/export/incoming.js";
import { nodeDisk } from "../../src/platform/node-disk.js";
import { tarGzOf } from "../../src/platform/tar.js";
import { tempDir } from "../support/temp-dir.js";

const MARK = { name: "left/workspace.json", text: '{"format":1,"id":"x"}' };

type Entry = tar.Headers & { text?: string };

async function archive(dir: string, entries: readonly Entry[]): Promise<string> {
  const file = path.join(dir, "left.tar.gz");
  const pack = tar.pack();
  for (const { text = "", ...header } of entries) pack.entry(header, text);
  pack.finalize();
  await pipeline(pack, zlib.createGzip(), fs.createWriteStream(file));
  return file;
}

/** What it is refused with; beside the archive and the folder for its files nothing stands afterwards. */
async function refusal(dir: string, file: string): Promise<string> {
  const temp = fs.mkdtempSync(path.join(dir, "in-"));
  const failed = await openIncoming(nodeDisk, file, path.join(temp, "files")).then(
    () => "taken",
    (error: unknown) => String(error),
  );
  expect(fs.readdirSync(dir).filter((name) => !name.startsWith("in-"))).toEqual([path.basename(file)]);
  return failed;
}

describe("refused, with nothing written outside of its own folder", () => {
  const cases: readonly (readonly [what: string, entry: Entry, says: RegExp])[] = [
    ["a path upwards", { name: "left/../../../out.txt", text: "x" }, /no name of a file/],
    ["a path upwards alone", { name: "../out.txt", text: "x" }, /no name of a file/],
    ["an absolute path", { name: "/tmp/memd-out.txt", text: "x" }, /no name of a file/],
    ["a path of Windows", { name: "C:\\out.txt", text: "x" }, /no name of a file/],
    ["a path with backslashes", { name: "left\\..\\..\\out.txt", text: "x" }, /no name of a file/],
    ["a name of control characters", { name: "left/\u001b[2J.md", text: "x" }, /no name of a file/],
    ["a symbolic link", { name: "left/memory.md", type: "symlink", linkname: "/etc/passwd" }, /neither file/],
    ["a link to a folder", { name: "left/memory", type: "symlink", linkname: "/etc" }, /neither file/],
    ["a second name", { name: "left/memory.md", type: "link", linkname: "/etc/passwd" }, /neither file/],
    ["a device", { name: "left/memory.md", type: "character-device" }, /neither file/],
    ["a pipe", { name: "left/memory.md", type: "fifo" }, /neither file/],
    ["a name that stands twice", { name: MARK.name, text: "{}" }, /stands in it twice/],
    ["a folder of folders", { name: `${"a/".repeat(40)}x`, text: "x" }, /no name of a file/],
    ["a name that no disk has", { name: `left/${"a".repeat(300)}`, text: "x" }, /no name of a file/],
  ];
  test.each(cases)("%s", async (_what, entry, says) => {
    const dir = tempDir();
    expect(await refusal(dir, await archive(dir, [MARK, entry]))).toMatch(says);
    expect(fs.existsSync("/tmp/memd-out.txt")).toBe(false);
  });

  test("what unpacks to far more than it is", async () => {
    const dir = tempDir();
    const file = path.join(dir, "left.tar.gz");
    const zeros = function* (): Generator<Buffer> {
      for (let n = 0; n < 80; n++) yield Buffer.alloc(1024 * 1024);
    };
    const header = tar.pack();
    header.entry({ ...MARK, size: MARK.text.length }, MARK.text);
    header.finalize();
    const head: Buffer[] = [];
    for await (const piece of header) head.push(piece);
    const whole = Readable.from([Buffer.concat(head).subarray(0, 1024), ...zeros()]);
    await pipeline(whole, zlib.createGzip(), fs.createWriteStream(file));
    expect(fs.statSync(file).size).toBeLessThan(200_000);
    expect(await refusal(dir, file)).toMatch(/far more than/);
  });

  test("what is cut off, no archive, or of no workspace", async () => {
    const dir = tempDir();
    const whole = await archive(dir, [MARK, { name: "left/memory.md", text: "x".repeat(5000) }]);
    const bytes = fs.readFileSync(whole);
    fs.writeFileSync(whole, bytes.subarray(0, bytes.length - 20));
    expect(await refusal(dir, whole)).toMatch(/cannot be unpacked/);
    fs.writeFileSync(whole, "no archive");
    expect(await refusal(dir, whole)).toMatch(/cannot be unpacked/);
    expect(await refusal(dir, await archive(dir, [{ name: "left/memory.md", text: "x" }]))).toMatch(
      /no workspace\.json in it/,
    );
    const newer = { ...MARK, text: '{"format":99,"id":"x"}' };
    expect(await refusal(dir, await archive(dir, [newer]))).toMatch(/format 99/);
  });
});

test("what is no file of memd's does not come along, and no link of a folder is followed", async () => {
  const dir = tempDir();
  const secret = path.join(dir, "secret");
  fs.mkdirSync(secret);
  fs.writeFileSync(path.join(secret, "2026-01-01-x.md"), "not theirs");
  const left = path.join(dir, "left");
  fs.mkdirSync(path.join(left, ".git", "hooks"), { recursive: true });
  fs.writeFileSync(path.join(left, "workspace.json"), MARK.text);
  fs.writeFileSync(path.join(left, "memd.toml"), '[files]\nlinked = ["memory"]\n');
  fs.writeFileSync(path.join(left, ".git", "hooks", "post-checkout"), "#!/bin/sh\n");
  fs.writeFileSync(path.join(left, "Makefile"), "all:\n");
  fs.symlinkSync(secret, path.join(left, "memory"));
  fs.symlinkSync(path.join(secret, "2026-01-01-x.md"), path.join(left, "memory.md"));
  expect(await isIncoming(nodeDisk, left)).toBe(true);
  const incoming = await openIncoming(nodeDisk, left, path.join(dir, "temp"));
  const { files, left: not } = await ownedFiles(nodeDisk, incoming);
  expect(files.map((file) => file.path)).toEqual(["workspace.json", "memd.toml"]);
  expect(not.sort()).toEqual(["memory", "memory.md"]);
});

test("an archive holds what went into it, whatever it is called and however long", async () => {
  const dir = tempDir();
  const texts = new Map([
    ["workspace.json", MARK.text],
    [`memory/scopes/${"%E5".repeat(60)}/2026-01-01-${"长".repeat(40)}.md`, "好的 😀\n".repeat(200_000)],
    ["memory/documents/empty.md", ""],
  ]);
  const files = async function* () {
    for (const [name, text] of texts)
      yield { path: `left/${name}`, mtimeMs: Date.UTC(2026, 0, 1), bytes: Buffer.from(text) };
  };
  const file = path.join(dir, "left.tar.gz");
  await pipeline(tarGzOf(files()), fs.createWriteStream(file));
  const { root } = await openIncoming(nodeDisk, file, path.join(dir, "temp"));
  for (const [name, text] of texts) expect(fs.readFileSync(path.join(root, name), "utf8")).toBe(text);
  expect(fs.statSync(path.join(root, "workspace.json")).mode & 0o777).toBe(0o600);
});

test("a failure of what is packed is that of the archive", async () => {
  const files = async function* () {
    yield { path: "a", mtimeMs: 0, bytes: Buffer.from("a") };
    throw new Error("the disk is gone");
  };
  const all = async (): Promise<void> => {
    for await (const _piece of tarGzOf(files()));
  };
  await expect(all()).rejects.toThrow("the disk is gone");
});
