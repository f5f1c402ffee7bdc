import { describe, expect, test } from "vitest";
import type { MessageId } from "../../src/model/message.js";
import type { ScopeId } from "../../src/model/address.js";
import type { Memo, MemoryRecord, RecordId } from "../../src/model/record.js";
import { epochMs } from "../../src/model/time.js";
import { parseMemos, printMemos } from "../../src/protocol/memos.js";
import { parseProfile } from "../../src/protocol/profile.js";
import { parseRecords, printRecord } from "../../src/protocol/records.js";

const AT = epochMs(Date.parse("2026-01-28T06:03:22Z"));
const scope = "main" as ScopeId;
const record: MemoryRecord = {
  id: "r-1" as RecordId,
  kind: "fact",
  level: "session",
  user: "lin",
  scope,
  session: "main",
  text: "The staging database listens on port 5433.",
  at: AT,
  recordedAt: AT,
  isAbsolute: true,
  sources: ["q-1" as MessageId],
  trust: "human",
  validTo: AT,
};

describe("records", () => {
  test("are read as they were printed", () => {
    expect(parseRecords(`${printRecord(record)}\n`)).toEqual([record]);
  });

  test("the last line of an id counts, and one without text is gone", () => {
    const other = { ...record, id: "r-2" as RecordId };
    const lines = [record, other, { ...record, text: "It moved to 5434." }, { ...other, text: "" }];
    expect(parseRecords(lines.map(printRecord).join("\n")).map(({ text }) => text)).toEqual([
      "It moved to 5434.",
    ]);
  });

  test("a line that is none leaves the others alone", () => {
    const lines = ['{"torn', printRecord(record), "[]", JSON.stringify({ schema: 2, id: "r-9" }), ""];
    expect(parseRecords(lines.join("\n"))).toEqual([record]);
  });
});

describe("memos", () => {
  const memo: Memo = { at: AT, user: "lin", scope, session: "main", text: "Looked up the port." };

  test("are read as they were printed, those of nobody too", () => {
    const nobody: Memo = { at: AT, scope, session: "main", text: "Greeted." };
    expect(parseMemos(printMemos([memo, nobody]))).toEqual([memo, nobody]);
  });

  test("an entry that is none is left out, and a file that is none is refused", () => {
    const text = JSON.stringify({ memos: [{ at: "soon", scope, session: "main", text: "x" }, 7] });
    expect(parseMemos(text)).toEqual([]);
    expect(() => parseMemos("[]")).toThrow(SyntaxError);
    expect(() => parseMemos("{")).toThrow(SyntaxError);
  });
});

test("a profile says of whom it is; any other Markdown is none", () => {
  const head = "---\nentity_type: user\nentity_id: lin\nname: Lin Yue\n---\n";
  expect(parseProfile(`${head}- likes tea\n`)).toEqual({
    entity: "user",
    id: "lin",
    name: "Lin Yue",
    tags: [],
    written: [],
    edited: true,
    extra: {},
    body: "- likes tea\n",
  });
  expect(parseProfile("- likes tea\n")).toBeUndefined();
});
