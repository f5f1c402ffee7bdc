import { describe, expect, test } from "vitest";
import { epochMs } from "../../src/model/time.js";
import type { Clock } from "../../src/platform/clock.js";
import { type ListReading, parseListBytes, readList, salvage } from "../../src/protocol/read-list.js";
import { errno, memoryWorkspace } from "../support/writer.js";
import { handClock } from "../support/hand-clock.js";
import type { MemoryDisk } from "../support/memory-disk.js";

const FILE = "/w/history.json";
const whole = '[{"id": "1", "role": "user", "text": "hi"}]';

/** A clock whose sleeps pass at once, and let somebody act meanwhile. */
function sleeping(act: (sleptMs: number) => void): { clock: Clock; slept: number[] } {
  const slept: number[] = [];
  const clock: Clock = {
    ...handClock(epochMs(0)),
    sleep: async (ms) => {
      slept.push(ms);
      act(slept.length);
    },
  };
  return { clock, slept };
}

async function read(
  content: string | undefined,
  act: (look: number, disk: MemoryDisk) => void = () => undefined,
): Promise<{ reading: ListReading; slept: number[] }> {
  const { disk } = await memoryWorkspace(content === undefined ? {} : { "history.json": content });
  const { clock, slept } = sleeping((look) => act(look, disk));
  return { reading: await readList(disk, clock, FILE), slept };
}

describe("a list that somebody is writing", () => {
  test("is read at once when it is whole, and absent when it is not there", async () => {
    expect((await read(whole)).reading).toMatchObject({
      is: "list",
      list: { entries: [{ message: { text: "hi" } }] },
    });
    expect(await read(undefined)).toEqual({ reading: { is: "absent" }, slept: [] });
  });

  test.each([1, 2])("becomes whole at look %i after the first", async (when) => {
    const half = whole.slice(0, 20);
    const { reading, slept } = await read(half, (look, disk) => {
      if (look === when) disk.writeInPlace(FILE, whole);
    });
    expect(reading.is).toBe("list");
    expect(slept).toHaveLength(when);
  });

  test.each(["", " \n", "\0\0\0", "[", '[{"text": "hi"', `${whole}x`, "{}", '"text"', '{"messages": 5}'])(
    "%j stays unreadable after three looks over a second, with its bytes, and never empty",
    async (content) => {
      const { reading, slept } = await read(content);
      expect(reading).toMatchObject({ is: "unreadable", bytes: new TextEncoder().encode(content) });
      expect(slept.reduce((sum, ms) => sum + ms, 0)).toBe(1000);
    },
  );

  test("what is no UTF-8, or nested past all reason, is unreadable", async () => {
    expect(await parseListBytes(new Uint8Array([0x5b, 0x22, 0xff, 0x22, 0x5d]))).toMatchObject({
      is: "unreadable",
    });
    const deep = new TextEncoder().encode(`[{"text": "x", "deep": ${"[".repeat(5000)}${"]".repeat(5000)}}]`);
    expect(await parseListBytes(deep)).toMatchObject({ is: "unreadable", reason: "nested too deeply" });
  });

  test("a disk that fails is a fault, not an unreadable file", async () => {
    const { disk } = await memoryWorkspace({ "history.json": whole });
    disk.before((operation) => {
      if (operation === "read") throw errno("EIO");
    });
    await expect(readList(disk, sleeping(() => undefined).clock, FILE)).rejects.toMatchObject({
      code: "disk_fault",
    });
  });

  test("how the host indents is seen, behind a byte order mark too", async () => {
    const reading = await parseListBytes(new TextEncoder().encode('\ufeff[\n   {"text": "x"}\n]'));
    expect(reading).toMatchObject({ is: "list", list: { indent: "   " } });
  });
});

test("a list that stands twice in its object is unreadable: a reader would see the second one only", async () => {
  const first = '"messages": [{"id": "1", "role": "user", "text": "hi"}]';
  const twice = `{${first}, "messages": []}`;
  expect(await parseListBytes(Buffer.from(twice))).toMatchObject({ is: "unreadable" });
  expect(salvage(twice)).toEqual([{ id: "1", role: "user", text: "hi" }]);
  const inside = `{${first}, "meta": {"messages": [], "note": "the \\"messages\\": of yesterday"}}`;
  expect(await parseListBytes(Buffer.from(inside))).toMatchObject({ is: "list" });
});
