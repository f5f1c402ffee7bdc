/** `memd import`: the past that files of other agents, exports and notes hold. */
import { addAll } from "../model/collections.js";
import { candidatesAt, fromText, type FileOutcome, tellingsOf } from "../adapters/gather.js";
import { listedMessages, messagesOf, type Wanted } from "../adapters/given.js";
import type { Fields } from "../adapters/fields.js";
import type { Kind } from "../adapters/kinds.js";
import { ofConversations, type Past, pastOf, withoutOwnNotes } from "../adapters/past.js";
import { projectOf, scopeOfProject } from "../adapters/project.js";
import type { Conversation, Skipped } from "../adapters/told.js";
import { naturalHash } from "../archive/identity.js";
import type { Memd } from "../library/running.js";
import type { ScopeId } from "../model/address.js";
import { MemdError, messageOf } from "../model/errors.js";
import { boundOf } from "../model/time.js";
import { nodeDisk } from "../platform/node-disk.js";
import { basename, relative, resolve } from "../platform/files.js";
import { currentDir, readStandardInput } from "../platform/process.js";
import { parseMessage } from "../protocol/message.js";
import { OWN_FOLDERS } from "../protocol/workspace.js";
import { openWorkspace, type CommonOptions } from "./context.js";
import { dateFlag, zoneOfWorkspace } from "./dates.js";
import { withMemd } from "./memd.js";
import { type Done, listed, nothingIn, type Part, progress, report } from "./import-report.js";

const BATCH_MESSAGES = 4000;
const BATCH_CHARS = 4 * 1024 * 1024;
const MB = 1_000_000;

type ImportFlags = CommonOptions & {
  from?: Kind;
  list?: boolean;
  project?: string;
  since?: string;
  tools?: boolean;
};

export async function importPast(places: readonly string[], options: ImportFlags): Promise<void> {
  const whole = await exportAmong(places);
  if (whole !== undefined) return importWhole(whole, places, options);
  const wanted = await wantedOf(options);
  const telling = toldIn(await standingAt(places, options), wanted, options);
  if (options.list === true) {
    const { past, parts } = await telling;
    return listed(past, parts, options);
  }
  // Who is to take them in comes up while they are read. What is wrong with them is told from there.
  telling.catch(() => undefined);
  const { past, parts, done } = await withMemd(options, "changes", async (memd) => {
    const told = await telling;
    if (told.parts.length === 0 && told.past.notes.length === 0) throw nothingIn(places, told.past);
    return { ...told, done: await taken(memd, told.past, told.parts, options) };
  });
  report(past, parts, done, options);
}

/** What stands in these places, with nothing of it taken in yet. */
export async function toldAt(
  places: readonly string[],
  options: ImportFlags,
): Promise<{ past: Past; parts: Part[] }> {
  const wanted = await wantedOf(options);
  return toldIn(await standingAt(places, options), wanted, options);
}

async function toldIn(
  standing: readonly string[],
  wanted: Wanted,
  options: ImportFlags,
): Promise<{ past: Past; parts: Part[] }> {
  const whole = pastOf(await outcomesOf(standing, options));
  const past = options.project === undefined ? whole : ofConversations(whole);
  return { past, parts: await partsOf(past, options, wanted) };
}

export function takenIn(past: Past, parts: readonly Part[], options: ImportFlags): Promise<Done> {
  return withMemd(options, "changes", (memd) => taken(memd, past, parts, options));
}

async function taken(memd: Memd, past: Past, parts: readonly Part[], options: ImportFlags): Promise<Done> {
  const done = { messages: 0, fresh: 0, documents: 0 };
  for (const { messages, more } of withMore(batchesOf(parts))) {
    const answer = await memd.ask("importMessages", { messages, more });
    done.fresh += answer.fresh;
    done.messages += messages.length;
    progress(options, `${done.messages} messages …`);
  }
  for (const note of past.notes) {
    try {
      const { document } = await memd.ask("addDocument", { ...note });
      if (document.outcome !== "same") done.documents++;
    } catch (error) {
      past.passed.push({ file: note.source, why: messageOf(error) });
    }
    progress(options, `${done.documents} documents …`);
  }
  return done;
}

/** What memd exported, or another workspace. */
async function exportAmong(places: readonly string[]): Promise<string | undefined> {
  const { isIncoming } = await import("../export/incoming.js");
  for (const place of places) {
    const path = place === "-" ? undefined : await nodeDisk.realPath(resolve(currentDir(), place));
    if (path !== undefined && (await isIncoming(nodeDisk, path))) return path;
  }
  return undefined;
}

async function importWhole(path: string, places: readonly string[], options: ImportFlags): Promise<void> {
  const { from, list, project, since, tools } = options;
  if (places.length > 1 || [from, list, project, since, tools].some((flag) => flag !== undefined))
    throw new MemdError("usage", "What memd exported is imported by itself, and whole: leave the rest out.");
  await (await import("./import-export.js")).importExport(path, options);
}

/** The files and folders themselves; `-` stays. Throws where there is none, and for the workspace's own. */
async function standingAt(places: readonly string[], options: ImportFlags): Promise<string[]> {
  const { root } = await openWorkspace(options);
  const standing: string[] = [];
  for (const place of places) {
    const path = place === "-" ? place : await nodeDisk.realPath(resolve(currentDir(), place));
    if (path === undefined) throw absent(place);
    if (place !== "-" && isOwnFolder(relative(root, path)))
      throw new MemdError("usage", `${place} is this workspace itself.`);
    standing.push(path);
  }
  return standing;
}

