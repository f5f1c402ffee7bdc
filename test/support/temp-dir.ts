/** A folder of its own for one test, removed when the test ends. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

export function tempDir(): string {
  const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "memd-test-")));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  return dir;
}
