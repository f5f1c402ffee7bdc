import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { indexThreads } from "../../../src/platform/package-root.js";
import { startThread } from "../../../src/platform/thread.js";
import { sqliteEngine } from "../../../src/recall/index/sqlite/sqlite.js";
import { describeEngine } from "../engine-conformance.js";

const home = mkdtempSync(path.join(os.tmpdir(), "memd-index-"));
afterAll(() => rmSync(home, { recursive: true }));

let folders = 0;
const open = (folder: string, onLost: (walls: number) => void = () => undefined) => {
  const { writer, reader } = indexThreads();
  return sqliteEngine({ writer: startThread(writer, folder), reader: startThread(reader, folder), onLost });
};

describeEngine("sqlite", () => open(path.join(home, String(++folders))));
