/**
 * `memory/records/*.jsonl`: remembered things, one line each. The last line of
 * an id counts; a line that is none is left alone.
 *
 * Pure. Appending is protocol/jsonl.ts.
 */
import { z } from "zod";
import { defined } from "../model/defined.js";
import type { MessageId } from "../model/message.js";
import type { ScopeId } from "../model/address.js";
import { RECORD_KINDS, RECORD_SCHEMA, type MemoryRecord, type RecordId } from "../model/record.js";
import { isoOf, parseInstant, type EpochMs } from "../model/time.js";

const instant = z.string().transform((text, context): EpochMs => {
  const at = parseInstant(text);
  if (at !== undefined) return at;
  context.addIssue("is no ISO 8601 time");
  return z.NEVER;
});

const shape = z.looseObject({
  schema: z.literal(RECORD_SCHEMA),
  id: z.string().min(1),
  kind: z.enum(RECORD_KINDS),
  level: z.enum(["user", "scope", "session"]),
  user: z.string().min(1).optional(),
  scope: z.string().min(1),
  session: z.string().min(1).optional(),
  perspective: z.string().optional(),
  text: z.string(),
  at: instant,
  allDay: z.literal(true).optional(),
  recordedAt: instant,
  isAbsolute: z.boolean(),
  sources: z.array(z.string()),
  trust: z.enum(["human", "agent", "tool", "document"]),
  supersedes: z.string().optional(),
  supersededBy: z.string().optional(),
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

function parseRecord(line: string): MemoryRecord | undefined {
  if (line.trim() === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // Torn, or a person's: the lines around it stand by themselves.
    return undefined;
  }
  const parsed = shape.safeParse(value);
  if (!parsed.success) return undefined;
  const { id, kind, level, user, scope, session, perspective, text, at, recordedAt } = parsed.data;
  const { allDay, isAbsolute, sources, trust, supersedes, supersededBy, supersededAt, validFrom, validTo } =
    parsed.data;
  return defined({
    id: id as RecordId,
    kind,
    level,
    scope: scope as ScopeId,
    text,
    at,
    recordedAt,
    isAbsolute,
    sources: sources as MessageId[],
    trust,
    allDay,
    user,
    session,
    perspective,
    supersedes: supersedes as RecordId | undefined,
    supersededBy: supersededBy as RecordId | undefined,
    supersededAt,
    validFrom,
    validTo,
  });
}
