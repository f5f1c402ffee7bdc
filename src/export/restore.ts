/**
 * The files of an export come into a workspace. Into an empty one all of them as they are; into one
 * that has something what it lacks: the rest is kept in `conflicts/` or left out, and told. Messages
 * come there through the intake, and not from here.
 *
 * Settings and prompts of another are never put in force. Killed in between, the same import goes on:
 * what stands here is then what comes, and no more.
 */
import { MemdError } from "../model/errors.js";
import type { EpochMs } from "../model/time.js";
import type { Disk } from "../platform/disk.js";
import { basename, dirname, join } from "../platform/files.js";
import { templateFolder } from "../platform/package-root.js";
import { setAside } from "../protocol/conflicts.js";
import { printDocument, readableDocument } from "../protocol/document.js";
import { type FileWriter, ifReadable, publish, publishNew, textIn } from "../protocol/publish.js";
import { openVerbatim } from "../protocol/verbatim.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import { ownedFiles } from "./copy.js";
import { mergeForgotten, mergeRecords } from "./merge.js";
import type { MessagesAtRest } from "./messages.js";
import { partOf } from "./owned.js";

/** Where the settings of another stand until somebody accepts them. */
const IMPORTED_SETTINGS = `${FILES.settings}.imported`;

export interface PutReport {
  /** That were put in their place. */
  files: number;
  records: number;
  /** Paths of what is in `conflicts/` now, since something else stands in its place. */
  beside: string[];
  /** What was not taken over, and why. */
  left: { path: string; why: string }[];
  /** Settings came along, and stand in this file. */
  settings?: string;
}

interface Work {
  writer: FileWriter;
  workspace: Workspace;
  from: MessagesAtRest;
  /** What stood here; absent where nothing did. */
  ours?: MessagesAtRest;
  now: EpochMs;
  report: PutReport;
}

/** Nothing stands here but what `init` makes, and what of `from` has come already. */
export async function isEmptyFor(from: MessagesAtRest, disk: Disk, workspace: Workspace): Promise<boolean> {
  for (const { path, size } of (await ownedFiles(disk, workspace)).files) {
    const part = partOf(path);
    if (size === 0 || part === "workspace" || part === "settings") continue;
    const bytes = (await disk.read(at(workspace, path))) ?? new Uint8Array();
    if (await isBlank(disk, path, bytes)) continue;
    const theirs = await from.disk.read(at(from.workspace, path));
    if (theirs === undefined) return false;
    if (!isSame(part === "documents" ? standingAlone(theirs) : theirs, bytes)) return false;
  }
  return true;
}

/** To be asked while nobody else writes. `ours`: what stands where the workspace is not empty. */
export async function putFiles(
  writer: FileWriter,
  workspace: Workspace,
  from: MessagesAtRest,
  ours: MessagesAtRest | undefined,
  now: EpochMs,
): Promise<PutReport> {
  const report: PutReport = { files: 0, records: 0, beside: [], left: [] };
  const work: Work = { writer, workspace, from, report, now, ...(ours && { ours }) };
  const { files, left } = await ownedFiles(from.disk, from.workspace);
  for (const path of left) report.left.push({ path, why: "it is neither file nor folder" });
  const places = new Set<string>();
  for (const { path } of files) {
    const bytes = await from.disk.read(at(from.workspace, path));
    if (bytes !== undefined) await putFile(work, path, bytes, places);
  }
  return report;
}

/** `places`: folders of topics that were not here. */
async function putFile(work: Work, path: string, bytes: Uint8Array, places: Set<string>): Promise<void> {
  const { ours, report } = work;
  const part = partOf(path);
  if (part === "workspace") return;
  if (part === "settings") return putSettings(work, path, bytes);
  if (part === "documents") return put(work, path, standingAlone(bytes));
  if (ours === undefined) return put(work, path, bytes);
  const taken = { ...work, ours };
  switch (part) {
    case "said":
      return;
    case "records":
      report.records += await mergeRecords(taken, path, bytes);
      return;
    case "forgotten":
      return mergeForgotten(taken, bytes);
    case "note":
      if (ifReadable(() => openVerbatim(bytes)) === undefined) await put(work, path, bytes);
      return;
    case "topics":
      if (await isFree(work, path, places)) await put(work, path, bytes);
      else report.left.push({ path, why: "topics are not merged" });
      return;
    case "other":
      return putOther(taken, path, bytes);
    default:
      return part satisfies never;
  }
}

