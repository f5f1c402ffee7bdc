/**
 * The catalogue: which verbatim days and which summaries stand on the disk.
 *
 * Everything about them is read off the files (by size and time of change, so
 * only what changed is read again); nothing here needs to survive.
 */
import type { Pace } from "../model/work.js";
import { defined, groupBy } from "../model/collections.js";
import type { FiledMessage } from "../model/message.js";
import { keyOf, MAIN_SCOPE, type MessageKey, type ScopeId } from "../model/address.js";
import type { Day, Month } from "../model/time.js";
import type { Disk, FileStat } from "../platform/disk.js";
import { basename, dirname, stampOf } from "../platform/files.js";
import { type FolderLook, type FolderLooks, wholeLooks } from "../platform/folder-looks.js";
import { type Named, openVerbatim } from "../protocol/verbatim.js";
import { parseSummary } from "../protocol/summary.js";
import { readText } from "../protocol/publish.js";
import { at, memoryDir, type Workspace } from "../protocol/workspace.js";
import { own } from "../text/fold.js";
import { type KnownSummary, type Remembered, type VerbatimDay, verbatimDay } from "./known-files.js";
import { versionHash } from "./identity.js";
import { type Sighting, sightingOf } from "./sighting.js";

interface Unreadable {
  is: "unreadable";
  path: string;
  reason: string;
}

/** Which of the folders of a scope. */
type Place = VerbatimDay["place"] | "summary";

interface Where<P extends Place = Place> {
  path: string;
  /** Of its scope. */
  folder: string;
  place: P;
}

type Known = VerbatimDay | KnownSummary | Unreadable | { is: "foreign"; path: string };

/** So many are read in the time that the head of a summary takes. */
const MESSAGES_OF_A_SUMMARY = 100;
const MONTH_DIR = /^\d{4}-(0[1-9]|1[0-2])$/;

/** A message of a day; `edited`: its file is not what memd last wrote. */
type Found = (sighting: Sighting, edited: boolean, day: Day) => void;

interface Finding {
  found: Found;
  /** What need not be read again while it has the stamp. */
  remembered: (path: string) => Remembered | undefined;
  /** A day that has it still. */
  recalled: (day: Remembered<VerbatimDay>) => Promise<void>;
}

const atOnce: Pace = () => undefined;

export class Catalogue {
  readonly #known = new Map<string, { stamp: string; file: Known }>();
  /** The verbatim ones, by place and day; made when asked for. */
  #byDay: Map<string, VerbatimDay[]> | undefined;
  /** Counts up with what a start has to read where nothing remembers it: messages of days, and summaries. */
  messagesRead = 0;

  /** Folders as they were when all of their files were known. */
  readonly #settled = new Map<string, FolderLook>();

  constructor(
    readonly disk: Disk,
    readonly workspace: Workspace,
    readonly looks: FolderLooks = wholeLooks(disk),
  ) {}

