/**
 * Where records are kept, and how new ones meet those that stand: what repeats
 * one is that one once more, what contradicts one is linked with it.
 */
import { jobIdOf, type ModelWorkParts } from "../llm/job-context.js";
import type { CompareJob } from "../llm/jobs/compare.js";
import { isGroup } from "../model/address.js";
import type { DatedText, Verdict } from "../model/found.js";
import { addAll, defined, entryOf, groupBy } from "../model/collections.js";
import type { MemoryRecord, RecordId } from "../model/record.js";
import { type Month, monthOf } from "../model/time.js";
import type { Refused } from "../model/work.js";
import { stampOf } from "../platform/files.js";
import { appendLines, NotSynced, syncLines } from "../protocol/jsonl.js";
import { type FileWriter, ifNoText, readText } from "../protocol/publish.js";
import {
  parseRecords,
  placeOfRecord,
  printRecord,
  recordFiles,
  type RecordPlace,
} from "../protocol/records.js";
import { at, recordsPath, userRecordsPaths, type Workspace } from "../protocol/workspace.js";
import { driftOf, hasDrifted, idsIn } from "./absolutise.js";
import { Likeness, type Pair, pairKey, pairsToAsk, settled, type Verdicts } from "./compare.js";
import { pointersIn } from "../text/pointers.js";

export class RecordStores {
  readonly #stores = new Map<string, RecordStore>();

  constructor(readonly parts: ModelWorkParts) {}

  /** Older records that these may repeat or contradict. */
  async pairs(records: readonly MemoryRecord[]): Promise<Pair[]> {
    const pairs: Pair[] = [];
    for (const [store, fresh] of await this.#loaded(records))
      addAll(pairs, pairsToAsk(fresh, store.known, this.parts.zone));
    return pairs;
  }

  /** How many lines that took; what stands already takes none. */
  async keep(records: readonly MemoryRecord[], verdicts: Verdicts = new Map()): Promise<number> {
    const { zone, clock } = this.parts;
    let written = 0;
    const wanted = records.filter(({ id }) => !this.parts.forgotten.hasRecord(id));
    for (const [store, fresh] of await this.#loaded(wanted)) {
      const lines = settled(fresh, store.known, zone, verdicts);
      written += await store.add(lines, monthOf(zone.dayOf(clock.now())));
    }
    return written;
  }

  /** All that stands told of a user as of user level, also what holds no more. */
  async toldOf(user: string): Promise<MemoryRecord[]> {
    const store = this.#at({ user });
    await store.load();
    return store.records();
  }

  #at(place: RecordPlace): RecordStore {
    const { writer, workspace } = this.parts;
    return entryOf(this.#stores, JSON.stringify(place), () => new RecordStore(writer, workspace, place));
  }

  async #loaded(records: readonly MemoryRecord[]): Promise<[RecordStore, MemoryRecord[]][]> {
    const loaded: [RecordStore, MemoryRecord[]][] = [];
    for (const fresh of groupBy(records, (record) => JSON.stringify(placeOfRecord(record))).values()) {
      const [first] = fresh;
      if (first === undefined) continue;
      const store = this.#at(placeOfRecord(first));
      await store.load();
      loaded.push([store, fresh]);
    }
    return loaded;
  }
}

/** What a provider says of them; a text that it makes of two must name what they name, and stand alone. */
export async function compared(
  { pool, zone, onUsage }: ModelWorkParts,
  job: string,
  pairs: readonly Pair[],
): Promise<{ to: "done"; verdicts: Verdicts } | Refused> {
  const [first] = pairs;
  if (first === undefined) return { to: "done", verdicts: new Map() };
  const dated = ({ at, text }: MemoryRecord): DatedText => ({ date: zone.dayOf(at), text });
  const { user, scope } = first.newer;
  const keys = pairs.map(({ older, newer }) => pairKey(older, newer));
  const work: CompareJob = {
    kind: "compare",
    id: jobIdOf(job, keys),
    ...defined({ user: isGroup(scope) ? undefined : user }),
    pairs: pairs.map(({ older, newer }) => ({ older: dated(older), newer: dated(newer) })),
  };
  const outcome = await pool.run(work);
  onUsage(outcome.usage);
  if (outcome.to === "unavailable") return outcome;
  // Without an answer they stand beside each other.
  const answers = outcome.to === "done" ? outcome.result.verdicts : [];
  const verdicts = pairs.flatMap(({ older, newer }, index): [string, Verdict][] => {
    const verdict = answers[index];
    return verdict === undefined ? [] : [[pairKey(older, newer), believable(verdict, older, newer)]];
  });
  return { to: "done", verdicts: new Map(verdicts) };
}

function believable({ is, text }: Verdict, older: MemoryRecord, newer: MemoryRecord): Verdict {
  if (text === undefined) return { is };
  const both = `${older.text}\n${newer.text}`;
  return hasDrifted(driftOf(both, text, idsIn(both))) || pointersIn(text).length > 0 ? { is } : { is, text };
}

/**
 * The records of a scope, or of a user, as they stand in its files, and the one
 * way to add to them: a line, in the file in which the id stands already.
 *
 * Files are read again when somebody else has changed them, and made durable
 * before they are believed: a job whose records stand leaves the queue.
 */
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

  /** All that stand, in no promised order. */
  records(): MemoryRecord[] {
    return [...this.#printed.keys()].flatMap((id) => this.known.get(id) ?? []);
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
