/**
 * What the files of other agents tell: every file of the places that were named, one after the
 * other. One that cannot be read says why, and costs no other.
 */
import { defined } from "../model/collections.js";
import { messageOf } from "../model/errors.js";
import { isoOf, epochMs } from "../model/time.js";
import type { Disk, FileStat } from "../platform/disk.js";
import { basename, dirname, join } from "../platform/files.js";
import { fieldsOf, objectsIn, stringOf } from "./fields.js";
import type { Kind } from "./kinds.js";
import { readNote } from "./notes/markdown.js";
import { isOfItself, keysInIndex } from "./openclaw/keys.js";
import { isOpenClawStore, readOpenClaw } from "./openclaw/store.js";
import { type Unpacked, unzipped, unzstandarded } from "./packed.js";
import { piecesOf } from "./pieces.js";
import { INDEX_OF_KEYS, isNote, isStore, mayHoldTalk, mayTell, mayTellInside, TAKEN_OVER } from "./places.js";
import { type Reading, readTold } from "./read.js";
import { type Conversation, Skipped, type Source } from "./told.js";

/** A file that may tell something. */
export interface Candidate {
  path: string;
  /** As it is shown: below the place that was named. */
  shown: string;
  stat: FileStat;
}

/** What a file, or one file of a zip, told. */
export interface Telling extends Reading {
  /** As it is shown. */
  file: string;
}

export type FileOutcome = { is: "told"; telling: Telling } | { is: "passed"; file: string; why: string };

/** What several files say of one another, known before any of them is read. */
interface Beside {
  /** Keys of sessions, by folder. */
  keys: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Sessions of Codex that were another agent's. */
  takenOver: ReadonlySet<string>;
}

/** In the order of their names. `place` is a file or a folder; undefined where nothing stands there. */
export async function candidatesAt(
  disk: Disk,
  place: string,
  shown: string,
): Promise<Candidate[] | undefined> {
  const stat = await disk.stat(place);
  if (stat?.kind === "file") return [{ path: place, shown, stat }];
  if (stat?.kind !== "dir") return undefined;
  const found: Candidate[] = [];
  const look = async (dir: string, below: string): Promise<void> => {
    const entries = await disk.list(dir);
    const names = new Set(entries.map(({ name }) => name));
    for (const { name, kind } of entries) {
      const path = join(dir, name);
      const at = below === "" ? name : `${below}/${name}`;
      if (kind === "dir" && mayHoldTalk(name)) await look(path, at);
      // The one that goes on is the plain one.
      const isOld = name.endsWith(".zst") && names.has(name.slice(0, -".zst".length));
      if (kind !== "file" || !mayTell(name) || isOld) continue;
      const its = await disk.stat(path);
      if (its?.kind === "file" && its.size > 0) found.push({ path, shown: join(shown, at), stat: its });
    }
  };
  await look(place, "");
  return found;
}

/** How files are read. */
interface Asking extends Pick<Source, "withoutResults"> {
  /** What all of them are, where somebody says so. */
  kind?: Kind | undefined;
}

/** Each outcome as soon as its file is read. */
export async function* tellingsOf(
  disk: Disk,
  candidates: readonly Candidate[],
  asking: Asking = {},
): AsyncGenerator<{ candidate: Candidate; outcomes: FileOutcome[] }> {
  const beside = await besideOf(disk, candidates);
  const told = candidates.filter(({ path }) => !SAYS_OF_OTHERS.has(basename(path)));
  // The next one is read while this one is gone through.
  let ahead = whatIsIn(disk, told[0]);
  for (const [index, candidate] of told.entries()) {
    const held = await ahead;
    ahead = whatIsIn(disk, told[index + 1]);
    yield { candidate, outcomes: await outcomesOf(candidate, held, beside, asking) };
  }
}

type Held = { bytes: Uint8Array } | { error: unknown };

/** Of one that is read by its path nothing. */
async function whatIsIn(disk: Disk, candidate: Candidate | undefined): Promise<Held> {
  try {
    const isRead = candidate !== undefined && !isStore(candidate.path);
    return { bytes: (isRead ? await disk.read(candidate.path) : undefined) ?? new Uint8Array() };
  } catch (error) {
    return { error };
  }
}

const SAYS_OF_OTHERS: ReadonlySet<string> = new Set([INDEX_OF_KEYS, TAKEN_OVER]);

async function besideOf(disk: Disk, candidates: readonly Candidate[]): Promise<Beside> {
  const keys = new Map<string, ReadonlyMap<string, string>>();
  const takenOver = new Set<string>();
  for (const { path } of candidates) {
    if (!SAYS_OF_OTHERS.has(basename(path))) continue;
    const value = await valueOf(disk, path);
    if (basename(path) === INDEX_OF_KEYS) keys.set(dirname(path), keysInIndex(value));
    for (const { imported_thread_id: id } of objectsIn(fieldsOf(value)["records"]))
      if (stringOf(id) !== undefined) takenOver.add(String(id));
  }
  return { keys, takenOver };
}

