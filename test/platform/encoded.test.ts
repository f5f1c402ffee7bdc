import { expect, test } from "vitest";
import { Encoded } from "../../src/platform/encoded.js";
import { contentHash } from "../../src/platform/files.js";

async function piecesOf(encoded: Encoded): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of encoded) pieces.push(piece.slice());
  return pieces;
}

test("it is the texts in order, with their size and hash, however often it is gone through", async () => {
  const texts = ["# 日记\n", "", "a".repeat(3_000_000), "\n", "😀".repeat(700_000), "end"];
  let made = 0;
  const encoded = new Encoded(
    () => (made++, texts),
    () => undefined,
  );
  const whole = Buffer.from(texts.join(""));
  for (const times of [1, 2]) {
    expect(Buffer.concat(await piecesOf(encoded)).equals(whole)).toBe(true);
    expect([made, encoded.bytes, encoded.hash]).toEqual([times, whole.byteLength, contentHash(whole)]);
  }
  expect(await encoded.measured()).toEqual({ bytes: whole.byteLength, hash: contentHash(whole) });
});

test("what is short is one piece, and what is long is none by itself", async () => {
  const lines = Array.from({ length: 50_000 }, (_, index) => `${index} ${"x".repeat(90)}\n`);
  const short = new Encoded(
    () => lines.slice(0, 100),
    () => undefined,
  );
  const long = new Encoded(
    () => lines,
    () => undefined,
  );
  expect(await piecesOf(short)).toHaveLength(1);
  expect((await piecesOf(long)).length).toBeGreaterThan(4);
});
