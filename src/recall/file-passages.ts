/**
 * One file of the memory tree as passages, and whether it is what its place
 * says it is; a document's text word for word, in stretches that end where sentences
 * do. Pure. Secrets are out of a text before it is cut: half a key is no longer known
 * for one.
 */
import { type Belonging, MAIN_SCOPE, type ScopeId } from "../model/address.js";
import { defined } from "../model/collections.js";
import type { Passage } from "../model/passage.js";
import { epochMs, type EpochMs, type Zone } from "../model/time.js";
import { basename } from "../platform/files.js";
import { type AddedDocument, isDocsScope, parseDocument } from "../protocol/document.js";
import { parseMemory } from "../protocol/memory-md.js";
import { parseProfile, type Profile } from "../protocol/profile.js";
import { parseRecordLines, type RecordLine } from "../protocol/records.js";
import { parseSummary } from "../protocol/summary.js";
import { openVerbatim, type VerbatimDay } from "../protocol/verbatim.js";
import { documentPath, memoryDir, profilePath, userRecordsPaths } from "../protocol/workspace.js";
import { redactedOnItsLines, redactSecrets } from "../text/redact.js";
import { stretchesOf } from "../text/stretches.js";
import { type PartitionId, partitionOf } from "./index/partitions.js";
import { passagesOfVerbatim } from "./message-passages.js";
import { passagesOfMemory, passagesOfSummary } from "./passages.js";
import type { FoundFile } from "./walk.js";

/** A readable file that is not what its place says. */
export class NotMemory extends Error {}

/** Whether an error says something of the file that was read, and not of memd: a text may also be too long for a pattern. */
export function isOfItsText(error: unknown): boolean {
  return error instanceof NotMemory || error instanceof SyntaxError || error instanceof RangeError;
}

export interface FilePassages {
  passages: Iterable<Passage>;
  /** What all of them have in common, where it is known beforehand: none has to wait for the last. */
  belonging?: Belonging;
}

/** Throws NotMemory, or SyntaxError when its head cannot be read. */
export function passagesOfFile(file: FoundFile, bytes: Uint8Array, zone: Zone): FilePassages {
  const { kind } = file;
  if (kind !== "verbatim")
    return { passages: passagesOfText({ ...file, kind }, new TextDecoder().decode(bytes), zone) };
  const day = openVerbatim(bytes);
  if (day === undefined) throw new NotMemory("is not a verbatim day");
  ensureScope(file, day.scope);
  return { passages: passagesOfVerbatim(file.path, day, zone), ...defined({ belonging: belongingOf(day) }) };
}

function belongingOf({ scope, blocks }: VerbatimDay): Belonging | undefined {
  const found = new Map<PartitionId, Belonging>();
  for (const { filed } of blocks) {
    if (filed.message.private === true) continue;
    const { id, belonging } = partitionOf({ level: "scope", scope, ...defined({ user: filed.belongsTo }) });
    found.set(id, belonging);
  }
  return found.size === 1 ? [...found.values()][0] : undefined;
}

function passagesOfText(
  file: FoundFile & { kind: Exclude<FoundFile["kind"], "verbatim"> },
  text: string,
  zone: Zone,
): Passage[] {
  switch (file.kind) {
    case "memory":
      return passagesOfMemory(file.path, parseMemory(text), epochMs(Math.round(file.stat.mtimeMs)), zone);
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

/** A day that was counted from what was said may be counted wrong: then its words are told beside it. */
function namesOtherDay(text: string, said: string): boolean {
  return (text.match(/\b\d{4}-\d{2}(?:-\d{2})?/g) ?? []).some((date) => !said.includes(date));
}

/** `modifiedAt` of the file stands where the document does not say when it was added. */
export function passagesOfDocument(
  path: string,
  { scope, user, title, addedAt, body, bodyLine }: AddedDocument,
  modifiedAt: EpochMs,
  zone: Zone,
): Passage[] {
  const at = addedAt ?? modifiedAt;
  const { clean, secrets } = redactedOnItsLines(body);
  const named = redactSecrets(title.trim(), secrets);
  return stretchesOf(clean).map(({ text, lines: [from, to] }, index): Passage => ({
    id: `${path}#${index + 1}`,
    kind: "document",
    level: "scope",
    scope,
    ...(user === undefined ? {} : { user }),
    path,
    lines: [bodyLine + from, bodyLine + to],
    // What it is called is said once: a document is looked for by its name too.
    text: index === 0 && !text.includes(named) ? `${named}\n${text}` : text,
    saidAt: at,
    day: zone.dayOf(at),
    messageIds: [],
    trust: "document",
  }));
}

/**
 * Records and profiles as passages: one for each.
 *
 * Pure. Secrets are out of every text before anything is indexed.
 */
function passagesOfRecords(path: string, lines: readonly RecordLine[], zone: Zone): Passage[] {
  return lines.map(({ record, line }): Passage => {
    const { id, kind, level, scope, user, session, text, at, recordedAt, sources, trust } = record;
    const { perspective, validTo, supersededAt, said } = record;
    return {
      id: `${path}#${id}`,
      kind,
      level,
      scope,
      ...(user === undefined ? {} : { user }),
      ...(session === undefined ? {} : { session }),
      path,
      lines: [line, line],
      text: redactSecrets(text),
      saidAt: at,
      day: zone.dayOf(at),
      messageIds: sources,
      trust,
      ...(said === undefined || !namesOtherDay(text, said) ? {} : { said: redactSecrets(said) }),
      ...(perspective === undefined ? {} : { perspective }),
      knownAt: recordedAt,
      ...(validTo === undefined ? {} : { validTo }),
      ...(supersededAt === undefined ? {} : { supersededAt }),
    };
  });
}

/** `modifiedAt` of the file stands where the profile does not say when it was merged. `whole` is the file's text. */
function passageOfProfile(
  path: string,
  { entity, id, name, tags, updatedAt, by, trust, body }: Profile,
  modifiedAt: EpochMs,
  zone: Zone,
  whole: string,
): Passage[] {
  if (body.trim() === "") return [];
  const at = updatedAt ?? modifiedAt;
  const lineCount = whole.trimEnd().split("\n").length;
  const firstLine = lineCount - body.trim().split("\n").length + 1;
  const belongs =
    entity === "user"
      ? { level: "user" as const, scope: MAIN_SCOPE, user: id }
      : { level: "scope" as const, scope: `group:${id}` as ScopeId };
  return [
    {
      id: `${path}#1`,
      kind: "profile",
      ...belongs,
      path,
      lines: [Math.max(1, firstLine), lineCount],
      text: redactSecrets(
        [name ?? id, body.trim(), tags.join(", ")].filter((part) => part !== "").join("\n"),
      ),
      saidAt: at,
      day: zone.dayOf(at),
      messageIds: [],
      // What nobody but a person wrote is a person's.
      trust: trust ?? (by === undefined ? "human" : "agent"),
    },
  ];
}
