import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { contentHash, hashInSteps } from "../../src/platform/files.js";
import { parseJson } from "../../src/platform/json.js";
import { nodeDisk } from "../../src/platform/node-disk.js";
import { release } from "../../src/platform/read-file.js";
import { tempDir } from "../support/temp-dir.js";

const MB = 1024 * 1024;

async function readBack(text: string): Promise<Uint8Array> {
  const file = path.join(tempDir(), "file");
  fs.writeFileSync(file, text);
  const bytes = await nodeDisk.read(file);
  if (bytes === undefined) throw new Error("it is not there");
  return bytes;
}

test.each([
  ["short", 2],
  ["long", 5 * MB],
])("a %s file is read whole, hashed and parsed, as an array and as an object", async (_name, chars) => {
  const list = [{ text: "渡轮".repeat(chars / 2) }, { text: "the ferry" }];
  for (const value of [list, { messages: list }]) {
    const text = JSON.stringify(value);
    const bytes = await readBack(text);
    expect(Buffer.compare(bytes, Buffer.from(text))).toBe(0);
    expect(await hashInSteps(bytes)).toBe(contentHash(text));
    expect(await parseJson(bytes)).toEqual(value);
  }
});

test("what a long file takes is given back at once, and what was made of it stays; a short one is left alone", async () => {
  const long = await readBack(JSON.stringify(["x".repeat(5 * MB)]));
  const [text] = (await parseJson(long)) as [string];
  release(long);
  expect([long.byteLength, text.length]).toEqual([0, 5 * MB]);
  const short = await readBack("a note");
  release(short);
  expect(Buffer.from(short).toString()).toBe("a note");
});