  /** Reads what changed; all of it where `found` gets the messages of each verbatim file, one after the other. */
  async refresh(finding?: Finding, pace: Pace = atOnce): Promise<void> {
    const present = new Map<string, FolderLook>();
    let hasChanged = false;
    for (const folder of await this.#scopeFolders()) {
      for (const { dir, place } of await this.#foldersOf(folder)) {
        const look = await this.looks.look(at(this.workspace, dir));
        present.set(dir, look);
        if (finding === undefined && this.#settled.get(dir) === look) continue;
        hasChanged = true;
        for (const [, error] of look.failed) throw error;
        for (const [name, stat] of look.stats) {
          if (!name.endsWith(".md")) continue;
          await this.#look({ path: `${dir}/${name}`, folder, place }, stat, pace, finding);
          await pace();
        }
        this.#settled.set(dir, look);
      }
    }
    if (hasChanged || present.size !== this.#settled.size) this.#dropGone(present);
  }

  #dropGone(present: ReadonlyMap<string, FolderLook>): void {
    for (const dir of this.#settled.keys()) if (!present.has(dir)) this.#settled.delete(dir);
    for (const path of this.#known.keys()) {
      const look = present.get(dirname(path));
      if (look?.stats.get(basename(path))?.kind !== "file") this.#drop(path);
    }
  }

  /** Of the scope's files that may hold blocks, readable or not. */
  async verbatimPaths(scope: ScopeId): Promise<string[]> {
    const folders = (await this.#foldersOf(memoryDir(scope))).filter(({ place }) => place !== "summary");
    return (await Promise.all(folders.map(({ dir }) => this.#filesIn(dir)))).flat();
  }

  /** Folders that hold verbatim days and summaries, relative. */
  async folders(): Promise<string[]> {
    const of = await Promise.all((await this.#scopeFolders()).map((folder) => this.#foldersOf(folder)));
    return of.flat().map(({ dir }) => dir);
  }

  /** Reads one file again, after writing or removing it. */
  async recheck(path: string, scope: ScopeId, place: Place): Promise<void> {
    await this.#look({ path, folder: memoryDir(scope), place }, await this.#stat(path), atOnce);
  }

  /** What was just written need not be read again, unless somebody has changed it already. */
  async wrote(file: VerbatimDay, size: number): Promise<void> {
    const stat = await this.#stat(file.path);
    if (stat?.size === size) this.#put(file.path, { stamp: stampOf(stat), file });
    else await this.recheck(file.path, file.scope, file.place);
  }

  verbatimDays(): VerbatimDay[] {
    return this.#files("verbatim");
  }

  verbatimOf(scope: ScopeId, day: Day): readonly VerbatimDay[] {
    this.#byDay ??= groupBy(this.verbatimDays(), (file) => dayKey(file.scope, file.day));
    return this.#byDay.get(dayKey(scope, day)) ?? [];
  }

  summaries(): KnownSummary[] {
    return this.#files("summary");
  }

  summaryOf(scope: ScopeId, date: Day | Month): KnownSummary | undefined {
    return this.summaries().find((file) => file.scope === scope && file.date === date);
  }

  unreadable(): { path: string; reason: string }[] {
    return this.#files("unreadable");
  }

  /** Keys that have their block in a verbatim file that stands, with its version; files in `without` are left out. Reads them all. */
  async versions(without: ReadonlySet<string>): Promise<Map<MessageKey, string>> {
    const keys = new Map<MessageKey, string>();
    for (const { path, scope } of this.verbatimDays()) {
      if (without.has(path)) continue;
      const file = openVerbatim(await this.#bytes(path));
      for (const { filed } of file?.blocks ?? [])
        keys.set(keyOf(scope, filed.message.id), versionHash(filed.message));
    }
    return keys;
  }

  #put(path: string, known: { stamp: string; file: Known }): void {
    this.#known.set(path, known);
    this.#byDay = undefined;
  }

  #drop(path: string): void {
    this.#known.delete(path);
    this.#byDay = undefined;
  }

  #files<K extends Known["is"]>(is: K): Extract<Known, { is: K }>[] {
    const files = [...this.#known.values()].map(({ file }) => file);
    return files.filter((file): file is Extract<Known, { is: K }> => file.is === is);
  }

  async #scopeFolders(): Promise<string[]> {
    const main = memoryDir(MAIN_SCOPE);
    const others = await this.#namesIn(`${main}/scopes`, "dir");
    return [main, ...others.map((name) => `${main}/scopes/${name}`)];
  }

  async #foldersOf(folder: string): Promise<{ dir: string; place: Place }[]> {
    const months = (await this.#namesIn(`${folder}/archive`, "dir")).filter((name) => MONTH_DIR.test(name));
    return [
      { dir: folder, place: "recent" },
      ...months.map((name) => ({ dir: `${folder}/archive/${name}`, place: "archive" as const })),
      { dir: `${folder}/summary`, place: "summary" },
    ];
  }

  async #filesIn(dir: string): Promise<string[]> {
    const names = await this.#namesIn(dir, "file");
    return names.flatMap((name) => (name.endsWith(".md") && !name.startsWith(".") ? [`${dir}/${name}`] : []));
  }

  async #namesIn(dir: string, kind: "file" | "dir"): Promise<string[]> {
    const entries = await this.disk.list(at(this.workspace, dir));
    return entries.filter((entry) => entry.kind === kind).map(({ name }) => name);
  }

  /** A file as it is now, which `before` is while it has the stamp; undefined where it is none of memd's any more. */
  async fileNow(
    { path, scope, ...known }: VerbatimDay | KnownSummary,
    before: Remembered | undefined,
    pace: Pace,
  ): Promise<Remembered | undefined> {
    const sightings: Sighting[] = [];
    let isEdited = false;
    const found: Found = (sighting, edited) => {
      sightings.push(sighting);
      isEdited = edited;
    };
    const stat = await this.#stat(path);
    if (stat?.kind !== "file") return undefined;
    const stamp = stampOf(stat);
    if (before?.stamp === stamp) return before;
    const place = known.is === "summary" ? known.is : known.place;
    const file = await this.#read({ path, folder: memoryDir(scope), place }, pace, found);
    return "scope" in file ? { stamp, file, isEdited, sightings: [sightings] } : undefined;
  }

  async #look(where: Where, stat: FileStat | undefined, pace: Pace, finding?: Finding): Promise<void> {
    const { path } = where;
    if (stat?.kind !== "file") return this.#drop(path);
    const stamp = stampOf(stat);
    if (finding === undefined) {
      if (this.#known.get(path)?.stamp !== stamp)
        this.#put(path, { stamp, file: await this.#read(where, pace) });
      return;
    }
    const remembered = finding.remembered(path);
    if (remembered?.stamp === stamp) {
      this.#put(path, { stamp, file: remembered.file });
      return isOfDay(remembered) ? finding.recalled(remembered) : undefined;
    }
    const file = await this.#read(where, pace, finding.found);
    if (file.is === "verbatim") this.messagesRead += file.messages;
    this.#put(path, { stamp, file });
  }

  async #read({ path, folder, place }: Where, pace: Pace, found?: Found): Promise<Known> {
    try {
      if (place !== "summary") return await this.#readDay({ path, folder, place }, pace, found);
      const summary = parseSummary((await readText(this.disk, at(this.workspace, path))) ?? "");
      // A file counts only in the folder of its scope: a changed head cannot move it into another.
      if (summary === undefined || memoryDir(summary.scope) !== folder) return { is: "foreign", path };
      const { scope, tier, date, by, covers } = summary;
      this.messagesRead += MESSAGES_OF_A_SUMMARY;
      return { is: "summary", path, scope, tier, date, by, covers };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return { is: "unreadable", path, reason: error.message };
    }
  }

  async #readDay(
    { path, folder, place }: Where<VerbatimDay["place"]>,
    pace: Pace,
    found: Found | undefined,
  ): Promise<Known> {
    const file = openVerbatim(await this.#bytes(path));
    if (file === undefined || memoryDir(file.scope) !== folder) return { is: "foreign", path };
    const { scope, day } = file;
    const held: { message: Named }[] = [];
    if (found === undefined) {
      for (const filed of file.glimpses) held.push({ message: named(filed) });
    } else {
      const isEdited = await file.isEdited(pace);
      for (const { filed } of file.blocks) {
        found(sightingOf(filed), isEdited, day);
        held.push({ message: named(filed) });
        await pace();
      }
    }
    return verbatimDay(path, scope, day, place, held);
  }

  #stat(path: string): Promise<FileStat | undefined> {
    return this.disk.stat(at(this.workspace, path));
  }

  async #bytes(path: string): Promise<Uint8Array> {
    return (await this.disk.read(at(this.workspace, path))) ?? new Uint8Array();
  }
}

/** Without its text, and in memory of its own. */
function named({ message: { id, private: isPrivate } }: FiledMessage): Named {
  return own({ id, ...defined({ private: isPrivate }) });
}

function isOfDay(remembered: Remembered): remembered is Remembered<VerbatimDay> {
  return remembered.file.is === "verbatim";
}

function dayKey(scope: ScopeId, day: Day): string {
  return `${scope}\u0000${day}`;
}
