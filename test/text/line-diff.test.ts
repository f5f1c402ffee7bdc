import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { unifiedDiff } from "../../src/text/line-diff.js";
import { tempDir } from "../support/temp-dir.js";

test("a change is told with three lines around it, and what is far apart in parts", () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
  const before = `${lines.join("\n")}\n`;
  const after = before.replace("line 5\n", "line five\n").replace("line 25\n", "");
  expect(unifiedDiff("a.json", before, after)).toBe(
    [
      "--- a.json",
      "+++ a.json",
      "@@ -2,7 +2,7 @@",
      ...[" line 2", " line 3", " line 4", "-line 5", "+line five", " line 6", " line 7", " line 8"],
      "@@ -22,7 +22,6 @@",
      ...[" line 22", " line 23", " line 24", "-line 25", " line 26", " line 27", " line 28", ""],
    ].join("\n"),
  );
});

test("a new file, one that goes, an end of line that is missing, and nothing", () => {
  expect(unifiedDiff("a", undefined, "x\n")).toBe("--- /dev/null\n+++ a\n@@ -0,0 +1,1 @@\n+x\n");
  expect(unifiedDiff("a", "x\n", undefined)).toBe("--- a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n");
  expect(unifiedDiff("a", "x", "x\n")).toContain("-x\n\\ No newline at end of file\n+x\n");
  expect(unifiedDiff("a", "x\n", "x\n")).toBe("");
});

test("git makes the new text of the old one with it", () => {
  const folder = tempDir();
  const file = path.join(folder, "a");
  const text = fc.array(fc.constantFrom("a", "b", "c", "", "\t}", "-x", "+y"), { maxLength: 25 });
  const whole = fc.tuple(text, fc.boolean()).map(([lines, end]) => lines.join("\n") + (end ? "\n" : ""));
  fc.assert(
    fc.property(whole, whole, (before, after) => {
      fc.pre(before !== "" && after !== "" && before !== after);
      fs.writeFileSync(file, before);
      const input = unifiedDiff("a", before, after).replace("--- a", "--- a/a").replace("+++ a", "+++ b/a");
      execFileSync("git", ["apply", "-"], { cwd: folder, input });
      expect(fs.readFileSync(file, "utf8")).toBe(after);
    }),
    { numRuns: 40 },
  );
});
