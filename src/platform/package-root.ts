/** Where this package lies on the disk: the same from `src/` under a test runner and from `dist/`. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { MemdError } from "../model/errors.js";

/** The folder that holds memd's package.json, `prompts/` and `dist/`. */
export function packageRoot(from: string = import.meta.url): string {
  const start = path.dirname(fileURLToPath(from));
  for (let dir = start; ; dir = path.dirname(dir)) {
    if (nameIn(path.join(dir, "package.json")) === "memd") return dir;
    if (dir === path.dirname(dir)) throw new MemdError("internal", `No package.json of memd above ${start}.`);
  }
}

/** What the worker processes run. */
export const workerEntry = (): string => entry("worker-main.js");
/** What runs memd as it runs now: for others that are to call it. */
export const ownProgram = (): { node: string; script: string } => {
  const folder = process.env["MEMD_FROM_SOURCES"] === "1" ? "dev" : "bin";
  return { node: process.execPath, script: path.join(packageRoot(), folder, "memd.js") };
};
/** What answers one question where no memd runs. */
export const answerEntry = (): string => entry("answer-main.js");
/** What watches whether the loop is held up. */
export const watchdogThread = (): string => entry("watchdog-thread.js");

/** What runs a model of vectors. */
export const encoderThread = (): string => entry("encoder-thread.js");

/** What the threads of the index run. */
export function indexThreads(): { writer: string; reader: string } {
  return { writer: entry("writer-thread.js"), reader: entry("reader-thread.js") };
}

/** The built program, since Node does not run TypeScript; below `npm run dev` the file of `dev/` that loads it from the sources. */
function entry(program: string): string {
  const folder = process.env["MEMD_FROM_SOURCES"] === "1" ? "dev" : path.join("dist", "programs");
  return path.join(packageRoot(), folder, program);
}

/** The built page. */
export const pageFolder = (): string => path.join(packageRoot(), "dist", "web");

export const promptsFolder = (): string => path.join(packageRoot(), "prompts");

/**
 * A table of `dictionary/`; undefined in a package without it. At once: a few milliseconds, and in pieces each
 * would wait for its turn while much is done.
 */
export function dictionaryTable(name: string): Uint8Array | undefined {
  try {
    return readFileSync(path.join(packageRoot(), "dictionary", `${name}.txt`));
  } catch {
    // Everything else works without it.
    return undefined;
  }
}

function nameIn(file: string): unknown {
  try {
    const found: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof found === "object" && found !== null && "name" in found ? found.name : undefined;
  } catch {
    // Not there, or not ours to judge: look one folder further up.
    return undefined;
  }
}

export function packageVersion(): string {
  const text = readFileSync(path.join(packageRoot(), "package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

/** What `memd init` copies, and the sample conversation. */
export const templateFolder = (): string => path.join(packageRoot(), "workspace-template");

export function sampleFile(name: "conversation.jsonl" | "memory.md"): string {
  return path.join(packageRoot(), "sample", name);
}
