/**
 * `memory/records/*.jsonl`: remembered things, one line each. The last line of
 * an id counts; a line that is none is left alone. And which files hold them.
 *
 * Pure. Appending is protocol/jsonl.ts.
 */
import * as z from "zod";
import type { ScopeId } from "../model/address.js";
import { defined } from "../model/collections.js";
import type { MessageId } from "../model/message.js";
import { type MemoryRecord, RECORD_KINDS, RECORD_SCHEMA, type RecordId } from "../model/record.js";
import { type EpochMs, isoOf, parseInstant } from "../model/time.js";
import type { Disk } from "../platform/disk.js";
import { ifReadable } from "./publish.js";
import { at, memoryDir, userRecordsPaths, type Workspace } from "./workspace.js";

/** An ISO 8601 time in a file. */
export const instant = z.string().transform((text, context): EpochMs => {
  const at = parseInstant(text);
  if (at !== undefined) return at;
  context.addIssue("is no ISO 8601 time");
  return z.NEVER;
});

const recordId = z.string().transform((id) => id as RecordId);

/** In the order in which a record is written again. */
const shape = z.object({
  schema: z.literal(RECORD_SCHEMA),
  id: z.string().min(1).pipe(recordId),
  kind: z.enum(RECORD_KINDS),
  level: z.enum(["user", "scope", "session"]),
  scope: z
    .string()
    .min(1)
    .transform((scope) => scope as ScopeId),
  text: z.string(),
  at: instant,
  recordedAt: instant,
  isAbsolute: z.boolean(),
  sources: z.array(z.string().transform((id) => id as MessageId)),
  trust: z.enum(["human", "agent", "tool", "document"]),
  allDay: z.literal(true).optional(),
  said: z.string().optional(),
  user: z.string().min(1).optional(),
  session: z.string().min(1).optional(),
  perspective: z.string().optional(),
  supersedes: recordId.optional(),
  supersededBy: recordId.optional(),
  supersededAt: instant.optional(),
  validFrom: instant.optional(),
  validTo: instant.optional(),
});

export interface RecordLine {
  record: MemoryRecord;
  /** 1-based: the last line of its id. */
  line: number;
}

/** The records of a file, in the order of their first lines; one whose last line has no text was deleted. */
export function parseRecordLines(text: string): RecordLine[] {
  const latest = new Map<RecordId, RecordLine>();
  for (const [index, line] of text.split("\n").entries()) {
    const record = parseRecord(line);
    if (record !== undefined) latest.set(record.id, { record, line: index + 1 });
  }
  return [...latest.values()].filter(({ record }) => record.text.trim() !== "");
}

export function parseRecords(text: string): MemoryRecord[] {
  return parseRecordLines(text).map(({ record }) => record);
}

export function printRecord(record: MemoryRecord): string {
  const { at, recordedAt, validFrom, validTo, supersededAt, ...rest } = record;
  return JSON.stringify({
    schema: RECORD_SCHEMA,
    ...rest,
    at: isoOf(at),
    recordedAt: isoOf(recordedAt),
    validFrom: printed(validFrom),
    validTo: printed(validTo),
    supersededAt: printed(supersededAt),
  });
}

function printed(at: EpochMs | undefined): string | undefined {
  return at === undefined ? undefined : isoOf(at);
}

/** Undefined for what is torn, or a person's: the lines around it stand by themselves. */
function parseRecord(line: string): MemoryRecord | undefined {
  const { data } = shape.safeParse(ifReadable((): unknown => JSON.parse(line)));
  if (data === undefined) return undefined;
  const { schema: _schema, ...record } = data;
  return defined(record);
}

/** A scope's records stand by month, what is of user level in one file for each user. */
export type RecordPlace = { scope: ScopeId } | { user: string };

export function placeOfRecord({ level, scope, user }: MemoryRecord): RecordPlace {
  return level === "user" && user !== undefined ? { user } : { scope };
}

/** Those of a place that stand. */
export async function recordFiles(disk: Disk, workspace: Workspace, place: RecordPlace): Promise<string[]> {
  if ("scope" in place) return recordFilesUnder(disk, workspace, memoryDir(place.scope));
  const paths = userRecordsPaths(place.user);
  const stats = await Promise.all(paths.map((path) => disk.stat(at(workspace, path))));
  return paths.filter((_path, index) => stats[index]?.kind === "file");
}

/** The same of a scope by its folder, `memory/scopes/main%3Adocs`. */
export function recordFilesUnder(disk: Disk, workspace: Workspace, scopeDir: string): Promise<string[]> {
  return linesFilesIn(disk, workspace, `${scopeDir}/records`);
}

/** Of every scope and every user. */
export async function allRecordFiles(disk: Disk, workspace: Workspace): Promise<string[]> {
  const scopes = await disk.list(at(workspace, "memory/scopes"));
  const folders = [
    "memory/records",
    "memory/records/users",
    ...scopes.flatMap(({ kind, name }) => (kind === "dir" ? [`memory/scopes/${name}/records`] : [])),
  ];
  return (await Promise.all(folders.map((folder) => linesFilesIn(disk, workspace, folder)))).flat();
}

async function linesFilesIn(disk: Disk, workspace: Workspace, folder: string): Promise<string[]> {
  const entries = await disk.list(at(workspace, folder));
  return entries
    .filter(({ kind, name }) => kind === "file" && name.endsWith(".jsonl"))
    .map(({ name }) => `${folder}/${name}`);
}
