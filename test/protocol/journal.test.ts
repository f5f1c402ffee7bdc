import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MessageId } from "../../src/model/message.js";
import { keyOf, type ScopeId } from "../../src/model/address.js";
import { epochMs, type Day } from "../../src/model/time.js";
import {
  openJournal,
  ORIGINS,
  parseJournalEntry,
  printJournalEntry,
  readJournal,
  type JournalEntry,
  type PlacedEntry,
} from "../../src/protocol/journal.js";
import { journalPaths } from "../../src/protocol/journal-files.js";
import type { Disk } from "../../src/platform/disk.js";
import { canonical, filedMessage } from "../support/arbitrary.js";
import { errno, failOnce, memoryWorkspace, WORKSPACE } from "../support/writer.js";

const day = "2026-01-05" as Day;
const at = epochMs(Date.parse("2026-01-05T10:00:00Z"));

function said(id: string, text = id): JournalEntry {
  const message = { id: id as MessageId, role: "user" as const, text, createdAt: "2026-01-05T10:00:00Z" };
  return { op: "message", from: "history", seenAt: at, filed: { message, filedAt: at, belongsTo: "local" } };
}

async function all(disk: Disk): Promise<PlacedEntry[]> {
  const placed: PlacedEntry[] = [];
  for await (const one of readJournal(disk, WORKSPACE)) placed.push(one);
  return placed;
}

const idsOf = (placed: readonly PlacedEntry[]): string[] =>
  placed.flatMap(({ entry }) => (entry.op === "message" ? [entry.filed.message.id] : []));

describe("an entry", () => {
  test("with any message is read as it was written", () => {
    fc.assert(
      fc.property(filedMessage(), fc.constantFrom(...ORIGINS), (filed, from) => {
        const entry: JournalEntry = { op: "message", from, seenAt: at, filed };
        const [line, ...more] = printJournalEntry(entry);
        expect(more).toEqual([]);
        expect(line).not.toContain("\n");
        expect(canonical(parseJournalEntry(JSON.parse(line ?? "")))).toBe(canonical(entry));
      }),
      { numRuns: 150 },
    );
  });

  test("of another name, and of settled keys, too: settled ones in a line per scope", () => {
    const key = (scope: string, id: string) => keyOf(scope as ScopeId, id as MessageId);
    const alias: JournalEntry = { op: "alias", key: key("group:a", "1"), of: key("group:a", "2") };
    expect(printJournalEntry(alias).map((line) => parseJournalEntry(JSON.parse(line)))).toEqual([alias]);
    const keys = [
      { key: key("main", "1"), hash: "a" },
      { key: key("group:a", "1"), hash: "b" },
      { key: key("main", "2"), hash: "c" },
    ];
    const lines = printJournalEntry({ op: "settled", keys });
    expect(lines).toHaveLength(2);
    const read = lines.flatMap((line) => {
      const entry = parseJournalEntry(JSON.parse(line));
      return entry?.op === "settled" ? entry.keys : [];
    });
    expect(read).toEqual([keys[0], keys[2], keys[1]]);
  });

  test.each([
    null,
    1,
    {},
    { op: "later" },
    { op: "message", from: "history" },
    { op: "settled", scope: "main", keys: [["a"]] },
  ])("of another shape is passed over: %j", (value) => {
    expect(parseJournalEntry(value)).toBeUndefined();
  });
});

