import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { startThread } from "../../src/platform/thread.js";
import { tempDir } from "../support/temp-dir.js";

/** Makes 64 MB that nothing holds, and says whether they still are in memory. */
const ENTRY = `
import { answerWith } from ${JSON.stringify(
  pathToFileURL(path.resolve(import.meta.dirname, "../../dist/platform/thread.js")).href,
)};
let made;
answerWith(() => ({
  answer: (message) => {
    if (message === "make") made = new WeakRef(new Uint8Array(64 * 1024 * 1024));
    return made?.deref() !== undefined;
  },
}));
`;

test("a thread that has nothing to do keeps none of what its work has left", async () => {
  const entry = path.join(tempDir(), "entry.mjs");
  fs.writeFileSync(entry, ENTRY);
  const thread = startThread(entry, undefined);
  try {
    expect(await thread.ask("make")).toBe(true);
    await expect.poll(() => thread.ask("is it there?"), { timeout: 20_000, interval: 500 }).toBe(false);
  } finally {
    await thread.end();
  }
});
