/**
 * The journal: every message as memd first saw it, before anything else
 * happens to it. What stands here durably is never lost.
 *
 * One file per day of arrival, read in the order of writing even where the clock
 * was set back. A line is a message (or a new version of one), a second name for
 * a message, the keys whose verbatim block was written, or what a host took out
 * of its history or put back.
 */
import { defined, groupBy } from "../model/collections.js";
import * as z from "zod";
import type { FiledMessage, MessageId } from "../model/message.js";
import { idOfKey, keyOf, type MessageKey, type ScopeId, scopeOfKey } from "../model/address.js";
import { isoOf, parseInstant, type Day, type EpochMs } from "../model/time.js";
import type { Disk } from "../platform/disk.js";
import { type JournalFile, journalFiles, journalPath, journalPaths } from "./journal-files.js";
import { appendLines, breaksIn, type Line as ReadLine, NotSynced, readLines, readLinesAt } from "./jsonl.js";
import { isObject, parseMessage, printMessage, withId } from "./message.js";
import type { FileWriter } from "./publish.js";
import { at, type Workspace } from "./workspace.js";

/** Where a message was first seen. */
export const ORIGINS = ["history", "inbox", "drop", "import", "hook", "salvage"] as const;
export type Origin = (typeof ORIGINS)[number];

/** What comes so turns up neither in history.json nor in the inbox. */
export function standsAlone(from: Origin | "verbatim"): boolean {
  return from === "import" || from === "hook";
}

/** It came as what waits for the agent. */
export function isInput(from: Origin | "verbatim"): boolean {
  return from === "inbox" || from === "drop";
}

export interface SettledKey {
  key: MessageKey;
  /** Of the version whose block was written. */
  hash: string;
  /** Of role, session and time: another message under the same id is told apart by it. */
  place?: string;
}

export type JournalEntry =
  | { op: "message"; from: Origin; seenAt: EpochMs; filed: FiledMessage }
  /** `key` is another name of the message `of`. */
  | { op: "alias"; key: MessageKey; of: MessageKey }
  /** These keys have their verbatim block, of a text with this hash. */
  | { op: "settled"; keys: SettledKey[] }
  /** The host took these out of history.json while an older message stayed; or put them back. */
  | { op: "removed" | "restored"; keys: MessageKey[] };

const line = z.discriminatedUnion("op", [
  z.object({
    op: z.literal("message"),
    from: z.enum(ORIGINS),
    seenAt: z.string(),
    filedAt: z.string(),
    for: z.string().optional(),
    message: z.custom<unknown>((value) => typeof value === "object" && value !== null),
  }),
  z.object({ op: z.literal("alias"), scope: z.string(), id: z.string(), of: z.string() }),
  z.object({
    op: z.literal("settled"),
    scope: z.string(),
    keys: z.array(z.tuple([z.string(), z.string(), z.string()]).or(z.tuple([z.string(), z.string()]))),
  }),
  z.object({ op: z.enum(["removed", "restored"]), scope: z.string(), ids: z.array(z.string()) }),
]);

export function printJournalEntry(entry: JournalEntry): string[] {
  switch (entry.op) {
    case "message": {
      const { op, from, filed } = entry;
      const times = { seenAt: isoOf(entry.seenAt), filedAt: isoOf(filed.filedAt) };
      return [
        JSON.stringify({ op, from, ...times, for: filed.belongsTo, message: printMessage(filed.message) }),
      ];
    }
    case "alias": {
      const { op, key, of } = entry;
      return [JSON.stringify({ op, scope: scopeOfKey(key), id: idOfKey(key), of: idOfKey(of) })];
    }
    case "settled":
      return [...groupBy(entry.keys, ({ key }) => scopeOfKey(key))].map(([scope, settled]) => {
        const keys = settled.map(({ key, hash, place }) => [
          idOfKey(key),
          hash,
          ...(place === undefined ? [] : [place]),
        ]);
        return JSON.stringify({ op: "settled", scope, keys });
      });
    case "removed":
    case "restored":
      return [...groupBy(entry.keys, scopeOfKey)].map(([scope, keys]) =>
        JSON.stringify({ op: entry.op, scope, ids: keys.map(idOfKey) }),
      );
    default:
      return entry satisfies never;
  }
}