function absent(place: string): MemdError {
  return new MemdError("input_missing", `There is no file or folder ${place}.`);
}

async function outcomesOf(standing: readonly string[], options: ImportFlags): Promise<FileOutcome[]> {
  const outcomes: FileOutcome[] = [];
  const asking = { kind: options.from, withoutResults: options.tools !== true };
  for (const path of standing) {
    if (path === "-") {
      outcomes.push(
        fromText({ path: "standard-input.jsonl", bytes: await readStandardInput() }, undefined, asking),
      );
      continue;
    }
    const candidates = await candidatesAt(nodeDisk, path, basename(path));
    if (candidates === undefined) throw absent(path);
    const total = candidates.reduce((sum, { stat }) => sum + stat.size, 0);
    const there: FileOutcome[] = [];
    let read = 0;
    for await (const { candidate, outcomes: told } of tellingsOf(nodeDisk, candidates, asking)) {
      addAll(there, told);
      read += candidate.stat.size;
      progress(options, `${(read / MB).toFixed(1)} of ${(total / MB).toFixed(1)} MB read …`);
    }
    addAll(outcomes, withoutOwnNotes(there));
  }
  return outcomes;
}

/** What memd wrote itself is nobody's past. */
function isOwnFolder(inside: string): boolean {
  return inside === "" || OWN_FOLDERS.has(inside.split("/")[0] ?? "");
}

/** Conversations of the wanted projects, oldest first; lists of messages are of no project. */
async function partsOf(past: Past, options: ImportFlags, wanted: Wanted): Promise<Part[]> {
  const projects = new Map<string, string>();
  const parts: Part[] = [];
  for (const { kind, conversation } of past.conversations) {
    const scope = await scopeOf(conversation, projects);
    if (options.project !== undefined && !isOf(options.project, conversation, projects, scope)) continue;
    const messages = messagesOf(conversation, scope, wanted);
    if (messages.length === 0) continue;
    const title = conversation.title ?? conversation.id;
    parts.push({ kind, title, scope: String(messages[0]?.["scope"]), messages });
  }
  for (const { file, messages } of past.lists) {
    const readable = withIds(listedMessages(messages, wanted, past.skipped), past.skipped);
    if (readable.length > 0) parts.push({ kind: "messages", title: file, scope: "", messages: readable });
  }
  return parts;
}

async function wantedOf(options: ImportFlags): Promise<Wanted> {
  return { tools: options.tools === true, isInTime: await since(options) };
}

/** Days are those of the workspace's time zone. */
async function since(options: ImportFlags): Promise<Wanted["isInTime"]> {
  const text = await dateFlag(options, "since", options.since);
  const bound = text === undefined ? undefined : boundOf(text);
  if (bound === undefined) return undefined;
  if ("at" in bound) return (at) => at >= bound.at;
  const zone = await zoneOfWorkspace(options);
  return (at) => zone.dayOf(at) >= bound.day;
}

async function scopeOf(
  { project }: Conversation,
  projects: Map<string, string>,
): Promise<ScopeId | undefined> {
  if (project === undefined) return undefined;
  const known = projects.get(project) ?? (await projectOf(nodeDisk, project));
  projects.set(project, known);
  return scopeOfProject(known);
}

/** By its name, by the scope that it becomes, or by a folder of it. */
function isOf(
  asked: string,
  { project }: Conversation,
  projects: ReadonlyMap<string, string>,
  scope: string | undefined,
): boolean {
  const known = project === undefined ? undefined : projects.get(project);
  if (known === undefined || project === undefined) return false;
  return [scope, known, project, basename(known)].some(
    (name) => name === asked || name === resolve(currentDir(), asked),
  );
}

/**
 * With ids, where they have none. Equal ones are counted over the whole file,
 * so a repeated import gives the same ids; where no time tells an imported
 * message from one that was said here, its id keeps it apart.
 */
function withIds(messages: readonly Fields[], skipped: Skipped): Fields[] {
  const counts = new Map<string, number>();
  return messages.flatMap((raw): Fields[] => {
    const message = parseMessage(raw);
    if (message === undefined) {
      skipped.note("messages without words");
      return [];
    }
    if (message.id !== undefined) return [raw];
    const natural = `${message.createdAt === "" ? "i" : "n"}-${naturalHash(message)}`;
    const count = (counts.get(natural) ?? 0) + 1;
    counts.set(natural, count);
    return [{ ...raw, id: count === 1 ? natural : `${natural}-${count}` }];
  });
}

/** Characters, about: what tools gave is told beside the text. */
function lengthOf(message: Fields): number {
  const lengths = Object.values(message).map((value) =>
    typeof value === "string" ? value.length : typeof value === "object" ? JSON.stringify(value).length : 0,
  );
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** Each with whether another follows. */
function* withMore(batches: Iterable<Fields[]>): Generator<{ messages: Fields[]; more: boolean }> {
  let last: Fields[] | undefined;
  for (const messages of batches) {
    if (last !== undefined) yield { messages: last, more: true };
    last = messages;
  }
  if (last !== undefined) yield { messages: last, more: false };
}

function* batchesOf(parts: readonly Part[]): Generator<Fields[]> {
  let batch: Fields[] = [];
  let chars = 0;
  for (const { messages } of parts)
    for (const message of messages) {
      batch.push(message);
      chars += lengthOf(message);
      if (batch.length < BATCH_MESSAGES && chars < BATCH_CHARS) continue;
      yield batch;
      [batch, chars] = [[], 0];
    }
  if (batch.length > 0) yield batch;
}