describe("the journal", () => {
  test("gives each entry its place, across torn lines and restarts", async () => {
    const { disk, writer } = await memoryWorkspace();
    const journal = openJournal(writer, WORKSPACE);
    const places = [
      ...(await journal.append([said("a"), said("b")], day)),
      ...(await journal.append([said("c")], day)),
    ];
    const file = await disk.openAppend(`/w/journal/${day}.jsonl`);
    await file.write(new TextEncoder().encode('{"op":"mess'));
    places.push(...(await openJournal(writer, WORKSPACE).append([said("d")], day)));
    expect((await all(disk)).map(({ place }) => place)).toEqual(places);
    expect(idsOf(await all(disk))).toEqual(["a", "b", "c", "d"]);
  });

  test("nothing to append touches nothing", async () => {
    const { disk, writer } = await memoryWorkspace();
    expect(await openJournal(writer, WORKSPACE).append([], day)).toEqual([]);
    expect(disk.files()).toEqual({});
  });

  test("after a failed fsync the whole batch goes to a new file, and so does what follows", async () => {
    const { disk, writer } = await memoryWorkspace();
    const journal = openJournal(writer, WORKSPACE);
    await journal.append([said("a")], day);
    failOnce(disk, "datasync", "EIO");
    const [place] = await journal.append([said("b"), said("c")], day);
    expect(place).toEqual({ path: `journal/${day}.2.jsonl`, line: 1 });
    expect(await journal.append([said("d")], day)).toEqual([{ path: `journal/${day}.2.jsonl`, line: 3 }]);
    expect(new Set(idsOf(await all(disk)))).toEqual(new Set(["a", "b", "c", "d"]));
    expect(idsOf(await all(disk)).slice(-3)).toEqual(["b", "c", "d"]);
  });

  test("a file whose fsync failed is never appended to again, though the second failed as well", async () => {
    const { disk, writer } = await memoryWorkspace();
    const journal = openJournal(writer, WORKSPACE);
    disk.before((operation) => {
      if (operation === "datasync") throw errno("EIO");
    });
    await expect(journal.append([said("a")], day)).rejects.toMatchObject({ code: "disk_fault" });
    disk.before(() => undefined);
    expect(await journal.append([said("a")], day)).toEqual([{ path: `journal/${day}.3.jsonl`, line: 1 }]);
  });

  test("after a restart a file of megabytes is not appended to: the day goes on in another part", async () => {
    const { disk, writer } = await memoryWorkspace();
    const one = openJournal(writer, WORKSPACE);
    await one.append([said("a", "x".repeat(5 * 1024 * 1024))], day);
    await one.append([said("b")], day);
    const two = openJournal(writer, WORKSPACE);
    expect(await two.append([said("c")], day)).toEqual([{ path: `journal/${day}.2.jsonl`, line: 1 }]);
    const three = openJournal(writer, WORKSPACE);
    expect(await three.append([said("d")], day)).toEqual([{ path: `journal/${day}.2.jsonl`, line: 2 }]);
    expect(idsOf(await all(disk))).toEqual(["a", "b", "c", "d"]);
  });

  test("after a restart the newest file of the day goes on, so that later versions stay later", async () => {
    const { disk, writer } = await memoryWorkspace();
    const before = openJournal(writer, WORKSPACE);
    await before.append([said("a", "first")], day);
    failOnce(disk, "datasync", "EIO");
    await before.append([said("a", "second")], day);
    await openJournal(writer, WORKSPACE).append([said("a", "third")], day);
    const texts = (await all(disk)).map(({ entry }) =>
      entry.op === "message" ? entry.filed.message.text : "",
    );
    expect(texts).toEqual(["first", "second", "second", "third"]);
  });

  test.each([
    ["is cut back to its lines", true, 2],
    ["that cannot be cut back has its torn line ended", false, 3],
  ])("a full disk acknowledges nothing, and a file that %s", async (_what, cutsBack, line) => {
    const { disk, writer } = await memoryWorkspace();
    const journal = openJournal(writer, WORKSPACE);
    await journal.append([said("a")], day);
    let written = 0;
    disk.before((operation, path) => {
      if (operation === "truncate" && !cutsBack) throw errno("EIO");
      if (operation !== "write" || written++ > 0) return;
      disk.writeInPlace(path, `${disk.files()[path]}{"op":"message","fr`);
      throw errno("ENOSPC");
    });
    await expect(journal.append([said("b")], day)).rejects.toMatchObject({ code: "disk_full" });
    const [place] = await journal.append([said("b")], day);
    expect(place).toEqual({ path: `journal/${day}.jsonl`, line });
    expect(idsOf(await all(disk))).toEqual(["a", "b"]);
  });

  test("what is written after the clock was set back is read last, across restarts, setting forward and failed fsyncs", async () => {
    const { disk, writer } = await memoryWorkspace();
    const days = [
      "2026-01-05",
      "2026-01-07",
      "2026-01-05",
      "2036-01-05",
      "2026-01-05",
      "2026-01-06",
    ] as Day[];
    let journal = openJournal(writer, WORKSPACE);
    for (const [index, today] of days.entries()) {
      if (index % 2 === 1) journal = openJournal(writer, WORKSPACE);
      if (index === 4) failOnce(disk, "datasync", "EIO");
      await journal.append([said(`a${index}`)], today);
    }
    expect(await journalPaths(disk, WORKSPACE)).toEqual(
      ["01-05", "01-07", "01-05~2", "2036-01-05~2", "01-05~3", "01-05~3.2", "01-06~3"].map(
        (name) => `journal/${name.startsWith("2036") ? name : `2026-${name}`}.jsonl`,
      ),
    );
    expect(idsOf(await all(disk))).toEqual(["a0", "a1", "a2", "a3", "a4", "a4", "a5"]);
  });

  test("files are read in the order of writing, others passed over", async () => {
    const names = [
      "2026-01-05.jsonl",
      "2026-01-05.2.jsonl",
      "2026-01-05.10.jsonl",
      "2026-01-04.3.jsonl",
      "2026-01-03~2.2.jsonl",
      "2026-01-03~2.jsonl",
      "2026-01-02~10.jsonl",
      "notes.txt",
      ".x.tmp",
    ];
    const { disk } = await memoryWorkspace(Object.fromEntries(names.map((name) => [`journal/${name}`, ""])));
    expect(await journalPaths(disk, WORKSPACE)).toEqual([
      "journal/2026-01-04.3.jsonl",
      "journal/2026-01-05.jsonl",
      "journal/2026-01-05.2.jsonl",
      "journal/2026-01-05.10.jsonl",
      "journal/2026-01-03~2.jsonl",
      "journal/2026-01-03~2.2.jsonl",
      "journal/2026-01-02~10.jsonl",
    ]);
  });
});
