import { expect, test } from "vitest";
import { OPERATIONS } from "../../src/service/operations.js";
import { onlyReads } from "../../src/service/reading.js";

test("what is asked with GET only reads, and what is asked with DELETE does not", () => {
  const rows = Object.entries(OPERATIONS).map(([name, { call }]) => ({ name, method: call.split(" ")[0] }));
  const ofMethod = (method: string): string[] =>
    rows.filter((row) => row.method === method).map(({ name }) => name);
  expect(ofMethod("GET").filter((name) => !onlyReads(name))).toEqual([]);
  expect(ofMethod("DELETE").filter(onlyReads)).toEqual([]);
  // Questions with a body: whatever is added here must change nothing.
  expect(ofMethod("POST").filter(onlyReads)).toEqual([
    "briefing",
    "searchEvents",
    "searchMemories",
    "getProfile",
    "listRevisions",
    "diffProfile",
    "searchProfiles",
    "showTopic",
    "readSource",
  ]);
});