/** Undefined for a line of another shape, such as one of a later version. */
export function parseJournalEntry(value: unknown): JournalEntry | undefined {
  const data = messageLine(value) ?? settledLine(value) ?? line.safeParse(value).data;
  if (data === undefined) return undefined;
  switch (data.op) {
    case "message": {
      const message = parseMessage(data.message);
      const filedAt = parseInstant(data.filedAt);
      const seenAt = parseInstant(data.seenAt);
      if (message?.id === undefined || filedAt === undefined || seenAt === undefined) return undefined;
      const filed = defined({ message: withId(message, message.id), filedAt, belongsTo: data.for });
      return { op: "message", from: data.from, seenAt, filed };
    }
    case "alias":
      return { op: "alias", key: keyIn(data, data.id), of: keyIn(data, data.of) };
    case "settled": {
      const keys = data.keys.map(([id, hash, place]) => defined({ key: keyIn(data, id), hash, place }));
      return { op: "settled", keys };
    }
    case "removed":
    case "restored":
      return { op: data.op, keys: data.ids.map((id) => keyIn(data, id)) };
    default:
      return data satisfies never;
  }
}

type Line = z.infer<typeof line>;

/** What nearly every line is, read without the schema that tells all of them apart. */
function messageLine(value: unknown): Extract<Line, { op: "message" }> | undefined {
  if (!isObject(value) || value["op"] !== "message") return undefined;
  const { from, seenAt, filedAt, for: belongsTo, message } = value;
  const origin = ORIGINS.find((one) => one === from);
  if (origin === undefined || typeof seenAt !== "string" || typeof filedAt !== "string") return undefined;
  if (!isObject(message) || !(belongsTo === undefined || typeof belongsTo === "string")) return undefined;
  return { op: "message", from: origin, seenAt, filedAt, for: belongsTo, message };
}

/** The same for the keys of thousands. */
function settledLine(value: unknown): Extract<Line, { op: "settled" }> | undefined {
  if (!isObject(value) || value["op"] !== "settled") return undefined;
  const { scope, keys } = value;
  if (typeof scope !== "string" || !Array.isArray(keys)) return undefined;
  const isKey = (key: unknown): key is [string, string] | [string, string, string] =>
    Array.isArray(key) &&
    (key.length === 2 || key.length === 3) &&
    key.every((part) => typeof part === "string");
  return keys.every(isKey) ? { op: "settled", scope, keys } : undefined;
}

function keyIn({ scope }: { scope: string }, id: string): MessageKey {
  return keyOf(scope as ScopeId, id as MessageId);
}

/** Where an entry stands. */
export interface JournalPlace {
  /** Relative. */
  path: string;
  /** 1-based. */
  line: number;
}

export interface PlacedEntry {
  entry: JournalEntry;
  place: JournalPlace;
}

export interface Journal {
  /** Returns once every entry is durable, with the place of each; nothing counts as seen before. */
  append(entries: readonly JournalEntry[], day: Day): Promise<JournalPlace[]>;
  /** Whoever has read a file need not have its lines counted once more. */
  counted(path: string, lines: number): void;
}

