import fs from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { expect, test } from "vitest";

const FOLDER = path.resolve("dist/hook");
const text = fs.readFileSync(path.join(FOLDER, "hook-main.cjs"), "utf8");

test("an agent that calls a hook waits for one small file, and no package is looked for", () => {
  const loaded = [...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = ""]) => name);
  expect(loaded.length).toBeGreaterThan(5);
  expect(loaded.filter((name) => !isBuiltin(name))).toEqual([]);
  expect(text.length).toBeGreaterThan(20_000);
  expect(text.length).toBeLessThan(100_000);
});

test("what a hook hardly ever needs stands beside it", () => {
  const later = [...text.matchAll(/\bimport\("([^"]+)"\)/g)].map(([, name = ""]) => name);
  const beside = later.filter((name) => !isBuiltin(name));
  expect(beside.length).toBeGreaterThan(0);
  for (const name of beside) expect(fs.existsSync(path.join(FOLDER, name)), name).toBe(true);
});