/** Read again from a file that is not here, it would be taken for one that was removed. */
function standingAlone(bytes: Uint8Array): Uint8Array {
  const document = readableDocument(textIn(bytes) ?? "");
  if (document?.stamp === undefined) return bytes;
  const { stamp: _stamp, ...rest } = document;
  return Buffer.from(printDocument(rest));
}

async function putSettings(work: Work, path: string, bytes: Uint8Array): Promise<void> {
  const { writer, workspace, report } = work;
  const standing = await writer.disk.read(at(workspace, path));
  if (isSame(standing, bytes) || isSame(await templateOf(writer.disk, path), bytes)) return;
  if (path !== FILES.settings) return putBeside(work, path, bytes);
  await publish(writer, at(workspace, IMPORTED_SETTINGS), bytes);
  report.settings = IMPORTED_SETTINGS;
}

/** What is made of what was said. */
const DERIVED = /^memory\/(?:(?:scopes\/[^/]+\/)?(?:summary\/|window\/|memos\.json$)|profiles\/)/;
const PROFILE = "memory/profiles/";
const JOB = /^queue\/(?:pending|processing|failed)\//;

async function putOther(
  work: Work & { ours: MessagesAtRest },
  path: string,
  bytes: Uint8Array,
): Promise<void> {
  const { writer, workspace, ours, from, report } = work;
  const isGone = (): boolean => [...from.standing.keys()].some((key) => ours.forgotten.hasMessage(key));
  if (DERIVED.test(path) && !ours.forgotten.isEmpty && isGone())
    return void report.left.push({ path, why: "it may tell what was forgotten here" });
  if (DERIVED.test(path) && !path.startsWith(PROFILE)) {
    const standing = await writer.disk.read(at(workspace, path));
    if (standing !== undefined && !isSame(standing, bytes))
      return void report.left.push({ path, why: "this workspace has its own" });
  }
  if (JOB.test(path)) {
    const names = [FILES.pending, FILES.processing, FILES.failed].map((dir) => `${dir}/${basename(path)}`);
    const stats = await Promise.all(names.map((name) => writer.disk.stat(at(workspace, name))));
    if (stats.some((stat) => stat !== undefined)) return;
  }
  await put(work, path, bytes);
}

async function isFree({ writer, workspace }: Work, path: string, places: Set<string>): Promise<boolean> {
  const place = /^.*?\/topics(?:\/users\/[^/]+)?(?=\/)/.exec(path)?.[0] ?? dirname(path);
  if (places.has(place)) return true;
  const entries = await writer.disk.list(at(workspace, place));
  if (entries.some(({ kind }) => kind === "file")) return false;
  places.add(place);
  return true;
}

/** In its place, unless something else stands there. */
async function put(work: Work, path: string, bytes: Uint8Array): Promise<void> {
  const { writer, workspace, report } = work;
  const file = at(workspace, path);
  const standing = await writer.disk.read(file);
  if (isSame(standing, bytes)) return;
  if (standing === undefined) {
    if (await publishNew(writer, file, bytes)) report.files++;
    else throw new MemdError("file_contended", `${path} came into being while it was put there.`);
  } else if (await isBlank(writer.disk, path, standing)) {
    await publish(writer, file, bytes);
    report.files++;
  } else await putBeside(work, path, bytes);
}

async function putBeside(
  { writer, workspace, report }: Work,
  path: string,
  bytes: Uint8Array,
): Promise<void> {
  if (await setAside(writer, workspace, path, bytes, "imported")) report.beside.push(path);
}

/** Says nothing, or no more than memd put there itself. */
async function isBlank(disk: Disk, path: string, bytes: Uint8Array): Promise<boolean> {
  if (path === FILES.cursors || path === FILES.reading) return true;
  const text = textIn(bytes);
  if (text === undefined) return false;
  if (path === FILES.history || path === FILES.inbox) return isEmptyList(text);
  return text.trim() === "" || isSame(await templateOf(disk, path), bytes);
}

function isEmptyList(text: string): boolean {
  const value = ifReadable((): unknown => JSON.parse(text));
  const list = typeof value === "object" && value !== null && "messages" in value ? value.messages : value;
  return Array.isArray(list) && list.length === 0;
}

/** What `memd init` writes there. */
async function templateOf(disk: Disk, path: string): Promise<Uint8Array | undefined> {
  return path.includes("/") ? undefined : disk.read(join(templateFolder(), path));
}

function isSame(one: Uint8Array | undefined, other: Uint8Array): boolean {
  return one !== undefined && Buffer.compare(one, other) === 0;
}
