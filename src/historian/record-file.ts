/**
 * The records of a scope, or of a user, as they stand in its files, and the one
 * way to add to them: a line, in the file in which the id stands already.
 *
 * Files are read again when somebody else has changed them, and made durable
 * before they are believed: a job whose records stand leaves the queue.
 */
import type { MemoryRecord, RecordId } from "../model/record.js";
import type { Month } from "../model/time.js";
import { groupBy } from "../model/group.js";
import { Likeness } from "./likeness.js";
import { stampOf } from "../platform/stamp.js";
import { appendLines, NotSynced, syncLines } from "../protocol/jsonl.js";
import { ifNoText, type FileWriter, readText } from "../protocol/publish.js";
import { recordFiles, type RecordPlace } from "../protocol/record-files.js";
import { parseRecords, printRecord } from "../protocol/records.js";
import { at, recordsPath, userRecordsPaths, type Workspace } from "../protocol/workspace.js";

export class RecordStore {
  readonly known = new Likeness<MemoryRecord>(
    ({ id }) => id,
    ({ text }) => text,
  );
  readonly #fileOf = new Map<RecordId, string>();
  readonly #printed = new Map<RecordId, string>();
  readonly #stamps = new Map<string, string>();
  /** Files of which nobody knows what they hold: not appended to again. */
  readonly #unsure = new Set<string>();

  constructor(
    readonly writer: FileWriter,
    readonly workspace: Workspace,
    readonly place: RecordPlace,
  ) {}

  /** Brings it up to date with the files. */
  async load(): Promise<void> {
    const { disk } = this.writer;
    const present = new Set(await recordFiles(disk, this.workspace, this.place));
    for (const file of present) {
      const stamp = stampOf(await disk.stat(at(this.workspace, file)));
      if (this.#stamps.get(file) === stamp) continue;
      this.#forget(file);
      await syncLines(disk, at(this.workspace, file));
      const text = await readText(disk, at(this.workspace, file)).catch(ifNoText);
      for (const record of parseRecords(text ?? "")) this.#hold(record, file);
      this.#stamps.set(file, stamp);
    }
    for (const file of this.#stamps.keys()) if (!present.has(file)) this.#forget(file);
  }

  /** Lines that say nothing new are left out. How many were written. */
  async add(lines: readonly MemoryRecord[], month: Month): Promise<number> {
    const fresh = lines.filter((record) => this.#printed.get(record.id) !== printRecord(record));
    const byFile = groupBy(fresh, ({ id }) => this.#appendable(this.#fileOf.get(id), month));
    for (const [file, records] of byFile) await this.#append(file, records);
    return fresh.length;
  }

  async #append(file: string, records: readonly MemoryRecord[]): Promise<void> {
    try {
      await appendLines(this.writer, this.workspace, at(this.workspace, file), records.map(printRecord));
    } catch (error) {
      if (error instanceof NotSynced) this.#unsure.add(file);
      throw error;
    }
    for (const record of records) this.#hold(record, file);
    this.#stamps.set(file, stampOf(await this.writer.disk.stat(at(this.workspace, file))));
  }

  /** Where the id stands already, else in the newest file; of none that may not be durable. */
  #appendable(file: string | undefined, month: Month): string {
    if (file !== undefined && !this.#unsure.has(file)) return file;
    const { place } = this;
    if ("user" in place) {
      const paths = userRecordsPaths(place.user);
      return paths.find((path) => !this.#unsure.has(path)) ?? paths[0] ?? "";
    }
    const newest = file ?? recordsPath(place.scope, month);
    let named = newest;
    for (let more = 2; this.#unsure.has(named); more++) named = newest.replace(/\.jsonl$/, `-${more}.jsonl`);
    return named;
  }

  #hold(record: MemoryRecord, file: string): void {
    this.known.put(record);
    this.#fileOf.set(record.id, file);
    this.#printed.set(record.id, printRecord(record));
  }

  #forget(file: string): void {
    for (const [id, held] of this.#fileOf) {
      if (held !== file) continue;
      this.known.drop(id);
      this.#fileOf.delete(id);
      this.#printed.delete(id);
    }
    this.#stamps.delete(file);
  }
}
