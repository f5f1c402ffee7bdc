import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const FOLDER = path.resolve("dist/hook");

/** With all that a file imports before it runs. */
function loadedBy(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  const text = fs.readFileSync(path.join(FOLDER, name), "utf8");
  for (const [, of = ""] of text.matchAll(/^(?:import|export) ?[^"]*? ?(?:from )?"([^"]+)";$/gm))
    if (of.startsWith("./")) loadedBy(of, found);
    else expect(of).toMatch(/^(?:node:|timers|assert|stream|util|fs|path|events|constants)/);
  return found;
}

test("an agent that calls a hook waits for a few small files, and no package is looked for", () => {
  const loaded = [...loadedBy("hook-main.js")];
  const bytes = loaded.reduce((sum, name) => sum + fs.statSync(path.join(FOLDER, name)).size, 0);
  expect(loaded.length).toBeLessThan(8);
  expect(bytes).toBeGreaterThan(20_000);
  expect(bytes).toBeLessThan(100_000);
});
