/** Planted bugs that only a failing disk brings to light. */
import type { Plant } from "../plants.js";

const PART = "faults" as const;

export const PLANTS: readonly Plant[] = [
  {
    name: "a failed fsync is tried again on the same descriptor",
    part: PART,
    file: "src/platform/node-disk.ts",
    find: `sync: () => handle.sync().catch(rethrow("sync", file)),\n    datasync`,
    replace: `sync: () => handle.sync().catch(() => handle.sync()).catch(rethrow("sync", file)),\n    datasync`,
  },
  {
    name: "a short write counts as a whole one",
    part: PART,
    file: "src/platform/node-disk.ts",
    find: "offset += bytesWritten;",
    replace: "offset = bytes.byteLength;",
  },
  {
    name: "what the disk refuses to give is taken for absent",
    part: PART,
    file: "src/platform/disk.ts",
    find: `return attempt(work, doing, file, "ENOENT", "ENOTDIR");`,
    replace: `return attempt(work, doing, file, "ENOENT", "ENOTDIR", "EIO");`,
  },
  {
    name: "a day that the disk refuses to give is taken for deleted",
    part: PART,
    file: "src/archive/write-days.ts",
    find: "const bytes = await writer.disk.read(at(workspace, path));",
    replace: "const bytes = await writer.disk.read(at(workspace, path)).catch(() => undefined);",
  },
  {
    name: "a folder whose fsync failed is forgotten",
    part: PART,
    file: "src/platform/node-disk.ts",
    find: "owed.add(dir);",
    replace: "void owed;",
  },
  {
    name: "a derived file may be short",
    part: PART,
    file: "src/platform/node-disk.ts",
    find: "if ((await system.lstat(made)).size !== bytes.byteLength)",
    replace: "if ((await system.lstat(made)).size > bytes.byteLength)",
  },
  {
    name: "after a failed fsync the batch counts as written",
    part: PART,
    file: "src/protocol/jsonl.ts",
    find: "throw new NotSynced(file, error);",
    replace: "void error;",
  },
  {
    name: "a fault is not tried again before the next rescan",
    part: PART,
    file: "src/supervisor/supervisor.ts",
    find: `    this.#timers.once("retry", RETRY_MS, () => this.wake());`,
    replace: "",
  },
  {
    name: "a fault is tried again at once, over and over",
    part: PART,
    file: "src/supervisor/supervisor.ts",
    find: "const RETRY_MS = 2 * SECOND_MS;",
    replace: "const RETRY_MS = SECOND_MS / 100;",
  },
  {
    name: "what a model answered is forgotten when its cost cannot be noted",
    part: PART,
    file: "src/archive/summarise.ts",
    find: "this.#answers.set(job.id, outcome);\n    await usage.add(outcome.usage);",
    replace: "await usage.add(outcome.usage);\n    this.#answers.set(job.id, outcome);",
  },
  {
    name: "a status is an error while the disk is",
    part: PART,
    file: "src/service/status.ts",
    find: "(error: unknown) => [[], isMemdError(error) ? error : undefined] as const,",
    replace: "(error: unknown) => Promise.reject(error),",
  },
];