export function openJournal(writer: FileWriter, workspace: Workspace): Journal {
  /** The file in use: the newest there is; after a failed fsync, or where it is large, the one behind it. */
  let newest: JournalFile | undefined;
  const fileOf = async (day: Day): Promise<JournalFile> => {
    newest ??= await fileInUse(writer.disk, workspace);
    if (newest === undefined) return { day, era: 1, part: 1 };
    if (newest.day === day) return newest;
    // A day before the newest one: the clock was set back, and what comes now is the newest all the same.
    return { day, era: newest.day < day ? newest.era : newest.era + 1, part: 1 };
  };
  const linesIn = new Map<string, number>();
  const append = async (entries: readonly JournalEntry[], path: string): Promise<JournalPlace[]> => {
    const counts: number[] = [];
    const printed = function* (): Generator<string> {
      for (const entry of entries) {
        const lines = printJournalEntry(entry);
        counts.push(lines.length);
        yield* lines;
      }
    };
    let line =
      linesIn.get(path) ?? breaksIn((await writer.disk.read(at(workspace, path))) ?? new Uint8Array());
    if (await appendLines(writer, workspace, at(workspace, path), printed())) line++;
    const places = counts.map((count): JournalPlace => {
      line += count;
      return { path, line: line - count + 1 };
    });
    linesIn.set(path, line);
    return places;
  };
  return {
    counted: (path, lines) => void linesIn.set(path, lines),
    append: async (entries, day) => {
      if (entries.length === 0) return [];
      const file = await fileOf(day);
      const next = { ...file, part: file.part + 1 };
      newest = file;
      const appendTo = async (to: JournalFile): Promise<JournalPlace[]> => {
        try {
          return await append(entries, journalPath(to));
        } catch (error) {
          linesIn.clear();
          // What that descriptor holds is unknown now: nothing more goes to this file.
          if (error instanceof NotSynced) newest = { ...to, part: to.part + 1 };
          throw error;
        }
      };
      try {
        return await appendTo(file);
      } catch (error) {
        if (!(error instanceof NotSynced)) throw error;
        // The whole batch goes to a new file. Lines that stand twice count once.
        return appendTo(next);
      }
    },
  };
}

/** A start need not read once more what an import of years brought, for the few lines that came behind it. */
const MOST_BYTES = 4 * 1024 * 1024;

async function fileInUse(disk: Disk, workspace: Workspace): Promise<JournalFile | undefined> {
  const last = (await journalFiles(disk, workspace)).at(-1);
  if (last === undefined) return undefined;
  const stat = await disk.stat(at(workspace, journalPath(last)));
  return (stat?.size ?? 0) > MOST_BYTES ? { ...last, part: last.part + 1 } : last;
}

/** Makes durable what stands in the journal: lines that another process wrote and may not have lived to fsync. */
export async function syncJournal(disk: Disk, workspace: Workspace): Promise<void> {
  for (const path of await journalPaths(disk, workspace)) {
    const file = await disk.openAppend(at(workspace, path));
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  }
}

/** All entries with their places, oldest file first; each is read when it is asked for. */
export async function* readJournal(disk: Disk, workspace: Workspace): AsyncGenerator<PlacedEntry> {
  for (const path of await journalPaths(disk, workspace))
    yield* entriesIn(path, await disk.read(at(workspace, path)));
}

export async function readJournalFile(
  disk: Disk,
  workspace: Workspace,
  path: string,
): Promise<PlacedEntry[]> {
  return [...entriesIn(path, await disk.read(at(workspace, path)))];
}

/** Of these lines of a file's bytes; 1-based, in order. */
export function* journalLinesIn(
  path: string,
  bytes: Uint8Array,
  lines: readonly number[],
): Generator<PlacedEntry> {
  yield* entriesOf(path, readLinesAt(bytes, lines));
}

/** Of a file's bytes, or of those behind so many of its lines. */
export function* entriesIn(
  path: string,
  bytes: Uint8Array = new Uint8Array(),
  behind = 0,
): Generator<PlacedEntry> {
  yield* entriesOf(path, readLines(bytes), behind);
}

function* entriesOf(path: string, lines: Iterable<ReadLine>, behind = 0): Generator<PlacedEntry> {
  for (const { value, line } of lines) {
    const entry = parseJournalEntry(value);
    if (entry !== undefined) yield { entry, place: { path, line: behind + line } };
  }
}
