/**
 * One file of the memory tree as passages, and whether it is what its place
 * says it is. Pure.
 */
import type { Passage } from "../model/passage.js";
import { epochMs, type Zone } from "../model/time.js";
import { basename } from "../platform/path.js";
import { isDocsScope, parseDocument } from "../protocol/document.js";
import { parseMemory } from "../protocol/memory-md.js";
import { parseProfile } from "../protocol/profile.js";
import { parseRecordLines } from "../protocol/records.js";
import { parseSummary } from "../protocol/summary.js";
import { parseVerbatim } from "../protocol/verbatim.js";
import { documentPath, memoryDir, profilePath, userRecordsPaths } from "../protocol/workspace.js";
import { passagesOfDocument } from "./document-passages.js";
import { passageOfProfile, passagesOfRecords } from "./distilled-passages.js";
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
    // A line that is of another place is nobody's: where it stands is the partition around it.
    case "records": {
      const ofScope = parseRecordLines(text).filter(
        ({ record }) =>
          (record.level === "scope" || record.level === "session") && memoryDir(record.scope) === file.folder,
      );
      return passagesOfRecords(file.path, ofScope, zone);
    }
    case "user_records": {
      const ofUser = parseRecordLines(text).filter(
        ({ record: { level, user } }) =>
          level === "user" && user !== undefined && userRecordsPaths(user).includes(file.path),
      );
      return passagesOfRecords(file.path, ofUser, zone);
    }
    case "profile": {
      const profile = parseProfile(text);
      if (profile === undefined) throw new NotMemory("is not a profile");
      const { entity, id } = profile;
      if (profilePath(entity, id) !== file.path)
        throw new NotMemory(`is of ${entity} ${id}, not of this name`);
      return passageOfProfile(file.path, profile, epochMs(Math.round(file.stat.mtimeMs)), zone, text);
    }
    case "document": {
      const document = parseDocument(text);
      if (document === undefined) throw new NotMemory("is not a document");
      const { scope, id } = document;
      ensureScope(file, scope);
      if (!isDocsScope(scope)) throw new NotMemory(`is of scope ${scope}, which is not one of documents`);
      if (documentPath(scope, id) !== file.path) throw new NotMemory(`is document ${id} under another name`);
      return passagesOfDocument(file.path, document, epochMs(Math.round(file.stat.mtimeMs)), zone);
    }
    default:
      return file.kind satisfies never;
  }
}

/** The partition around a scope is its folder: what a file says of itself must agree. */
function ensureScope(file: FoundFile, scope: Parameters<typeof memoryDir>[0]): void {
  if (memoryDir(scope) !== file.folder) throw new NotMemory(`is of scope ${scope}, not of this folder`);
}
