import { expect, test } from "vitest";
import { commitMessage } from "../../src/git/message.js";

test.each([
  [["memory.md"], "memory: memory.md"],
  [
    ["memory/2026-03-07-ferry.md", "memory/records/2026-03.jsonl", "memory/records/users/lin.jsonl"],
    "memory: day 2026-03-07; records",
  ],
  [
    // A day that moves is in two places, and still one day.
    ["memory/2026-03-01-a.md", "memory/archive/2026-03/2026-03-01-a.md", "memory/summary/2026-03-01.md"],
    "memory: day 2026-03-01; summary of 2026-03-01",
  ],
  [
    ["memory/scopes/group%3Aharbor/2026-03-07-tea.md", "memory/memos.json"],
    "memory: day 2026-03-07; conversations",
  ],
  [["memory/strange.txt"], "memory: other files"],
])("%j is called %j", (paths, message) => {
  expect(commitMessage(paths)).toBe(message);
});

test("what is too long for a subject stands below it", () => {
  const days = Array.from({ length: 9 }, (_, n) => `2026-03-0${n + 1}`);
  const paths = [...days.map((day) => `memory/${day}-x.md`), "memory/profiles/users/lin.md"];
  expect(commitMessage(paths)).toBe(`memory: 9 days; profiles\n\ndays ${days.join(", ")}\nprofiles`);
});
