/**
 * The verbatim part of a pass: every message taken gets its one block, by code,
 * at once, whatever its age. A day's file is published whole, then its keys are
 * marked as settled in the journal; a crash between the two is seen at start.
 */
import { groupBy } from "../model/collections.js";
import type { FiledMessage } from "../model/message.js";
import { idOfKey, type ScopeId } from "../model/address.js";
import type { Day, Zone } from "../model/time.js";
import { contentHash, dirname, hashInSteps } from "../platform/files.js";
import { pacer } from "../platform/clock.js";
import { setAside } from "../protocol/conflicts.js";
import { printMessage } from "../protocol/message.js";
import { ifReadable, publishOver, removeFile } from "../protocol/publish.js";
import {
  encodeVerbatim,
  openVerbatim,
  printBlock,
  type VerbatimBlock,
  type VerbatimFile,
} from "../protocol/verbatim.js";
import { at, memoryDir, verbatimDir } from "../protocol/workspace.js";
import { verbatimDay } from "./known-files.js";
import type { ArchiveContext } from "./context.js";
import { addToDay, freeName, isShared, type Addition, type NewDay } from "./day-file.js";
import { slugOfDay } from "./day-names.js";
import { tierOf } from "./retries.js";
import { settledKeyOf } from "./identity.js";
import { record } from "./intake.js";
import type { LedgerEntry } from "./ledger-entry.js";

/** Writes the blocks of these messages; each is settled when this returns. */
export async function writeDays(context: ArchiveContext, taken: readonly LedgerEntry[]): Promise<void> {
  const pace = pacer(context.clock);
  for (const group of groupBy(taken, ({ scope, day }) => `${scope}\u0000${day}`).values()) {
    const [first] = group;
    if (first !== undefined) await writeDay(context, first.scope, first.day, group);
    await pace();
  }
}

/** Moves days that have grown old from `memory/` to `memory/archive/`; how many. */
export async function moveOldDays(context: ArchiveContext): Promise<number> {
  const { catalogue, zone, clock, settings } = context;
  const today = zone.dayOf(clock.now());
  const twice = groupBy(catalogue.verbatimDays(), ({ scope, day }) => `${scope}\u0000${day}`);
  let moved = 0;
  for (const files of twice.values()) {
    const [file] = files;
    const old = file !== undefined && tierOf(file.day, today, settings.archive.recent_days).to !== "verbatim";
    if (file === undefined || !(files.length > 1 || (old && file.place === "recent"))) continue;
    await writeDay(context, file.scope, file.day, []);
    moved++;
  }
  return moved;
}

async function writeDay(
  context: ArchiveContext,
  scope: ScopeId,
  day: Day,
  group: readonly LedgerEntry[],
): Promise<void> {
  const additions = group.flatMap((entry) => additionOf(entry, context.zone));
  // A person may save the day while it is being written: then it is done again on what they saved.
  let homeless: FiledMessage[] | undefined;
  while (homeless === undefined) homeless = await tryWriteDay(context, scope, day, additions);
  const waiting = new Set(isUnclear(context, scope, day) ? homeless.map((filed) => filed.message.id) : []);
  for (const filed of homeless) {
    if (!waiting.has(filed.message.id)) await keepBeside(context, filed, "new version of a deleted block");
  }
  await settle(
    context,
    group.filter(({ key }) => !waiting.has(idOfKey(key))),
  );
}

/** Printed when its block is written: all of them at once would be the day a second time. */
function additionOf({ held, settled, blockEdited }: LedgerEntry, zone: Zone): Addition[] {
  if (held === undefined) return [];
  const before = settled === undefined ? {} : { settled: blockEdited === true ? "unknown" : settled };
  return [
    {
      filed: held,
      get raw() {
        return printBlock(held, zone);
      },
      ...before,
    },
  ];
}

/** A file of the day cannot be read now: a block that is not in the others may be in it. */
function isUnclear({ catalogue }: ArchiveContext, scope: ScopeId, day: Day): boolean {
  return catalogue
    .unreadable()
    .some(({ path }) => path.startsWith(`${memoryDir(scope)}/`) && path.includes(`/${day}-`));
}

/** New versions whose block is not there; undefined when it must be done again. */
async function tryWriteDay(
  context: ArchiveContext,
  scope: ScopeId,
  day: Day,
  additions: readonly Addition[],
): Promise<FiledMessage[] | undefined> {
  const { catalogue, zone, clock, settings, writer, workspace } = context;
  const standing = await readStanding(context, scope, day);
  const next = addToDay(
    day,
    standing.map(({ file }) => file),
    additions,
  );
  const old = tierOf(day, zone.dayOf(clock.now()), settings.archive.recent_days).to !== "verbatim";
  const isArchived = old || standing.some((known) => known.place === "archive");
  const dir = verbatimDir(scope, day, isArchived);
  const home = standing.find(
    ({ path }) => dirname(path) === dir && !(isShared(filedOf(next)) && tellsWords(path)),
  );
  if (next.blocks.length > 0 && (next.changed || home === undefined)) {
    const path = home?.path ?? (await newHome(context, dir, day, standing[0]?.path, next));
    const file = { day, scope, preamble: next.preamble, blocks: next.blocks };
    const content = await encodeVerbatim(file, pacer(clock));
    if (!(await publishOver(writer, at(workspace, path), content, home))) return undefined;
    const place = isArchived ? "archive" : "recent";
    await catalogue.wrote(verbatimDay(path, scope, day, place, filedOf(next)), content.bytes);
    const others = standing.filter((other) => other.path !== path);
    // Held against what stood: what was added since replaces only what memd had written itself.
    const files = standing.map((one) => one.file);
    const stood = others.length === 0 ? next : addToDay(day, files, []);
    for (const other of others) if (!(await mergeAway(context, other, stood))) return undefined;
  }
  for (const filed of next.conflicts) await keepBeside(context, filed, "new version of an edited block");
  return next.homeless;
}

