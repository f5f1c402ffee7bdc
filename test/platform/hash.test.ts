import { expect, test } from "vitest";
import {
  contentHash,
  contentHasher,
  hashInSteps,
  sameSecret,
  sha256,
  shortHash,
} from "../../src/platform/files.js";
import { systemRandom } from "../../src/platform/clock.js";
import { countingRandom } from "../support/counting-random.js";

test("a hash is that of the UTF-8 bytes, cut where it only tells versions apart", () => {
  expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(contentHash("abc")).toBe("ba7816bf8f01cfea");
  expect(shortHash("abc")).toBe("ba7816bf");
  expect(sha256("好")).toBe(sha256(new TextEncoder().encode("好")));
});

test("a hash in pieces is the hash of the whole", () => {
  const hasher = contentHasher();
  for (const piece of ["", "好", "的 and more"]) hasher.update(new TextEncoder().encode(piece));
  expect(hasher.digest()).toBe(contentHash("好的 and more"));
});

test("a hash in steps is the hash of the whole, with rests between them", async () => {
  let rests = 0;
  const pace = (): Promise<void> => {
    rests++;
    return Promise.resolve();
  };
  const long = new Uint8Array(3_000_000).fill(7);
  expect(await hashInSteps(long, pace)).toBe(contentHash(long));
  expect(rests).toBeGreaterThan(1);
  long[2_999_999] = 8;
  expect(await hashInSteps(long, pace)).toBe(contentHash(long));
  expect(await hashInSteps(new Uint8Array(), pace)).toBe(contentHash(""));
});

test("secrets are the same only when they are", () => {
  expect(sameSecret("abc", "abc")).toBe(true);
  expect(sameSecret("abc", "abd")).toBe(false);
  expect(sameSecret("", "abc")).toBe(false);
});

test("new names are of a-z0-9, as long as asked for, and differ", () => {
  const names = Array.from({ length: 1000 }, () => systemRandom.name(8));
  for (const name of names) expect(name).toMatch(/^[a-z0-9]{8}$/);
  expect(new Set(names).size).toBe(names.length);
  const counting = countingRandom();
  expect([counting.name(8), counting.name(8)]).toEqual(["00000000", "00000001"]);
});
