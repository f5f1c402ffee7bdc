import { describe, expect, test } from "vitest";
import { listConflicts } from "../../src/protocol/conflicts.js";
import { appendLines, NotSynced, parseLines } from "../../src/protocol/jsonl.js";
import { errno, failOnce, memoryWorkspace, WORKSPACE } from "../support/writer.js";

const FILE = "/w/logs/usage.jsonl";

describe("appending", () => {
  test("adds whole lines, and syncs before it returns", async () => {
    const { disk, writer } = await memoryWorkspace();
    const steps: string[] = [];
    disk.before((operation) => void steps.push(operation));
    await appendLines(writer, WORKSPACE, FILE, ["1", "2"]);
    expect(steps.slice(-5)).toEqual(["openAppend", "write", "datasync", "close", "syncDir"]);
    steps.length = 0;
    await appendLines(writer, WORKSPACE, FILE, ["3"]);
    expect(steps.slice(-4)).toEqual(["openAppend", "write", "datasync", "close"]);
    expect(disk.files()[FILE]).toBe("1\n2\n3\n");
  });

  test("sets a torn last line aside, once, and begins on a fresh one", async () => {
    const { disk, writer } = await memoryWorkspace({ "logs/usage.jsonl": '{"a":1}\n{"b":' });
    failOnce(disk, "openAppend", "ENOSPC");
    await expect(appendLines(writer, WORKSPACE, FILE, ["2"])).rejects.toMatchObject({ code: "disk_full" });
    expect(await appendLines(writer, WORKSPACE, FILE, ['{"c":3}'])).toBe(true);
    expect(await appendLines(writer, WORKSPACE, FILE, ['{"d":4}'])).toBe(false);
    expect(parseLines(disk.files()[FILE] ?? "")).toEqual([
      { value: { a: 1 }, line: 1 },
      { value: { c: 3 }, line: 3 },
      { value: { d: 4 }, line: 4 },
    ]);
    const [kept, ...more] = await listConflicts(writer, WORKSPACE);
    expect(more).toEqual([]);
    expect(disk.files()[`/w/conflicts/${kept}`]).toBe('{"b":');
  });

  test("a line that lacks only its end is kept as a line", async () => {
    const { disk, writer } = await memoryWorkspace({ "logs/usage.jsonl": '{"a":1}' });
    await appendLines(writer, WORKSPACE, FILE, ['{"b":2}']);
    expect(parseLines(disk.files()[FILE] ?? "").map(({ value }) => value)).toEqual([{ a: 1 }, { b: 2 }]);
  });

  test.each([
    ["openAppend", "ENOSPC", "disk_full"],
    ["write", "ENOSPC", "disk_full"],
    ["write", "EIO", "disk_fault"],
    ["datasync", "EIO", "disk_fault"],
    ["datasync", "ENOSPC", "disk_full"],
    ["close", "EIO", "disk_fault"],
    ["syncDir", "EIO", "disk_fault"],
    ["makeDir", "EACCES", "disk_denied"],
    ["stat", "EIO", "disk_fault"],
  ] as const)(
    "when %s fails with %s nothing is acknowledged, and what stood stands",
    async (operation, code, expected) => {
      const { disk, writer } = await memoryWorkspace({ "logs/usage.jsonl": "1\n" });
      failOnce(disk, operation, code);
      const error: unknown = await appendLines(writer, WORKSPACE, FILE, ["2"]).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({ code: expected });
      expect(error instanceof NotSynced).toBe(operation === "datasync");
      expect(disk.files()[FILE]).toMatch(/^1\n/);
      await appendLines(writer, WORKSPACE, FILE, ["2"]);
      expect(parseLines(disk.files()[FILE] ?? "").at(-1)?.value).toBe(2);
    },
  );

  test("a batch that no room was left for is taken back whole, and stands once when it is tried again", async () => {
    const { disk, writer } = await memoryWorkspace({ "logs/usage.jsonl": "1\n" });
    const lines = Array.from({ length: 20_000 }, (_, n) => JSON.stringify({ n, text: "好的 ".repeat(10) }));
    let writes = 0;
    disk.before((operation) => {
      if (operation === "write" && ++writes === 2) throw errno("ENOSPC");
    });
    await expect(appendLines(writer, WORKSPACE, FILE, lines)).rejects.toMatchObject({ code: "disk_full" });
    expect(writes).toBe(2);
    expect(disk.files()[FILE]).toBe("1\n");
    await appendLines(writer, WORKSPACE, FILE, lines);
    expect(disk.files()[FILE]).toBe(["1", ...lines, ""].join("\n"));
  });

  test("a failed fsync is told apart even when closing fails too", async () => {
    const { disk, writer } = await memoryWorkspace();
    disk.before((operation) => {
      if (operation === "datasync" || operation === "close") throw errno("EIO");
    });
    await expect(appendLines(writer, WORKSPACE, FILE, ["1"])).rejects.toBeInstanceOf(NotSynced);
  });

  test("the folder is synced again where the first attempt, or another process, may not have", async () => {
    const { disk, writer } = await memoryWorkspace({ "logs/usage.jsonl": "1\n" });
    const synced: string[] = [];
    failOnce(disk, "syncDir", "EIO");
    await expect(appendLines(writer, WORKSPACE, FILE, ["2"])).rejects.toMatchObject({ code: "disk_fault" });
    disk.before((operation, path) => void (operation === "syncDir" && synced.push(path)));
    await appendLines(writer, WORKSPACE, FILE, ["3"]);
    await appendLines(writer, WORKSPACE, FILE, ["4"]);
    expect(synced).toEqual(["/w/logs"]);
  });

  test("a batch of megabytes stands as it was given", async () => {
    const { disk, writer } = await memoryWorkspace();
    const lines = Array.from({ length: 30_000 }, (_, n) => JSON.stringify({ n, text: "好的 ".repeat(10) }));
    await appendLines(writer, WORKSPACE, FILE, lines);
    expect(disk.files()[FILE]).toBe(lines.map((line) => `${line}\n`).join(""));
  });
});

test("lines that are no JSON are passed over, the others keep their numbers", () => {
  expect(parseLines('{"a":1}\n\n{"b":\r\n{"c":3}\r\n')).toEqual([
    { value: { a: 1 }, line: 1 },
    { value: { c: 3 }, line: 4 },
  ]);
});

test("a mark of byte order in front of a line is no part of it", () => {
  expect(parseLines('\ufeff{"a":1}\r\n\ufeff\ufeff {"b":2}\n')).toEqual([
    { value: { a: 1 }, line: 1 },
    { value: { b: 2 }, line: 2 },
  ]);
});