/** Removes a file whose blocks stand in another one now; what it said otherwise is kept beside. False when it changed meanwhile. */
async function mergeAway(context: ArchiveContext, other: Standing, merged: NewDay): Promise<boolean> {
  const { writer, workspace, catalogue, log } = context;
  const raws = new Set(merged.blocks.map(({ raw }) => raw));
  const { preamble, blocks } = other.file;
  if (preamble !== merged.preamble || blocks.some(({ raw }) => !raws.has(raw))) {
    const bytes = await writer.disk.read(at(workspace, other.path));
    if (bytes !== undefined && contentHash(bytes) === other.hash) {
      await setAside(writer, workspace, other.path, bytes, "second file of a day");
      log.write({ level: "warn", event: "edit_conflict", file: other.path });
    }
  }
  const isUnchanged = (await writer.disk.hash(at(workspace, other.path))) === other.hash;
  if (isUnchanged) await removeFile(writer, at(workspace, other.path));
  await catalogue.recheck(other.path, other.file.scope, other.place);
  return isUnchanged;
}

interface Standing {
  path: string;
  place: "recent" | "archive";
  /** Of its bytes. */
  hash: string;
  file: Pick<VerbatimFile, "scope" | "preamble" | "blocks">;
}

/** The day's file as it stands; after a crash in a move, both of them, the archived one first. */
async function readStanding(
  { writer, workspace, catalogue, clock }: ArchiveContext,
  scope: ScopeId,
  day: Day,
): Promise<Standing[]> {
  const pace = pacer(clock);
  const standing: Standing[] = [];
  for (const { path, place } of catalogue.verbatimOf(scope, day)) {
    const bytes = await writer.disk.read(at(workspace, path));
    const file = bytes && ifReadable(() => openVerbatim(bytes));
    // Gone or broken since the catalogue looked: the next look says so, and nothing of it is overwritten.
    if (bytes === undefined || file === undefined) continue;
    const blocks: VerbatimBlock[] = [];
    for (const block of file.blocks) {
      blocks.push(block);
      await pace();
    }
    const { preamble } = file;
    standing.push({ path, place, hash: await hashInSteps(bytes, pace), file: { scope, preamble, blocks } });
  }
  return standing.sort((a, b) => (a.place === b.place ? 0 : a.place === "archive" ? -1 : 1));
}

async function keepBeside(
  { writer, workspace, log }: ArchiveContext,
  filed: FiledMessage,
  why: string,
): Promise<void> {
  const content = JSON.stringify(printMessage(filed.message), null, 2);
  await setAside(writer, workspace, "message.json", content, why);
  log.write({ level: "warn", event: "edit_conflict", id: filed.message.id });
}

function filedOf({ blocks }: NewDay): FiledMessage[] {
  return blocks.map(({ filed }) => filed);
}

/** Whether a file is called by what was said in it. */
function tellsWords(path: string): boolean {
  return !NAMELESS.test(path);
}

/** `2026-01-28-mem-1a2b3c4d.md`, and of one of that name already the second. */
const NAMELESS = /\d{4}-\d{2}-\d{2}-mem-[a-z0-9-]{1,16}\.md$/;

/** The name it had, or one of its keywords where all of it is one person's; never one that is taken by another file. */
async function newHome(
  context: ArchiveContext,
  dir: string,
  day: Day,
  before: string | undefined,
  next: NewDay,
): Promise<string> {
  const { writer, workspace } = context;
  const taken = new Set((await writer.disk.list(at(workspace, dir))).map((entry) => `${dir}/${entry.name}`));
  const isNameless = isShared(filedOf(next));
  const kept =
    before === undefined || (isNameless && tellsWords(before))
      ? undefined
      : /\d{4}-\d{2}-\d{2}-(.+)\.md$/.exec(before)?.[1];
  if (kept !== undefined) return freeName(dir, day, kept, taken);
  return freeName(dir, day, await slugOfDay(filedOf(next)), taken);
}

async function settle(context: ArchiveContext, group: readonly LedgerEntry[]): Promise<void> {
  if (group.length === 0) return;
  const keys = group.map(settledKeyOf);
  await record(context, [{ op: "settled", keys }], context.zone.dayOf(context.clock.now()));
}