/** Undefined for what is no JSON. */
async function valueOf(disk: Disk, path: string): Promise<unknown> {
  try {
    return JSON.parse(new TextDecoder().decode(await disk.read(path)));
  } catch {
    return undefined;
  }
}

async function outcomesOf(
  { path, shown, stat }: Candidate,
  held: Held,
  beside: Beside,
  asking: Asking,
): Promise<FileOutcome[]> {
  const changedAt = isoOf(epochMs(stat.mtimeMs));
  try {
    if (isStore(path)) return [await fromStore(path, shown)];
    if ("error" in held) throw held.error;
    return unpackedOf(shown, held.bytes).map((file): FileOutcome => {
      const outcome = fromText(file, changedAt, asking);
      return outcome.is === "told"
        ? { is: "told", telling: among(outcome.telling, dirname(path), beside) }
        : outcome;
    });
  } catch (error) {
    return [{ is: "passed", file: shown, why: messageOf(error) }];
  }
}

function unpackedOf(shown: string, bytes: Uint8Array): Unpacked[] {
  if (/\.zst$/i.test(shown)) return [{ path: shown.replace(/\.zst$/i, ""), bytes: unzstandarded(bytes) }];
  if (!/\.zip$/i.test(shown)) return [{ path: shown, bytes }];
  return unzipped(bytes, mayTellInside).map((file) => ({ ...file, path: `${shown}/${file.path}` }));
}

async function fromStore(path: string, shown: string): Promise<FileOutcome> {
  // Who follows transcripts may never meet one.
  const { openDatabase } = await import("../platform/sqlite.js");
  const db = openDatabase(path, "read", STORE_CACHE_KB);
  try {
    if (!isOpenClawStore(db)) return { is: "passed", file: shown, why: UNKNOWN };
    const skipped = new Skipped();
    const conversations = readOpenClaw(db, skipped);
    return {
      is: "told",
      telling: { file: shown, kind: "openclaw", conversations, notes: [], messages: [], skipped },
    };
  } finally {
    db.close();
  }
}

const STORE_CACHE_KB = 4096;
const UNKNOWN = "it is of no kind that memd knows";

/** A file that is at hand already. */
export function fromText(
  { path, bytes }: Unpacked,
  changedAt: string | undefined,
  { kind: asked, withoutResults }: Asking = {},
): FileOutcome {
  const name = basename(path);
  try {
    if (asked === "notes" || (asked === undefined && isNote(name))) return fromNote(path, bytes, changedAt);
    // Its pieces are asked for more than once; what is left out of them is counted once.
    let skipped = new Skipped();
    const pieces = (): Iterable<string> => piecesOf(bytes, (skipped = new Skipped()));
    const reading = readTold(pieces, defined({ name, changedAt, withoutResults }), asked);
    if (reading === undefined) return { is: "passed", file: path, why: UNKNOWN };
    for (const [why, times] of skipped.counts) reading.skipped.note(why, times);
    return { is: "told", telling: { file: path, ...reading } };
  } catch (error) {
    return { is: "passed", file: path, why: messageOf(error) };
  }
}

function fromNote(path: string, bytes: Uint8Array, changedAt: string | undefined): FileOutcome {
  const note = readNote(path, [...piecesOf(bytes, new Skipped())].join(""), changedAt);
  if (note === undefined) return { is: "passed", file: path, why: "it is empty" };
  return {
    is: "told",
    telling: {
      file: path,
      kind: "notes",
      conversations: [],
      notes: [note],
      messages: [],
      skipped: new Skipped(),
    },
  };
}

/** With what the files beside it say of its conversations. */
function among(telling: Telling, folder: string, { keys, takenOver }: Beside): Telling {
  const own = keys.get(folder);
  const isAgents = own !== undefined && telling.kind === "pi";
  const conversations = telling.conversations.flatMap((conversation): Conversation[] => {
    const key = own?.get(conversation.id);
    const why = takenOver.has(conversation.id)
      ? "conversations of another agent"
      : key !== undefined && isOfItself(key)
        ? "talk of the agent with itself"
        : undefined;
    if (why !== undefined) {
      telling.skipped.note(why);
      return [];
    }
    // Where OpenClaw keeps its files is no project.
    return [isAgents ? { id: key ?? conversation.id, messages: conversation.messages } : conversation];
  });
  return { ...telling, kind: isAgents ? "openclaw" : telling.kind, conversations };
}
