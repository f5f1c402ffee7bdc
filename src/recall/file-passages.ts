/**
 * One file of the memory tree as passages, and whether it is what its place
 * says it is. Pure.
 */
import type { Passage } from "../model/passage.js";
import { epochMs, type Zone } from "../model/time.js";
import { basename } from "../platform/path.js";
import { parseMemory } from "../protocol/memory-md.js";
import { parseSummary } from "../protocol/summary.js";
import { parseVerbatim } from "../protocol/verbatim.js";
import { memoryDir } from "../protocol/workspace.js";
import { passagesOfMemory, passagesOfSummary, passagesOfVerbatim } from "./passages.js";
import type { FoundFile } from "./walk.js";

/** A readable file that is not what its place says. */
export class NotMemory extends Error {}

/** Throws NotMemory, or SyntaxError when its head cannot be read. */
export function passagesOfFile(file: FoundFile, text: string, zone: Zone): Passage[] {
  switch (file.kind) {
    case "memory":
      return passagesOfMemory(file.path, parseMemory(text), epochMs(Math.round(file.stat.mtimeMs)), zone);
    case "verbatim": {
      const day = parseVerbatim(text);
      if (day === undefined) throw new NotMemory("is not a verbatim day");
      ensureScope(file, day.scope);
      return passagesOfVerbatim(file.path, day, zone);
    }
    case "summary": {
      const summary = parseSummary(text);
      if (summary === undefined) throw new NotMemory("is not a summary");
      ensureScope(file, summary.scope);
      if (basename(file.path) !== `${summary.date}.md`)
        throw new NotMemory(`is the summary of ${summary.date} under another name`);
      return passagesOfSummary(file.path, summary);
    }
    default:
      return file.kind satisfies never;
  }
}

/** The wall around a scope is its folder: what a file says of itself must agree. */
function ensureScope(file: FoundFile, scope: Parameters<typeof memoryDir>[0]): void {
  if (memoryDir(scope) !== file.folder) throw new NotMemory(`is of scope ${scope}, not of this folder`);
}
